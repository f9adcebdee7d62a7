//! Stations that change their access point: each handoff is kept with its parts.

use crate::handoff::HandoffOutcome;
use crate::sites::Sites;
use base::{CellId, Named, NodeId, Span, StationId};
use wifi::mlme::HandoffRecord;

/// A handoff, and the gap in the data that it has caused.
#[derive(Clone, Debug)]
struct Handoff {
    cell: CellId,
    record: HandoffRecord,
    gap: Option<Span>,
}

/// The handoffs of stations that look for their access point.
#[derive(Clone, Debug, Default)]
pub(crate) struct Roaming {
    handoffs: Vec<Handoff>,
}

impl Roaming {
    /// A station holds itself for associated.
    pub fn on_joined(&mut self, cell: CellId, record: HandoffRecord) {
        self.handoffs.push(Handoff { cell, record, gap: None });
    }

    /// Data pass again at a station.
    pub fn on_resumed(&mut self, cell: CellId, station: StationId, gap: Span) {
        let own = |known: &&mut Handoff| known.cell == cell && known.record.station == station;
        if let Some(last) = self.handoffs.iter_mut().rev().find(own) {
            last.gap = Some(gap);
        }
    }

    /// Returns the results of each.
    pub fn outcomes(
        &self,
        sites: &Sites,
        name: impl Fn(NodeId) -> String,
    ) -> impl Iterator<Item = HandoffOutcome> {
        self.handoffs.iter().map(move |handoff| {
            let record = &handoff.record;
            let name = |station| name(sites.node_of(handoff.cell, station));
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
        })
    }
}
