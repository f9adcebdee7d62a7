//! The contention window of a function (802.11-2020, 10.23.2.2).
//!
//! The window, and how many exchanges in a row have failed (QSRC), are the function's, whatever it sends and to whom. How often a
//! frame has failed is counted for that frame ([`Peer::count_failure`]).

use super::Function;
use crate::qos::peer::Peer;

/// Attempts in a row where frames have no limit (the default of dot11ShortRetryLimit).
pub(super) const USUAL_LIMIT: u32 = 7;

impl Function {
    /// Draws a backoff from its window.
    pub fn draw_backoff(&mut self) -> u32 {
        self.rng.below(self.cw + 1)
    }

    /// An exchange has failed: its window doubles. It begins anew after as many failures in a row as a frame may have. Returns whether
    /// there have been as many.
    pub(super) fn widen(&mut self) -> bool {
        self.failures += 1;
        let limit = self.rules.retry_limit;
        let is_over = self.failures >= limit.unwrap_or(USUAL_LIMIT);
        match limit {
            Some(_) if is_over => self.narrow(),
            _ => self.cw = (2 * self.cw + 1).min(self.parameters.cw_max),
        }
        if is_over {
            self.failures = 0;
        }
        is_over
    }

    /// Its window begins anew.
    pub(super) fn narrow(&mut self) {
        (self.failures, self.cw) = (0, self.parameters.cw_min);
    }

    /// Two of its station's functions have won at once, and this is the lower: as after a failure of what it would have sent, but
    /// nothing was (802.11-2020, 10.23.2.4).
    pub fn yield_to_higher(&mut self) {
        self.stats.internal_collisions += 1;
        // An action frame counts its own attempts, and a request has no limit of them.
        let next = self.next_receiver().filter(|&to| !self.needs_request(to));
        if let Some(to) = next.filter(|_| self.actions.is_empty()) {
            self.peers.change(to, Peer::count_failure);
        }
        self.widen();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Failure, Outcome};
    use crate::qos::agreement::PATIENCE;
    use crate::qos::category::{AccessParameters, Category};
    use crate::qos::line::Line;
    use crate::qos::peer::Rules;
    use base::{Purpose, Rate, Seed, Span, StationId, Time};
    use net::{Owner, Queue, QueueLimit};

    /// Best effort of 802.11ac with this limit of attempts.
    fn idle(retry_limit: Option<u32>) -> Function {
        let (cw_min, cw_max, txop) = (15, 1023, Span::ZERO);
        let parameters = AccessParameters { aifsn: 3, cw_min, cw_max, txop, ampdu: 0, amsdu: 0 };
        let rules = Rules {
            retry_limit,
            ampdu_retry_limit: None,
            lifetime: Span::millis(500),
            request_after_miss: true,
            always_agreed: true,
            asks: false,
            timeout: Span::ZERO,
            window: 64,
            turns: None,
            yields: false,
        };
        let seed = Seed { seed: 1, replication: 0 };
        let owner = Owner { seed, purpose: Purpose::StationQueue, number: 0 };
        let queue = Queue::new(&QueueLimit::Unlimited.into(), Rate(6_000_000), owner);
        let rng = seed.stream(Purpose::AccessBackoff, 0);
        let line = Line::new(queue, None, 128);
        Function::new((Category::BestEffort, parameters), rules, line, rng)
    }

    #[test]
    fn a_request_that_fails_after_the_wait_for_its_response_is_not_sent_again() {
        let (start, to) = (Time::ZERO, StationId(1));
        for (late, is_sent_again) in [(Span::ZERO, true), (PATIENCE, false)] {
            let mut own = idle(Some(7));
            own.rules.asks = true;
            own.parameters.ampdu = 65_535;
            own.ask(start, to, 0);
            own.begin_action(start);
            own.expire_requests(start + late);
            assert!(own.action().is_some(), "it is on the air");
            own.conclude_action(Outcome::NoAck(Failure::Collision));
            assert_eq!(own.action().is_some(), is_sent_again);
            assert_eq!(own.cw, 31, "it has failed in either case");
        }
    }

    fn windows(own: &mut Function, times: usize) -> Vec<u32> {
        let failed = |_| {
            own.widen();
            own.cw
        };
        (0..times).map(failed).collect()
    }

    #[test]
    fn the_window_begins_anew_after_as_many_failures_as_a_frame_may_have() {
        let anew = [31, 63, 127, 255, 511, 1023, 15, 31];
        assert_eq!(windows(&mut idle(Some(7)), 8), anew);
        assert_eq!(windows(&mut idle(None), 8)[5..], [1023; 3]);
        let mut own = idle(Some(3));
        windows(&mut own, 2);
        own.narrow();
        assert_eq!(windows(&mut own, 3), [31, 63, 15], "an answer ends the row");
    }
}
