//! Reports of elements at the end.

use crate::outcome::by_reason;
use crate::plan::Part;
use base::{Named, NodeId, StationId, Time};
use net::{DropReason, LanOutcome, LanStationOutcome, QueueStats, Reported};
use wifi::StationOutcome;
use wifi::qos::AccessOutcome;
use wimax::{SubscriberOutcome, WimaxOutcome};

/// The measurements of all elements.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    pub stations: Vec<StationOutcome>,
    pub access: Vec<AccessOutcome>,
    pub wimax: Vec<WimaxOutcome>,
    pub subscribers: Vec<SubscriberOutcome>,
    pub lans: Vec<LanOutcome>,
    pub lan_stations: Vec<LanStationOutcome>,
    /// By name.
    pub queues: Vec<(String, QueueStats)>,
}

/// The inputs of a report on a part of an element, beside the element.
pub(crate) struct Survey<'a> {
    pub part: &'a Part<'a>,
    /// The names of nodes.
    pub names: &'a [String],
    /// By station of the element: packets lost there since the measurement began, by reason.
    pub lost: &'a [[u64; DropReason::ALL.len()]],
    /// The end of the measured time.
    pub end: Time,
    pub measured_s: f64,
    /// Stations look for their access point.
    pub roams: bool,
}

impl Survey<'_> {
    /// All of the part.
    pub fn whole(&self) -> Reported {
        let name = self.part.name.to_owned();
        let (of, packets_lost) = (name.clone(), Default::default());
        Reported { of, name, packets_lost, end: self.end, measured_s: self.measured_s }
    }

    /// The stations of the part.
    pub fn stations(&self) -> impl Iterator<Item = (StationId, Reported)> {
        let reported = |(station, node): (StationId, NodeId)| Reported {
            name: self.names[node.index()].clone(),
            packets_lost: by_reason(|reason| self.lost[station.index()][reason as usize]),
            ..self.whole()
        };
        self.part.numbered().map(move |numbered| (numbered.0, reported(numbered)))
    }
}
