//! The receivers of an access function, and the rules by which it sends to them.

use super::agreement::Agreement;
use super::category::AccessParameters;
use super::window::Window;
use base::{PacketId, Span, StationId, Time};

/// How an access function contends, and on what it agrees with its receivers.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    pub parameters: AccessParameters,
    /// See [`Rules`].
    pub always_agreed: bool,
    pub asks: bool,
}

/// The rules of its station.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Attempts for a frame sent alone.
    pub retry_limit: Option<u32>,
    /// Attempts for an MPDU of an aggregate.
    pub ampdu_retry_limit: Option<u32>,
    pub lifetime: Span,
    pub request_after_miss: bool,
    /// Agreements exist for frames sent alone too, so that a request follows one that is given up.
    pub always_agreed: bool,
    /// Agreements are asked for with frames.
    pub asks: bool,
    /// After how long without frames or answers such an agreement ends; zero: never.
    pub timeout: Span,
    /// MPDUs of a window.
    pub window: u32,
    /// Aggregates that are built ahead, the one on the air included, where the station's queues are shared ([`Sharing`]).
    pub turns: Option<u32>,
    /// Others go first after as many failures in a row as a frame may have, as where the station's queues are shared.
    pub yields: bool,
}

/// A receiver.
#[derive(Clone, Debug)]
pub struct Peer {
    pub to: StationId,
    pub window: Window,
    /// It has QoS, and so has the sender there.
    pub has_qos: bool,
    /// Where agreements are asked for.
    pub agreement: Agreement,
    /// Since when requests to it have failed; [`Time::NEVER`]: none has.
    pub unheard_since: Time,
    /// It has not answered requests for a lifetime: it is asked again when something has come through.
    pub is_silent: bool,
    /// A block ack request is due: its answer was missed, or it waits for what was given up.
    pub needs_request: bool,
    /// When the last of so many exchanges in a row failed that others go first; else [`Time::ZERO`].
    pub behind_since: Time,
    failed: Failed,
}

/// How often a frame has failed.
#[derive(Clone, Copy, Debug, Default)]
struct Failed {
    /// The number of the oldest MPDU in it.
    number: u64,
    times: u32,
}

impl Peer {
    /// One to which nothing has been sent, with a window of `window` MPDUs.
    pub fn new(to: StationId, window: u32) -> Peer {
        Peer {
            to,
            window: Window::new(window),
            has_qos: true,
            agreement: Agreement::default(),
            unheard_since: Time::NEVER,
            is_silent: false,
            needs_request: false,
            behind_since: Time::ZERO,
            failed: Failed::default(),
        }
    }

    /// What is for it waits for its response.
    pub fn is_asked(&self) -> bool {
        self.agreement.is_asked()
    }

    /// The agreement ends, but for the association: `hand` gets what the receiver holds back. Requests have no meaning any more.
    pub fn end_agreement(&mut self, hand: impl FnMut(PacketId, Time)) {
        self.agreement.end();
        self.window.end(hand);
        self.forget_requests();
    }

    /// Nothing is asked about from now on.
    pub fn forget_requests(&mut self) {
        (self.needs_request, self.unheard_since, self.is_silent) = (false, Time::NEVER, false);
    }

    /// Exchanges with it have failed so often that others go first.
    pub fn is_behind(&self) -> bool {
        self.behind_since > Time::ZERO
    }

    /// What goes to it first has failed: returns how often it has, since anything was answered. Another frame than the last has
    /// not failed before (802.11-2020, 10.3.4.4).
    pub fn count_failure(&mut self) -> u32 {
        let number = self.window.oldest_number();
        let before = if self.failed.number == number { self.failed.times } else { 0 };
        self.failed = Failed { number, times: before + 1 };
        self.failed.times
    }

    /// It has answered.
    pub fn note_answer(&mut self) {
        (self.failed.times, self.behind_since) = (0, Time::ZERO);
        (self.unheard_since, self.is_silent) = (Time::NEVER, false);
    }
}

/// The end of an agreement, at a handoff.
#[derive(Clone, Copy, Debug)]
pub struct Parting {
    /// The receiver.
    pub from: StationId,
    /// The one that gets what that does not have: itself, or another; `None`: the receiver has gone, and all for it goes.
    pub to: Option<StationId>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::qos::window::{Budget, Msdu};
    use base::PacketId;

    /// One frame expires, the next is sent for the first time.
    #[test]
    fn a_frame_has_not_failed_as_often_as_the_one_before() {
        let budget = Budget {
            bytes: 65_535,
            mpdus: 1,
            amsdu: 0,
            mac_header: 30,
            llc_header: 8,
            agreed: true,
        };
        let mut peer = Peer::new(StationId(1), 64);
        let fill = |peer: &mut Peer, id| {
            let msdu = Msdu { id: PacketId(id), since: Time::ZERO };
            let mut filling = peer.window.fill(&budget);
            if filling.has_room_for(1500) {
                filling.take(msdu, 1500);
            }
            filling.finish();
        };
        fill(&mut peer, 0);
        assert_eq!([peer.count_failure(), peer.count_failure()], [1, 2]);
        let later = Time::ZERO + Span::secs(1);
        assert_eq!(peer.window.expire(later, Span::millis(500), false, |_| ()), 1);
        fill(&mut peer, 1);
        assert_eq!([peer.count_failure(), peer.count_failure()], [1, 2]);
        peer.note_answer();
        assert_eq!(peer.count_failure(), 1);
    }
}
