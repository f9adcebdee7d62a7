//! Segments go out: data, FIN, SYN, with their options, marks and pace.

use super::Tcb;
use crate::tcp::accurate::untouched;
use crate::tcp::config::EcnMode;
use crate::tcp::law::Law;
use crate::tcp::sequence::FIRST_DATA;
use base::{Span, Time};
use net::{Ecn, Flags, Options, Segment};

impl Tcb {
    /// Sends `len` numbers from SND.NXT on.
    pub fn send_next(&mut self, now: Time, len: u64, out: &mut Vec<Segment>) {
        self.emit(now, self.seq.nxt(), len, out);
        self.seq.advance(len);
    }

    /// Sends `len` numbers from `seq` on; the last is the FIN's where it ends the stream. True where they were sent before.
    pub fn emit(&mut self, now: Time, seq: u64, len: u64, out: &mut Vec<Segment>) -> bool {
        let retransmission = seq < self.seq.max();
        let end = seq + len;
        self.stats.segments_sent += 1;
        if retransmission {
            self.stats.retransmits += 1;
            self.stats.bytes_retransmitted += len;
        } else {
            self.rtt.on_send(now, end);
        }
        self.seq.note_sent(end);
        self.last_sent = now;
        self.timers.start(self.rto_from(now));
        if let Some(rate) = self.pacing_rate() {
            let segments = len as f64 / self.seq.mss() as f64;
            self.timers.pace(now, Span::from_secs((segments / rate).min(60.0)));
        }
        let fin = self.seq.is_fin(end);
        let mut flags = if fin { Flags::ACK.with(Flags::FIN) } else { Flags::ACK };
        let mut ecn = Ecn::NotCapable;
        if self.config.ecn != EcnMode::Off {
            let (codepoint, ace) = self.codepoint(retransmission);
            (ecn, flags) = (codepoint, flags.with(ace));
        }
        // RFC 3168 section 6.1.2: the first new data after the cut answer the mark.
        if !retransmission && self.marks.take_answer() {
            flags = flags.with(Flags::CWR);
        }
        out.push(Segment {
            seq,
            ack: FIRST_DATA,
            len: (len - u64::from(fin)) as u32,
            flags,
            ecn,
            options: Options::stamped(self.timestamps.option(now)),
            retransmission,
            push: self.seq.ends_write(seq, end, self.config.write_size.max(1)),
            ..Segment::default()
        });
        retransmission
    }

    /// The codepoint of a segment, and its ACE field where ECN is accurate.
    ///
    /// Retransmissions are not ECN-capable, so that a router cannot turn the loss of one, which shows that
    /// the congestion lasts, into a mark (RFC 3168 section 6.1.5). ns-2 marks all its segments, and so do
    /// laws that need every mark (DCTCP and BBRv3 in Linux), and all of L4S (RFC 9331 section 4.1).
    #[inline(never)]
    fn codepoint(&self, retransmission: bool) -> (Ecn, Flags) {
        let none = Flags::default();
        let but_for_losses = if retransmission { Ecn::NotCapable } else { Ecn::Capable };
        match self.config.ecn {
            EcnMode::Off => (Ecn::NotCapable, none),
            EcnMode::Classic if self.ns2() => (Ecn::Capable, none),
            EcnMode::Classic => (but_for_losses, none),
            EcnMode::EveryMark => (Ecn::Capable, none),
            EcnMode::Accurate => (but_for_losses, untouched()),
            EcnMode::L4s => (Ecn::Scalable, untouched()),
        }
    }

    /// Sends the SYN, for the first time or again.
    pub fn send_syn(&mut self, now: Time, out: &mut Vec<Segment>) {
        let retransmission = self.seq.max() > 0;
        self.stats.segments_sent += 1;
        if retransmission {
            self.stats.retransmits += 1;
        } else {
            self.rtt.on_send(now, FIRST_DATA);
            self.timers.restart(self.rto_from(now));
        }
        self.note_syn(now);
        let (flags, options) = (Flags::SYN, Options::stamped(self.timestamps.option(now)));
        out.push(Segment { flags, options, retransmission, ..Segment::default() });
    }

    /// A SYN goes out, or its answer from the other half of this end.
    pub fn note_syn(&mut self, now: Time) {
        self.seq.on_syn();
        self.last_sent = now;
    }

    /// The connection is established by the configuration, without a handshake.
    pub fn open_at_once(&mut self, now: Time) {
        self.seq.on_established();
        self.last_sent = now;
    }

    /// A segment with the number `seq` and no data.
    pub fn send_empty(&self, now: Time, seq: u64, out: &mut Vec<Segment>) {
        let (flags, options) = (Flags::ACK, Options::stamped(self.timestamps.option(now)));
        out.push(Segment { seq, ack: FIRST_DATA, flags, options, ..Segment::default() });
    }

    /// Segments a second: what the law says, else what the configuration makes of the window.
    #[inline]
    pub fn pacing_rate(&self) -> Option<f64> {
        let by_law = self.law.pacing_rate();
        let rate = by_law.or_else(|| {
            let pacing = self.config.pacing?;
            let slow = self.window.in_slow_start();
            let gain = if slow { pacing.slow_start } else { pacing.avoidance };
            Some(gain * self.window.cwnd / self.rtt.srtt()?.as_secs())
        })?;
        (rate.is_finite() && rate > 0.0).then_some(rate)
    }
}
