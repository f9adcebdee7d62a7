//! Shared media: the cells and LANs of a plan, and the element of each.

use super::{CellPlan, LanPlan, MediumPlan, Plan, WimaxPlan};
use base::{CellId, NodeId, Span, StationId, Time};
use net::Hop;
use radio::mobility::Mobility;
use wifi::{Channel, Reception};

/// A cell or LAN of a plan: all stations of an element, or, of cells that share a radio channel, some of them.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// The element.
    pub element: CellId,
    /// The number of its first station there.
    pub first: u32,
    /// Its place among those of its technology.
    pub number: usize,
    /// For results.
    pub name: &'a str,
    /// Its stations.
    pub stations: &'a [NodeId],
    /// The number of its queues in results.
    pub queues: usize,
    /// The station among them that sends beacons, and to which stations belong.
    access_point: Option<StationId>,
    /// A source can keep a station busy.
    can_saturate: bool,
    /// The header that the network layer of a station that is no access point adds to packets that begin
    /// there, bytes.
    routing_header: u32,
    /// For how long a packet is between a network layer and an interface.
    pub(crate) link_layer_delay: Span,
    /// Its technology.
    pub technology: Technology<'a>,
}

/// The shared media.
#[derive(Clone, Copy, Debug)]
pub enum Technology<'a> {
    /// 802.11.
    Wifi(&'a CellPlan),
    /// 802.16.
    Wimax(&'a WimaxPlan),
    /// A shared wired LAN.
    Lan(&'a LanPlan),
}

impl<'a> Part<'a> {
    /// One that is alone on an element which is not yet known: each station has a queue, which sources can keep busy, and nothing
    /// is added.
    fn new(technology: Technology<'a>, name: &'a str, stations: &'a [NodeId]) -> Part<'a> {
        Part {
            element: CellId(0),
            first: 0,
            number: 0,
            name,
            stations,
            queues: stations.len(),
            access_point: None,
            can_saturate: true,
            routing_header: 0,
            link_layer_delay: Span::ZERO,
            technology,
        }
    }

    /// Its stations as the element numbers them, with their nodes.
    pub fn numbered(&self) -> impl Iterator<Item = (StationId, NodeId)> {
        (self.first..).map(StationId).zip(self.stations.iter().copied())
    }

    /// True where its stations send several packets at once.
    pub fn aggregates(&self) -> bool {
        matches!(self.technology, Technology::Wifi(CellPlan { qos: Some(_), .. }))
    }

    /// Its access point as the element numbers it, with its node.
    pub fn access_point(&self) -> Option<(StationId, NodeId)> {
        self.numbered().nth(self.access_point?.index())
    }

    /// By station: what its network layer adds to packets that begin there, bytes.
    pub(crate) fn routing_headers(&self) -> Vec<u32> {
        let mut headers = vec![self.routing_header; self.stations.len()];
        if let Some(access_point) = self.access_point {
            headers[access_point.index()] = 0;
        }
        headers
    }
}

impl CellPlan {
    fn part(&self) -> Part<'_> {
        Part {
            access_point: self.access_point,
            routing_header: self.routing_header,
            link_layer_delay: self.link_layer_delay,
            ..Part::new(Technology::Wifi(self), &self.name, &self.stations)
        }
    }

    /// Its radio channel.
    pub fn channel_number(&self) -> Channel {
        self.medium.as_ref().map_or(0, |medium| medium.channel)
    }
}

impl WimaxPlan {
    fn part(&self) -> Part<'_> {
        Part {
            // Two of each subscriber station and service, best effort among them.
            queues: 2 * (self.config.services.len() + 1) * (self.stations.len() - 1),
            can_saturate: false,
            ..Part::new(Technology::Wimax(self), &self.name, &self.stations)
        }
    }
}

impl LanPlan {
    fn part(&self) -> Part<'_> {
        Part {
            link_layer_delay: self.link_layer_delay,
            ..Part::new(Technology::Lan(self), &self.name, &self.stations)
        }
    }
}

impl Plan {
    /// By element of 802.11: its cells. Cells with a medium and the same channel are on the air together, whatever the channel
    /// where stations go from one to another, as far as they reach each other; every other cell is alone.
    pub fn channels(&self) -> Vec<Vec<usize>> {
        let mut channels: Vec<Vec<usize>> = Vec::new();
        for (i, first) in self.together().into_iter().enumerate() {
            match channels.iter_mut().find(|known| known[0] == first) {
                Some(known) => known.push(i),
                None => channels.push(vec![i]),
            }
        }
        channels
    }

    /// All that stations share, in the order of results: 802.11's cells, 802.16's, LANs. The elements of each technology follow
    /// those of the one before.
    pub fn parts(&self) -> Vec<Part<'_>> {
        let channels = self.channels();
        let mut parts: Vec<Part<'_>> = self.cells.iter().map(CellPlan::part).collect();
        for (element, cells) in (0..).map(CellId).zip(&channels) {
            let mut first = 0;
            for &number in cells {
                let part = &mut parts[number];
                (part.element, part.number, part.first) = (element, number, first);
                first += part.stations.len() as u32;
            }
        }
        let wimax = self.wimax.iter().map(WimaxPlan::part).enumerate();
        let lans = self.lans.iter().map(LanPlan::part).enumerate();
        let alone = (channels.len() as u32..).map(CellId).zip(wimax.chain(lans));
        parts.extend(alone.map(|(element, (number, part))| Part { element, number, ..part }));
        parts
    }

    /// Collects values of parts, by element.
    pub fn by_element<'a, I: IntoIterator>(
        &'a self,
        mut of: impl FnMut(Part<'a>) -> I,
    ) -> Vec<Vec<I::Item>> {
        let mut all = Vec::new();
        for part in self.parts() {
            let element = part.element.index();
            if all.len() <= element {
                all.resize_with(element + 1, Vec::new);
            }
            all[element].extend(of(part));
        }
        all
    }

    /// True where a hop begins at a station that a source can keep busy.
    pub fn can_saturate(&self, hop: Option<&Hop>) -> bool {
        let Some(Hop::Air { cell, .. }) = hop else { return false };
        self.parts().iter().any(|part| part.element == *cell && part.can_saturate)
    }

    /// True where stations look for their access point.
    pub fn roams(&self) -> bool {
        self.association.as_ref().is_some_and(|association| association.stations.is_some())
    }
}

impl MediumPlan {
    /// True where all stations rest, decode each other whatever happens, and cannot capture: then the cell in which all
    /// hear all gives the same packets at the same nanoseconds.
    pub fn is_level(&self) -> bool {
        let Reception::Thresholds(thresholds) = self.reception else { return false };
        let mut spots = Vec::new();
        for place in &self.places {
            let Mobility::Track(track) = place else { return false };
            let rests = track.legs().len() == 1 && track.legs()[0].velocity.squared() == 0.0;
            if !rests {
                return false;
            }
            spots.push(track.position(Time::ZERO));
        }
        let even = |at: usize| {
            let others = (0..spots.len()).filter(|&i| i != at);
            let power =
                |i: usize| self.transmit_w * self.propagation.path_loss.gain(spots[i], spots[at]);
            let (low, high) = others
                .map(power)
                .fold((f64::INFINITY, 0.0), |(low, high), w| (w.min(low), w.max(high)));
            low >= thresholds.receive_w && high / low < thresholds.capture_ratio
        };
        self.propagation.is_steady() && (0..spots.len()).all(even)
    }
}
