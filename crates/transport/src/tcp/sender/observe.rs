//! The visible state of a sender: counts, its phase, the values of `ss -ti`.

use super::Sender;
use crate::tcp::law::Law;
use crate::tcp::scoreboard::Scoreboard;
use crate::tcp::stats::{Held, SenderStats, Snapshot};
use base::Time;

impl Sender {
    /// The counts so far.
    pub fn stats(&self) -> &SenderStats {
        &self.tcb.stats
    }

    /// True when all that was offered is acknowledged; never where the offer has no end.
    pub fn finished(&self) -> bool {
        self.tcb.seq.is_finished()
    }

    /// The state, for probes.
    pub fn snapshot(&self) -> Snapshot {
        let (tcb, board) = (&self.tcb, self.repair.board());
        let flight = tcb.seq.flight();
        Snapshot {
            mss: tcb.seq.mss(),
            cwnd: self.shown_window(),
            ssthresh: tcb.window.ssthresh,
            srtt: tcb.rtt.srtt(),
            min_rtt: tcb.rtt.min_rtt(),
            rttvar: tcb.rtt.rttvar(),
            rto: tcb.rtt.rto(),
            snd_una: tcb.seq.una(),
            snd_nxt: tcb.seq.nxt(),
            flight,
            in_recovery: self.repair.in_recovery(),
            phase: self.repair.phase(tcb),
            pipe: board.map_or(flight, Scoreboard::pipe),
            sacked: board.map_or(0, Scoreboard::sacked_bytes),
            delivery_rate: tcb.delivery_rate(),
            pacing_rate: tcb.pacing_rate(),
            law_state: tcb.law.state(),
            held: self.held(),
        }
    }

    /// What keeps it from sending. The receiver's window counts only where the other one has room: opening it would then
    /// let a segment go.
    fn held(&self) -> Held {
        let (seq, window) = (&self.tcb.seq, self.shown_window());
        let next = seq.nxt().saturating_add(seq.mss());
        let allowed = seq.una().saturating_add((window as u64).saturating_mul(seq.mss()));
        if !seq.has_more() {
            Held::Application
        } else if seq.edge() < next && next <= allowed {
            Held::Receiver
        } else {
            Held::Congestion
        }
    }

    /// A segment at least, as every window. Linux shows what a recovery leaves of it, which the RFCs do not call cwnd.
    fn shown_window(&self) -> f64 {
        let reduced = self.repair.window_bytes(&self.tcb).filter(|_| self.tcb.config.whole_steps);
        reduced.map_or(self.tcb.window.cwnd, |bytes| self.tcb.seq.segments(bytes).max(1.0))
    }

    /// Segments taken for lost, and segments sent again and not acknowledged (`lost` and `retrans` of `ss -ti`);
    /// zero without SACK. It counts them: not for every packet.
    pub fn lost_and_resent(&self) -> (u64, u64) {
        self.repair.board().map_or((0, 0), Scoreboard::count)
    }

    /// The farthest that the path was seen to reorder, segments.
    pub fn reordering(&self) -> u64 {
        self.tcb.reordering()
    }

    /// SND.UNA: the oldest number that is not acknowledged.
    pub fn oldest(&self) -> u64 {
        self.tcb.seq.una()
    }

    /// Bytes that the application has offered and that are not acknowledged; `u64::MAX`: without end.
    pub fn unacknowledged(&self) -> u64 {
        self.tcb.seq.unacknowledged()
    }

    /// Returns the number of a segment without data: one past the highest that was sent.
    pub fn next_number(&self) -> u64 {
        self.tcb.seq.max()
    }

    /// Largest payload of a segment, bytes.
    pub fn mss(&self) -> u64 {
        self.tcb.seq.mss()
    }

    /// Returns the time at which the next segment may go: now or before, where nothing is paced.
    pub fn next_send(&self) -> Time {
        self.tcb.timers.next_send()
    }

    /// True where something above what is acknowledged was SACKed, be it a part of a segment.
    pub fn has_sacked(&self) -> bool {
        self.repair.board().is_some_and(|board| board.highest() > self.tcb.seq.una())
    }

    /// Segments SACKed above what is acknowledged.
    pub fn sacked_segments(&self) -> u64 {
        self.repair.board().map_or(0, Scoreboard::sacked_segments)
    }
}
