//! Uplink allocation of a frame: unsolicited grants, polls, then requested bandwidth, in the order of the classes.

use super::Cell;
use super::down::place;
use crate::allot::Booking;
use crate::config::Class;
use crate::pdu::REQUEST;
use crate::subscriber::Uplink;
use base::Time;

/// A round of uplink allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Round {
    /// Grants that nobody asked for, and polls.
    Unsolicited,
    /// Requested bandwidth.
    Asked,
}

impl Cell {
    /// Gives out the uplink.
    pub(super) fn grant(&mut self, now: Time) {
        self.up.allotment.clear();
        if self.ranks.len() > 1 {
            for rank in 0..self.ranks.len() {
                let service = self.ranks[rank];
                if self.services[service].class != Class::BestEffort {
                    self.give_up_to(now, service, Round::Unsolicited);
                }
            }
        }
        for rank in 0..self.ranks.len() {
            self.give_up_to(now, self.ranks[rank], Round::Asked);
        }
        let around = (self.layout.contention, self.layout.gap());
        place(&self.up.allotment, around, &mut self.up_map);
    }

    /// Gives a service what it wants of the uplink in this round.
    fn give_up_to(&mut self, now: Time, service: usize, round: Round) {
        let Cell { up, subscribers, layout, pdus, wants, weights, services, frame, .. } = self;
        let rules = &services[service];
        let wish = |up: &Uplink| match round {
            Round::Asked => up.asked,
            Round::Unsolicited if up.due > now => 0,
            Round::Unsolicited if rules.class == Class::Ugs => rules.grant,
            Round::Unsolicited => REQUEST,
        };
        let mut all = 0;
        for (bytes, subscriber) in wants.iter_mut().zip(subscribers.iter()) {
            *bytes = wish(&subscriber.up[service]);
            all |= *bytes;
        }
        if all == 0 {
            return;
        }
        let mut room = Booking {
            allotment: &mut up.allotment,
            codings: &up.codings,
            around: (layout.preamble(), layout.gap()),
            least: if round == Round::Unsolicited { REQUEST } else { pdus.least() },
            space: |bursts| {
                let is_told = layout.broadcast(*frame, 0, bursts) <= layout.down;
                let fits = is_told && layout.has_elements(0, bursts);
                if fits { layout.up() - layout.contention } else { 0 }
            },
        };
        up.schedulers[service].run(wants, weights, &mut room);
        for (left, subscriber) in wants.iter().zip(subscribers.iter_mut()) {
            let up = &mut subscriber.up[service];
            let wished = wish(up);
            let got = wished - left;
            if got == 0 {
                continue;
            }
            match round {
                Round::Asked => {
                    up.asked = *left;
                    up.granted += got;
                    up.silent_until = *frame + 1;
                }
                Round::Unsolicited => {
                    if rules.class == Class::Ugs {
                        up.granted += got;
                    } else {
                        up.polled = true;
                    }
                    // A grant that came late is not made up for.
                    while up.due <= now {
                        up.due += rules.interval;
                    }
                }
            }
        }
    }
}
