//! The node of a relay changes, or loses all that it knows.

use super::relay::Standing;
use super::table::Flows;
use super::work::{Part, Work};
use crate::cx::{Cx, Noting};
use crate::end::End;
use crate::event::Event;
use engine::Phase;

impl Flows {
    /// The state of a relay sets out: images of both sockets, and what they hold. False where there is none yet.
    pub fn begin_move(&mut self, cx: &mut Cx<impl Noting>, number: usize) -> bool {
        let now = cx.now;
        let relay = &mut self.relays[number];
        let Some(state) = relay.legs.state.filter(|_| relay.is_open) else { return false };
        let bytes = (2 * relay.socket + (relay.taken - relay.passed)).max(1);
        relay.standing = Standing::Moves { since: now };
        relay.state_left = bytes;
        relay.counts.moves += 1;
        relay.counts.moved_bytes += bytes;
        self.renew_part(number, Part::State);
        self.connect_lasting(cx, state);
        self.act_at(cx, state, End::Source, |tcp, out| tcp.write(now, bytes, out));
        true
    }

    /// A part of the state is there.
    pub(super) fn take_state(&mut self, cx: &mut Cx<impl Noting>, number: usize, bytes: u64) {
        let relay = &mut self.relays[number];
        relay.state_left = relay.state_left.saturating_sub(bytes);
        if let (Standing::Moves { since }, 0) = (relay.standing, relay.state_left) {
            relay.standing = Standing::Runs;
            relay.counts.frozen += cx.now.since(since);
            self.resume(cx, number);
        }
    }

    /// Handles input that came meanwhile, then timers; the output goes on when both ends have done so.
    fn resume(&mut self, cx: &mut Cx<impl Noting>, number: usize) {
        let now = cx.now;
        let waiting = std::mem::take(&mut self.relays[number].waiting);
        let legs = self.relays[number].legs;
        let ends = [(legs.flow, End::Sink), (legs.beyond, End::Source)];
        let heard = ends.map(|(flow, end)| {
            let tcp = self.table[flow.index()].tcp_mut();
            let connection = tcp.and_then(|tcp| tcp.lasting_connection_mut())?;
            let own = waiting.iter().filter(|one| (one.flow, one.end) == (flow, end));
            let fresh = connection.act(cx, end, &mut self.outbox, |tcp, out| {
                let fresh: u64 = own.map(|one| tcp.on_segment(now, &one.segment, out)).sum();
                if tcp.next_timeout() <= now {
                    tcp.on_timeout(now, out);
                }
                fresh
            });
            Some((connection.work, end, fresh))
        });
        for (work, end, fresh) in heard.into_iter().flatten() {
            if let Work::Leg(leg) = work {
                self.after_leg(cx, leg, end, fresh);
            }
        }
        if self.relays[number].resend && !legs.comes_by_air {
            self.act_at(cx, legs.beyond, End::Source, |tcp, out| tcp.sender.expire(now, out));
        }
        if self.relays[number].wanted.is_some() {
            cx.schedule(now, Phase::Application, Event::Split(number as u32));
        }
    }

    /// The node of a relay loses all that it knows. Both connections are reset, and the source offers what it does not know
    /// to be acknowledged once more, to the connection that it opens later.
    pub fn die(&mut self, cx: &mut Cx<impl Noting>, number: usize) {
        let now = cx.now;
        let flow = self.relays[number].legs.flow;
        let Some(tcp) = self.table[flow.index()].tcp_mut() else { return };
        let acked = tcp.acked().unwrap_or(0);
        let Some(connection) = tcp.lasting_connection() else { return };
        let source = &connection.endpoint(End::Source).sender;
        let left = source.unacknowledged();
        if source.next_number() == 0 {
            return;
        }
        let relay = &mut self.relays[number];
        if let Standing::Moves { since } = relay.standing {
            relay.counts.frozen += now.since(since);
        }
        relay.reset(now, acked);
        let back = now + relay.restart;
        for part in [Part::First, Part::Beyond, Part::State] {
            self.renew_part(number, part);
        }
        self.act_at(cx, flow, End::Source, |tcp, out| tcp.write(now, left, out));
        cx.schedule(back, Phase::Application, Event::Split(number as u32));
    }

    /// The node is back, and the source opens its connection.
    pub fn come_back(&mut self, cx: &mut Cx<impl Noting>, number: usize) {
        self.relays[number].standing = Standing::Runs;
        let flow = self.relays[number].legs.flow;
        self.connect_lasting(cx, flow);
    }
}
