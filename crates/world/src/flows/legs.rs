//! The connections that carry a flow in two legs: what one has brought the other carries on.

use super::fetch::Place;
use super::relay::Relay;
use super::table::Flows;
use super::work::{Leg, Work};
use crate::cx::{Cx, Noting};
use crate::end::End;
use crate::plan::SplitFlow;
use base::FlowId;

/// The connections of a lasting flow have this number.
const LASTING: u32 = 0;

impl Flows {
    /// Tells the connections of each leg which they are.
    pub(super) fn join_legs(&mut self) {
        for number in 0..self.relays.len() {
            let SplitFlow { flow, beyond } = self.relays[number].legs;
            for (flow, is_beyond) in [(flow, false), (beyond, true)] {
                if let Some(connection) = self.lasting(flow) {
                    connection.work = Work::Leg(Leg { relay: number as u32, is_beyond });
                }
            }
        }
    }

    /// The relay of a flow, by its first leg.
    pub fn relay_of(&self, flow: FlowId) -> Option<&Relay> {
        self.relays.iter().find(|relay| relay.legs.flow == flow)
    }

    /// An end of a leg has got `fresh` bytes, or an acknowledgement.
    pub(super) fn after_leg(&mut self, cx: &mut Cx<impl Noting>, leg: Leg, end: End, fresh: u64) {
        let number = leg.relay as usize;
        match (leg.is_beyond, end) {
            (false, End::Source) => {}
            (false, End::Sink) => self.take_in(cx, number, fresh),
            (true, End::Source) => self.pass_on(cx, number),
            (true, End::Sink) => {
                let Relay { legs, delivered, .. } = &mut self.relays[number];
                let SplitFlow { flow, beyond } = *legs;
                *delivered += fresh;
                for of in [flow, beyond] {
                    self.table[of.index()].score.count_fresh(cx, of, fresh);
                }
            }
        }
    }

    /// Something has come by the first leg.
    fn take_in(&mut self, cx: &mut Cx<impl Noting>, number: usize, fresh: u64) {
        let now = cx.now;
        let relay = &mut self.relays[number];
        let beyond = relay.legs.beyond;
        relay.taken += fresh;
        relay.note_level(now);
        if !std::mem::replace(&mut relay.is_open, true) {
            self.recall_lasting(now, beyond);
            self.act_at(cx, beyond, End::Source, |tcp, out| tcp.connect(now, out));
        }
        if fresh > 0 {
            self.act_at(cx, beyond, End::Source, |tcp, out| tcp.write(now, fresh, out));
            self.pass_on(cx, number);
        }
    }

    /// Room may have come: by it the window of the first leg opens.
    fn pass_on(&mut self, cx: &mut Cx<impl Noting>, number: usize) {
        let now = cx.now;
        let SplitFlow { flow, beyond } = self.relays[number].legs;
        let oldest =
            self.lasting(beyond).map_or(0, |own| own.endpoint(End::Source).sender.oldest());
        let relay = &mut self.relays[number];
        // The SYN is number 0.
        relay.passed = relay.passed.max(oldest.saturating_sub(1).min(relay.taken));
        relay.note_level(now);
        let bytes = relay.readable();
        relay.read += bytes;
        if bytes > 0 {
            self.act_at(cx, flow, End::Sink, |tcp, out| _ = tcp.read(now, bytes, out));
        }
    }

    fn act_at(
        &mut self,
        cx: &mut Cx<impl Noting>,
        flow: FlowId,
        end: End,
        act: impl FnOnce(&mut transport::tcp::Endpoint, &mut Vec<net::Segment>),
    ) {
        self.act(cx, Place { flow, connection: LASTING }, end, act);
    }
}
