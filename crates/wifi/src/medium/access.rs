//! One station's access to the medium, told what it notices: for cases that know no frames, only instants.

use super::config::Member;
use super::node::{Node, Waits};
use crate::config::{MacConfig, PhyConfig};
use crate::frames::Timing;
use crate::mlme::Role;
use crate::station::StationConfig;
use base::{Seed, Span, Time};
use net::QueueLimit;
use radio::Position;
use radio::mobility::Mobility;

/// The backoff, carrier sense and reservations of a station of [`Medium`](crate::Medium), without the medium.
///
/// All inputs of an instant come before the start that is due at it.
#[derive(Clone, Debug)]
pub struct Access {
    node: Node,
}

impl Access {
    /// A station that has heard nothing for long. Its inter-frame space is a SIFS and `aifsn` slots: 2 make DIFS.
    pub fn new(phy: &PhyConfig, mac: &MacConfig, aifsn: u64) -> Access {
        let member = Member {
            place: Mobility::fixed(Position::flat(0.0, 0.0)),
            station: StationConfig::fixed(*phy, *mac, QueueLimit::Unlimited),
            is_access_point: false,
            stream: 0,
            channel: 0,
            role: Role::None,
            access: None,
        };
        let mut node = Node::new(&member, Seed { seed: 0, replication: 0 });
        node.waits = Waits::new(&Timing::of_queue(phy, mac, aifsn));
        Access { node }
    }

    /// A frame comes that waits for access. `draw` gives the slots of a backoff, where one is needed.
    pub fn request(&mut self, now: Time, draw: impl FnOnce() -> u32) {
        self.node.request(now, draw);
    }

    /// Time at which the station begins to transmit, if nothing comes in between; [`Time::NEVER`]: it does not.
    pub fn start(&self) -> Time {
        self.node.counter.start(self.node.slot)
    }

    /// Begins a transmission: of its own frame if its start has come, else of an answer.
    pub fn transmit(&mut self, now: Time) {
        if self.start() == now {
            self.node.counter.begin();
        }
        self.node.go_deaf();
        self.busy(now, || 0);
    }

    /// Another queue of the same station begins at the very start of this one, which backs off by `slots` anew
    /// (802.11-2020, 10.23.2.4).
    pub fn give_way(&mut self, now: Time, slots: u32) {
        self.transmit(now);
        self.node.counter.draw(slots);
        self.node.counter.arm();
    }

    /// Its transmission is over.
    pub fn fall_silent(&mut self, now: Time) {
        self.idle(now, None);
    }

    /// Its transmission is over, and wants an answer: unless that comes, the timeout and its space pass first.
    pub fn await_answer(&mut self, now: Time) {
        self.node.hold = now + self.node.waits.after_timeout;
        self.idle(now, None);
    }

    /// The answer has come.
    pub fn hear_answer(&mut self, now: Time) {
        self.node.hold = Time::ZERO;
        self.node.resume_if_idle(now);
    }

    /// One transmission more is noticed. `draw` gives the slots of a backoff, where a frame needs one from now on.
    pub fn busy(&mut self, now: Time, draw: impl FnOnce() -> u32) {
        let others = self.node.sensed > 0;
        self.node.sensed += 1;
        if !others {
            self.node.sense(now, draw);
        }
    }

    /// One transmission less is noticed. `decoded`: whether its frame could be; `None` where it was none.
    pub fn idle(&mut self, now: Time, decoded: Option<bool>) {
        self.node.sensed -= 1;
        if let Some(decoded) = decoded {
            self.node.errored = !decoded;
        }
        self.node.resume_if_idle(now);
    }

    /// A frame that ends at `now` reserves the medium until `until`; `reset`: whatever was reserved before.
    pub fn reserve(&mut self, now: Time, until: Time, reset: bool) {
        self.node.nav = if reset { until } else { self.node.nav.max(until) };
        if self.node.is_idle() {
            self.node.sense(now, || 0);
            self.node.resume_if_idle(now);
        }
    }

    /// True while it transmits, notices somebody, or holds the medium for reserved.
    pub fn is_busy(&self, now: Time) -> bool {
        !self.node.is_idle() || self.node.reserved_until() > now
    }

    /// aSlotTime.
    pub fn slot(&self) -> Span {
        self.node.slot
    }
}
