//! The connections that carry a flow in two legs: what one has brought the other carries on.

use super::fetch::Place;
use super::relay::{Relay, Waiting};
use super::table::Flows;
use super::work::{Leg, Part, Work};
use crate::cx::{Cx, Noting};
use crate::end::End;
use crate::plan::SplitFlow;
use base::{FlowId, Named, Time};
use transport::tcp::Endpoint;

/// The connections of a lasting flow have this number.
const LASTING: u32 = 0;

impl Flows {
    /// Tells the connections of each leg which they are, and keeps how they begin.
    pub(super) fn join_legs(&mut self) {
        for number in 0..self.relays.len() {
            for &part in Part::ALL {
                let flow = self.relays[number].flow_of(part);
                let Some(connection) = flow.and_then(|flow| self.lasting(flow)) else { continue };
                connection.work = Work::Leg(Leg { relay: number as u32, part });
                let ends = [End::Source, End::Sink].map(|end| connection.endpoint(end).clone());
                self.relays[number].unopened.push(ends);
            }
        }
    }

    /// The relay of a flow, by its first leg.
    pub fn relay_of(&self, flow: FlowId) -> Option<&Relay> {
        self.relays.iter().find(|relay| relay.legs.flow == flow)
    }

    /// All relays.
    pub fn relays(&mut self) -> &mut [Relay] {
        &mut self.relays
    }

    /// Holds back input of an end that is stopped.
    pub(super) fn hold_back(&mut self, leg: Leg, waiting: Waiting) {
        self.relays[leg.relay as usize].waiting.push(waiting);
    }

    /// An end of a leg has got `fresh` bytes, or an acknowledgement.
    pub(super) fn after_leg(&mut self, cx: &mut Cx<impl Noting>, leg: Leg, end: End, fresh: u64) {
        let number = leg.relay as usize;
        match (leg.part, end) {
            (Part::First | Part::State, End::Source) => {}
            (Part::First, End::Sink) => self.take_in(cx, number, fresh),
            (Part::Beyond, End::Source) => self.pass_on(cx, number),
            (Part::Beyond, End::Sink) => {
                let relay = &mut self.relays[number];
                let (new, SplitFlow { flow, beyond, .. }) = (relay.deliver(fresh), relay.legs);
                for of in [flow, beyond] {
                    self.table[of.index()].score.count_fresh(cx, of, new);
                }
            }
            (Part::State, End::Sink) => {
                if let Some(state) = self.relays[number].legs.state {
                    self.table[state.index()].score.count_fresh(cx, state, fresh);
                }
                self.take_state(cx, number, fresh);
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
            self.connect_lasting(cx, beyond);
        }
        if fresh > 0 {
            self.act_at(cx, beyond, End::Source, |tcp, out| tcp.write(now, fresh, out));
            self.pass_on(cx, number);
        }
    }

    /// Room may have come: by it the window of the first leg opens.
    fn pass_on(&mut self, cx: &mut Cx<impl Noting>, number: usize) {
        let now = cx.now;
        let SplitFlow { flow, beyond, .. } = self.relays[number].legs;
        let oldest =
            self.lasting(beyond).map_or(0, |own| own.endpoint(End::Source).sender.oldest());
        let relay = &mut self.relays[number];
        // The SYN is number 0.
        let acked = relay.begins + oldest.saturating_sub(1);
        relay.passed = relay.passed.max(acked.min(relay.taken));
        relay.note_level(now);
        let bytes = relay.readable();
        relay.read += bytes;
        if bytes > 0 {
            self.act_at(cx, flow, End::Sink, |tcp, out| _ = tcp.read(now, bytes, out));
        }
    }

    /// Opens the connection of a flow that stays.
    pub(super) fn connect_lasting(&mut self, cx: &mut Cx<impl Noting>, flow: FlowId) {
        let now = cx.now;
        self.recall_lasting(now, flow);
        self.act_at(cx, flow, End::Source, |tcp, out| tcp.connect(now, out));
    }

    pub(super) fn act_at(
        &mut self,
        cx: &mut Cx<impl Noting>,
        flow: FlowId,
        end: End,
        act: impl FnOnce(&mut Endpoint, &mut Vec<net::Segment>),
    ) {
        self.act(cx, Place { flow, connection: LASTING }, end, act);
    }

    /// Another connection follows that of a part, not yet opened.
    pub(super) fn renew_part(&mut self, number: usize, part: Part) {
        let relay = &self.relays[number];
        let (Some(flow), Some(ends)) = (relay.flow_of(part), relay.unopened.get(part as usize))
        else {
            return;
        };
        let ends = ends.clone();
        if let Some(tcp) = self.table[flow.index()].tcp_mut() {
            tcp.renew_lasting(ends);
        }
    }

    /// The deaths of all relays that are not over.
    pub fn deaths(&self) -> impl Iterator<Item = (Time, u32)> {
        let of = |(relay, number): (&Relay, u32)| {
            relay.dies.iter().map(move |&at| (at, number)).collect::<Vec<_>>()
        };
        self.relays.iter().zip(0..).flat_map(of)
    }
}
