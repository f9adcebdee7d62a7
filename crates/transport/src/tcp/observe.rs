//! What a sender shows of itself: counts, its state, what `ss -ti` would say.

use super::config::{Recovery, Reduction};
use super::law::{Law, Loss};
use super::sack::Phase;
use super::sender::Sender;
use super::stats::{SenderStats, Snapshot};

impl Sender {
    /// The counts so far.
    pub fn stats(&self) -> &SenderStats {
        &self.stats
    }

    /// The state, for probes.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            mss: self.mss,
            cwnd: self.shown_window(),
            ssthresh: self.window.ssthresh,
            srtt: self.rtt.srtt(),
            min_rtt: self.rtt.min_rtt(),
            rttvar: self.rtt.rttvar(),
            rto: self.rtt.rto(),
            snd_una: self.una,
            snd_nxt: self.nxt,
            flight: self.nxt - self.una,
            in_recovery: self.in_recovery,
            phase: self.phase(),
            pipe: if self.by_board { self.sack.board.pipe() } else { self.nxt - self.una },
            sacked: self.sack.board.sacked_bytes(),
            delivery_rate: self.delivery_rate,
            pacing_rate: self.pacing_rate(),
            law_state: self.law.state(),
        }
    }

    /// RFC 9937 section 6: in recovery the window is what is in the network and what may be sent beside it; a segment at
    /// least, as every window.
    fn shown_window(&self) -> f64 {
        let reducing = self.by_board
            && !self.ns2
            && self.sack.phase == Phase::Recovery
            && self.reduction() == Reduction::Prr
            && self.config.whole_steps;
        if !reducing {
            return self.window.cwnd;
        }
        self.segments(self.sack.board.pipe() + self.sack.prr.allowance()).max(1.0)
    }

    pub(super) fn phase(&self) -> Phase {
        if self.by_board && !self.ns2 {
            self.sack.phase
        } else if self.in_recovery {
            Phase::Recovery
        } else if self.una < self.recover && self.goes_back() {
            Phase::Loss
        } else {
            Phase::Open
        }
    }

    /// True where the last loss was answered by go-back-N.
    fn goes_back(&self) -> bool {
        match self.last_loss {
            Some(Loss::Timeout) => true,
            Some(Loss::DupAcks) => self.recovery == Recovery::Tahoe,
            Some(Loss::EcnMark) | None => false,
        }
    }

    /// Segments taken for lost, and segments sent again and not acknowledged (`lost` and `retrans` of `ss -ti`);
    /// zero without SACK. It counts them: not for every packet.
    pub fn lost_and_resent(&self) -> (u64, u64) {
        self.sack.board.count()
    }

    /// The farthest that the path was seen to reorder, segments.
    pub fn reordering(&self) -> u64 {
        self.sack.reordering
    }

    /// SND.UNA: the oldest number that is not acknowledged.
    pub fn oldest(&self) -> u64 {
        self.una
    }

    /// SND.NXT: what a segment without data has as its number.
    pub fn next_number(&self) -> u64 {
        self.max
    }

    /// Largest payload of a segment, bytes.
    pub fn mss(&self) -> u64 {
        self.mss
    }

    /// True where something above what is acknowledged was SACKed, be it a part of a segment.
    pub fn has_sacked(&self) -> bool {
        self.sack.board.highest() > self.una
    }

    /// Segments SACKed above what is acknowledged.
    pub fn sacked_segments(&self) -> u64 {
        self.sack.board.sacked_segments()
    }
}
