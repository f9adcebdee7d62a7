//! Segments go out: data, FIN, SYN, with their options and marks.

use super::config::EcnMode;
use super::sender::{FIRST_DATA, Sender, State};
use base::Time;
use net::{Ecn, Flags, Options, Segment, Stamps};

impl Sender {
    /// Sends `len` numbers from `seq` on; the last is the FIN's where it ends the stream.
    pub(super) fn emit(&mut self, now: Time, seq: u64, len: u64, out: &mut Vec<Segment>) {
        let retransmission = seq < self.max;
        let end = seq + len;
        self.stats.segments_sent += 1;
        if retransmission {
            self.stats.retransmits += 1;
            self.stats.bytes_retransmitted += len;
            self.note_resent(now);
        } else {
            self.rtt.on_send(now, end);
        }
        self.note_sent(now, end);
        self.max = self.max.max(end);
        self.last_sent = now;
        if self.timer == Time::NEVER {
            self.timer = now + self.rtt.rto();
        }
        self.note_pace(now, len);
        let fin = self.closing && end == self.limit + 1;
        let capable = self.config.ecn != EcnMode::Off;
        let mut flags = if fin { Flags::ACK.with(Flags::FIN) } else { Flags::ACK };
        if self.answer_mark && !retransmission {
            self.answer_mark = false;
            flags = flags.with(Flags::CWR);
        }
        out.push(Segment {
            seq,
            ack: FIRST_DATA,
            len: (len - u64::from(fin)) as u32,
            flags,
            ecn: if capable { Ecn::Capable } else { Ecn::NotCapable },
            options: Options::stamped(self.stamps(now)),
            retransmission,
            push: self.ends_write(seq, end),
            ..Segment::default()
        });
    }

    /// A write of the application ends within [seq, end).
    fn ends_write(&self, seq: u64, end: u64) -> bool {
        let size = self.config.write_size.max(1);
        end >= self.limit || (self.limit == u64::MAX && seq / size != end / size)
    }

    /// The first retransmission after a loss carries the clock that tells whether it was needed (RFC 3522 section 3.2).
    fn note_resent(&mut self, now: Time) {
        if !self.by_board {
            let stamp = self.clock.map(|clock| clock.at(now));
            self.sack.undo.on_resend(stamp);
        }
    }

    pub(super) fn stamps(&self, now: Time) -> Option<Stamps> {
        self.clock.map(|clock| Stamps { value: clock.at(now), echo: self.peer_clock })
    }

    pub(super) fn send_syn(&mut self, now: Time, out: &mut Vec<Segment>) {
        let retransmission = self.max > 0;
        self.stats.segments_sent += 1;
        if retransmission {
            self.stats.retransmits += 1;
        } else {
            self.rtt.on_send(now, FIRST_DATA);
            self.timer = now + self.rtt.rto();
        }
        (self.nxt, self.max, self.last_sent) = (FIRST_DATA, FIRST_DATA, now);
        let (flags, options) = (Flags::SYN, Options::stamped(self.stamps(now)));
        out.push(Segment { flags, options, retransmission, ..Segment::default() });
    }

    /// Waits for the acknowledgement of a SYN-ACK that goes out now, from the other half of this end. It goes out again
    /// when the SYN comes again: then the first round trip is not timed, and the window begins at one segment (RFC 5681
    /// section 3.1).
    pub fn open_passively(&mut self, now: Time) {
        if self.state == State::Closed {
            self.state = State::SynSent;
            self.passive = true;
            self.rtt.on_send(now, FIRST_DATA);
            (self.nxt, self.max, self.last_sent) = (FIRST_DATA, FIRST_DATA, now);
        } else if self.state == State::SynSent && self.passive {
            self.rtt.stop_timing();
            self.window.cwnd = 1.0;
        }
    }

    pub(super) fn on_syn_ack(&mut self, now: Time, segment: &Segment, out: &mut Vec<Segment>) {
        if segment.ack != FIRST_DATA {
            return;
        }
        if !self.config.rto.times_handshake {
            self.rtt.stop_timing();
        }
        self.rtt.on_ack(now, FIRST_DATA);
        if self.stats.retransmits > 0 {
            self.rtt.after_lost_syn();
        }
        self.state = State::Established;
        self.una = FIRST_DATA;
        self.peer_clock = segment.stamps().map_or(0, |stamps| stamps.value);
        self.edge = FIRST_DATA.saturating_add(u64::from(segment.window));
        self.last_window = segment.window;
        self.mss = self.mss.min(u64::from(segment.window)).max(1);
        self.per_mss = 1.0 / self.mss as f64;
        self.timer = Time::NEVER;
        self.choose(now);
        let before = out.len();
        self.fill(now, out);
        if out.len() == before && !self.passive {
            // Nothing to carry it: the handshake's third segment goes alone.
            let flags = Flags::ACK;
            let (seq, options) = (self.nxt, Options::stamped(self.stamps(now)));
            out.push(Segment { seq, ack: FIRST_DATA, flags, options, ..Segment::default() });
        }
        self.watch_window(now);
    }
}
