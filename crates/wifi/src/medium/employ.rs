//! Stations of a medium get their access functions, and packets for these.

use super::config::MediumConfig;
use super::counters::Counters;
use super::edca::{Edca, Seat};
use super::parts::Parts;
use super::{Due, Medium};
use crate::exchange::Frame;
use crate::qos::{Begun, Contender, Making, QosConfig, QosGeneration, QosSettings, Stations};
use base::{Seed, StationId, Time};
use net::{Arrival, DropReason};

impl Medium {
    /// Gives the members their access functions, where they have categories.
    pub(super) fn employ(&mut self, config: &MediumConfig, seed: Seed) {
        let members = &config.members;
        if members.iter().all(|member| member.access.is_none()) {
            return;
        }
        let dcf = QosConfig { generation: QosGeneration::Legacy, settings: QosSettings::default() };
        let making = members.iter().map(|member| {
            let access = member.access.as_ref();
            Making {
                station: &member.station,
                categories: access.and_then(|access| access.categories.as_ref()),
                weight: access.map_or(crate::qos::AIRTIME_WEIGHT, |access| access.weight),
                accepts_agreements: access.is_none_or(|access| access.accepts_agreements),
                qos: access.map_or(&dcf, |access| &access.qos),
                stream: member.stream,
            }
        });
        let making: Vec<Making<'_>> = making.collect();
        let stations = Stations::make(&making, config.of_flow.clone(), &self.rates, seed);
        for (node, station) in self.nodes.iter_mut().zip(&stations.all) {
            let waits = station.waits(node.waits.sifs, node.slot);
            node.employ(Counters::new(waits, node.slot));
        }
        self.counts_hazards = true;
        self.edca = Some(Box::new(Edca {
            stations,
            seats: vec![Seat::default(); members.len()],
            parts: Parts::default(),
            chosen: Vec::new(),
        }));
    }

    /// The stations with access categories, and what is counted of them, where there are some.
    pub fn access(&self) -> Option<&Stations> {
        self.edca.as_ref().map(|edca| &edca.stations)
    }

    /// The exchange of an access function that a station has begun.
    pub(super) fn exchange_of(&self, station: StationId) -> Option<(&Edca, &Begun)> {
        let edca = self.edca.as_deref()?;
        Some((edca, edca.seats[station.index()].begun.as_ref()?))
    }

    /// True where a frame carries MPDUs of an access function.
    #[inline]
    pub(super) fn is_in_parts(&self, frame: &Frame) -> bool {
        self.edca.as_ref().is_some_and(|edca| edca.is_in_parts(frame))
    }

    /// A packet comes to a station with access functions: whether it gets a congestion mark.
    pub(super) fn offer_function(
        &mut self,
        now: Time,
        way: (StationId, StationId),
        arrival: &Arrival<'_>,
    ) -> Result<bool, DropReason> {
        let Some(edca) = &mut self.edca else { return Ok(false) };
        let (marks, begins) = edca.stations.offer(now, way, arrival)?;
        self.schedule_alarms();
        let Some(contender) = begins else { return Ok(marks) };
        self.request_function(now, contender);
        self.starts.settle();
        Ok(marks)
    }

    /// Puts in the agenda when waits for responses end.
    pub(super) fn schedule_alarms(&mut self) {
        let Medium { edca: Some(edca), dues, .. } = self else { return };
        dues.extend(edca.stations.new_alarms().map(|at| (at, Due::Unanswered)));
    }

    /// A function that had nothing to send, or might not, contends.
    pub(super) fn request_function(&mut self, now: Time, contender: Contender) {
        let at = contender.station();
        let (Some(edca), node) = (&mut self.edca, &mut self.nodes[at.index()]) else { return };
        // Busy by carrier sense, by a reservation, or by an exchange of the station itself (802.11-2020, 10.23.2.2).
        let is_idle = node.is_idle() && node.reserved_until() <= now && !node.is_engaged();
        if let Some(functions) = &mut node.functions {
            let is_idle = is_idle && functions.promised <= now;
            let draw = || edca.stations.function(contender).draw_backoff();
            functions.request(contender.place(), (now, is_idle), draw);
        }
        self.note_start(at);
    }
}
