//! Stations that change their access point: the ways to them follow, and each handoff is kept with its parts.

use crate::note::Note;
use crate::world::World;
use base::{CellId, Named, NodeId, Span, StationId, Time};
use engine::Probe;
use net::Hop;
use schemars::JsonSchema;
use serde::Serialize;
use wifi::mlme::HandoffRecord;
use wifi::{Happened, Move};

/// A handoff, and the gap in the data that it has caused.
#[derive(Clone, Debug)]
pub(crate) struct Handoff {
    cell: CellId,
    record: HandoffRecord,
    gap: Option<Span>,
}

/// One association of a station, or with Mobile IP one registration: its parts add up to the total, and with Mobile IP,
/// where they begin with the last packet before, to the gap.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct HandoffOutcome {
    /// The station.
    pub station: String,
    /// The access point or agent before; null: this is the first.
    pub from: Option<String>,
    /// The access point or agent from then on.
    pub to: String,
    /// Why: "start", "missed_beacons", "failed_packets", "weak_signal", "deauthenticated"; with Mobile IP also
    /// "agent_lost", "new_agent", "home_agent" or "link".
    pub trigger: &'static str,
    /// When it was associated or registered, s.
    pub at_s: f64,
    /// From the last beacon heard, or with Mobile IP the last packet, to the decision to look for another, s.
    pub detection_s: f64,
    /// Looking, changes of channel included, s.
    pub scan_s: f64,
    /// Authentication, s.
    pub authentication_s: f64,
    /// Association or reassociation, s.
    pub association_s: f64,
    /// Mobile IP: from the association or the decision to the request for registration, s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discovery_s: Option<f64>,
    /// Mobile IP: from the request to the reply, s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registration_s: Option<f64>,
    /// Mobile IP: from the reply to the first packet, s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resumption_s: Option<f64>,
    /// All parts, s.
    pub total_s: f64,
    /// From the last data frame that passed before to the first that passed after, s; null where none has.
    pub gap_s: Option<f64>,
    /// Mobile IP: packets from the station or for it that were lost in the gap, or came to the old agent too late.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<u64>,
    /// Mobile IP: packets made before it could be reached again that passed over its link afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delayed: Option<u64>,
    /// Mobile IP: packets that went through a tunnel to it, up to the next handoff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tunnelled: Option<u64>,
}

impl World {
    /// Carries on what became of associations.
    pub(crate) fn after_moves<P: Probe<Note>>(
        &mut self,
        now: Time,
        cell: CellId,
        happened: &mut Happened,
        probe: &mut P,
    ) {
        let mut changed = false;
        for news in happened.moves.drain(..) {
            let association = match &news {
                Move::Joined(record) => Some((record.station, true)),
                Move::Left { station, .. } => Some((*station, false)),
                Move::Admitted { .. } | Move::Resumed { .. } => None,
            };
            if let Some((station, is)) = association {
                probe.record(now, || Note::Associated { cell, station, is });
            }
            match news {
                // Its own packets go by the new access point at once, what comes for it when that one knows of it.
                Move::Joined(record) if self.plan.is_mobile(self.node_of(cell, record.station)) => {
                    self.join_mobile(now, cell, record, probe);
                }
                Move::Joined(record) => {
                    changed |= self.point(cell, (record.station, record.to), true);
                    self.handoffs.push(Handoff { cell, record, gap: None });
                }
                Move::Admitted { station, .. }
                    if self.plan.is_mobile(self.node_of(cell, station)) => {}
                Move::Admitted { station, access_point } => {
                    changed |= self.point(cell, (station, access_point), false);
                }
                // Until it has found another, its packets wait, and those for it are lost in the air.
                Move::Left { .. } => {}
                Move::Resumed { station, gap } => {
                    let own = |known: &&mut Handoff| {
                        known.cell == cell && known.record.station == station
                    };
                    if let Some(last) = self.handoffs.iter_mut().rev().find(own) {
                        last.gap = Some(gap);
                    }
                }
            }
        }
        if changed {
            self.renew_ways(now, probe);
        }
    }

    /// The way from a station (`up`), or to it, is that by one access point and by no other.
    fn point(&mut self, cell: CellId, (of, by): (StationId, StationId), up: bool) -> bool {
        let mut changed = false;
        let node = self.node_of(cell, of);
        for (station, there) in self.access_points(cell) {
            let (from, to) = if up { (of, station) } else { (station, of) };
            let ends = if up { (node, there) } else { (there, node) };
            changed |= self.set_edge(ends.0, ends.1, Hop::Air { cell, from, to }, station == by);
        }
        changed
    }

    /// The access points of an element of the air.
    pub(crate) fn access_points(&self, cell: CellId) -> Vec<(StationId, NodeId)> {
        let here = self.of_cell.iter().zip(&self.plan.cells).filter(|(of, _)| of.0 == cell);
        here.filter_map(|(&(_, first), plan)| {
            let own = plan.access_point?;
            Some((StationId(first + own.0), plan.stations[own.index()]))
        })
        .collect()
    }

    pub(crate) fn node_of(&self, cell: CellId, station: StationId) -> NodeId {
        self.cells[cell.index()].nodes[station.index()]
    }

    pub(crate) fn handoff_outcomes(&self) -> Vec<HandoffOutcome> {
        let outcome = |handoff: &Handoff| {
            let record = &handoff.record;
            let name = |station| self.node_name(self.node_of(handoff.cell, station)).to_owned();
            HandoffOutcome {
                station: name(record.station),
                from: record.from.map(name),
                to: name(record.to),
                trigger: record.trigger.name(),
                at_s: record.associated.as_secs(),
                detection_s: record.detection().as_secs(),
                scan_s: record.scan().as_secs(),
                authentication_s: record.authentication().as_secs(),
                association_s: record.association().as_secs(),
                discovery_s: None,
                registration_s: None,
                resumption_s: None,
                lost: None,
                delayed: None,
                tunnelled: None,
                total_s: record.total().as_secs(),
                gap_s: handoff.gap.map(Span::as_secs),
            }
        };
        let mut all: Vec<_> = self.handoffs.iter().map(outcome).collect();
        all.extend(self.mobile_handoffs());
        all.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
        all
    }
}
