//! The send sequence variables of RFC 9293 section 3.3.1, and what they say may be sent.

use super::config::TcpConfig;
use net::{Flags, Segment};

/// The first number of the data: the SYN is number 0.
pub(super) const FIRST_DATA: u64 = 1;

/// Sequence numbers: acknowledged, sent, offered and allowed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sequence {
    /// SND.UNA: the oldest number not acknowledged.
    una: u64,
    /// SND.NXT: the next number to send; go-back-N takes it back.
    nxt: u64,
    /// One past the highest number ever sent.
    max: u64,
    /// One past the last number that the application offered; `u64::MAX`: without end.
    limit: u64,
    /// One past the last number that the receiver takes.
    edge: u64,
    /// Largest payload: the MSS, or the receiver's window where that is less.
    mss: u64,
    /// One over `mss`: what is not compared exactly is multiplied, not divided.
    per_mss: f64,
    /// A FIN follows the data.
    closing: bool,
    last_window: u32,
}

impl Sequence {
    /// Nothing is sent or offered.
    pub fn new(config: &TcpConfig) -> Sequence {
        let mss = u64::from(config.mss).min(config.receive_window).max(1);
        Sequence {
            una: 0,
            nxt: 0,
            max: 0,
            limit: FIRST_DATA,
            edge: FIRST_DATA.saturating_add(config.receive_window),
            mss,
            per_mss: 1.0 / mss as f64,
            closing: false,
            last_window: u32::try_from(config.receive_window).unwrap_or(u32::MAX),
        }
    }

    pub fn una(&self) -> u64 {
        self.una
    }

    pub fn nxt(&self) -> u64 {
        self.nxt
    }

    pub fn max(&self) -> u64 {
        self.max
    }

    pub fn edge(&self) -> u64 {
        self.edge
    }

    pub fn mss(&self) -> u64 {
        self.mss
    }

    pub fn per_mss(&self) -> f64 {
        self.per_mss
    }

    /// Bytes from SND.UNA to SND.NXT.
    pub fn flight(&self) -> u64 {
        self.nxt - self.una
    }

    /// Nothing that was sent waits for its acknowledgement.
    pub fn is_idle(&self) -> bool {
        self.una == self.max
    }

    /// The receiver takes nothing, not even what is outstanding.
    #[inline]
    pub fn is_shut(&self) -> bool {
        self.edge <= self.una
    }

    /// `bytes` in segments.
    #[inline]
    pub fn segments(&self, bytes: u64) -> f64 {
        // Nearly always one whole segment: the division is spared.
        if bytes == self.mss { 1.0 } else { bytes as i64 as f64 / self.mss as i64 as f64 }
    }

    /// A SYN takes number 0.
    pub fn on_syn(&mut self) {
        (self.nxt, self.max) = (FIRST_DATA, FIRST_DATA);
    }

    /// The SYN is acknowledged, or there is none.
    pub fn on_established(&mut self) {
        self.on_syn();
        self.una = FIRST_DATA;
    }

    /// The handshake says how large the receiver's window is.
    pub fn on_first_window(&mut self, window: u32) {
        self.edge = FIRST_DATA.saturating_add(u64::from(window));
        self.last_window = window;
        self.mss = self.mss.min(u64::from(window)).max(1);
        self.per_mss = 1.0 / self.mss as f64;
    }

    /// The application offers `bytes` more. After it has closed it cannot (RFC 9293 section 3.10.2).
    pub fn offer(&mut self, bytes: u64) {
        if !self.closing {
            self.limit = self.limit.saturating_add(bytes);
        }
    }

    /// It offers nothing beyond what was sent so far.
    pub fn stop_offering(&mut self) {
        self.limit = self.limit.min(self.max.max(FIRST_DATA));
    }

    /// A FIN follows what was offered; an offer without end ends here.
    pub fn close(&mut self) {
        if self.limit == u64::MAX {
            self.stop_offering();
        }
        self.closing = true;
    }

    /// All that was offered is acknowledged; never where the offer has no end.
    pub fn is_finished(&self) -> bool {
        self.limit != u64::MAX && self.una == self.limit + u64::from(self.closing)
    }

    /// Bytes that were offered and are not acknowledged; `u64::MAX`: without end.
    pub fn unacknowledged(&self) -> u64 {
        match self.limit {
            u64::MAX => u64::MAX,
            limit => limit.saturating_sub(self.una.max(FIRST_DATA)),
        }
    }

    /// Data or a FIN wait that were never sent.
    pub fn has_more(&self) -> bool {
        self.nxt < self.limit || (self.closing && self.nxt == self.limit)
    }

    /// A segment that ends before `end` takes the FIN along.
    pub fn is_fin(&self, end: u64) -> bool {
        self.closing && end == self.limit + 1
    }

    /// The data end before `end`, and a FIN follows them.
    pub fn ends_data(&self, end: u64) -> bool {
        self.closing && end == self.limit
    }

    /// A write of the application, of `size` bytes where the offer has no end, ends within [seq, end).
    pub fn ends_write(&self, seq: u64, end: u64, size: u64) -> bool {
        end >= self.limit || (self.limit == u64::MAX && seq / size != end / size)
    }

    /// All before `ack` is acknowledged.
    pub fn acknowledge(&mut self, ack: u64) {
        (self.una, self.nxt) = (ack, self.nxt.max(ack));
    }

    /// Records that data up to `end` are sent.
    pub fn note_sent(&mut self, end: u64) {
        self.max = self.max.max(end);
    }

    /// SND.NXT moves over `len` numbers that were sent.
    pub fn advance(&mut self, len: u64) {
        self.nxt += len;
    }

    /// Go-back-N: SND.NXT goes to the oldest number.
    pub fn go_back(&mut self) {
        self.nxt = self.una;
    }

    /// SND.NXT goes to `to` at least; to [`Sequence::max`]: nothing is sent again.
    pub fn skip_to(&mut self, to: u64) {
        self.nxt = self.nxt.max(to);
    }

    /// RFC 9293 section 3.8.6: nothing new is sent beyond the window of the latest acknowledgement, be it a shrunk
    /// one (SHLD-14); one that advances nothing may be old, and only opens. True where it opens.
    #[inline]
    pub fn take_window(&mut self, segment: &Segment) -> bool {
        let edge = segment.ack.saturating_add(u64::from(segment.window));
        let opened = edge > self.edge;
        if opened || segment.ack > self.una {
            self.edge = edge;
        }
        opened
    }

    /// The window that the next acknowledgement is compared with.
    pub fn note_window(&mut self, window: u32) {
        self.last_window = window;
    }

    /// RFC 5681 section 2: data are outstanding, no payload, no SYN or FIN, the same number, the same window.
    pub fn is_duplicate(&self, segment: &Segment) -> bool {
        segment.ack == self.una
            && self.una < self.max
            && segment.len == 0
            && segment.flags.without(Flags::MARKS.with(Flags::ELN)) == Flags::ACK
            && segment.window == self.last_window
    }

    /// One past the last number that may be sent with a window of `segments`.
    #[inline]
    pub fn end_of(&self, segments: f64) -> u64 {
        let whole = segments as i64 as u64;
        self.una.saturating_add(whole.saturating_mul(self.mss)).min(self.edge)
    }

    /// The length of the next segment, where there is one and it fits before `end`. A segment is never cut to
    /// fit: RFC 9293 section 3.8.6.2.1 (silly windows).
    #[inline]
    pub fn fits_before(&self, end: u64) -> Option<u64> {
        let data = self.limit.saturating_sub(self.nxt);
        if self.mss < data {
            // Nearly always: a full segment, or what is left of one that was cut to a small window.
            let fits = self.nxt.saturating_add(self.mss) <= end;
            return if fits { Some(self.mss) } else { self.cut_piece(self.mss, end) };
        }
        // The FIN rides on the last data where the receiver has room for its number; cwnd counts data.
        let rides = self.nxt.saturating_add(data) < self.edge;
        let fin = u64::from(self.closing && self.nxt <= self.limit && (data == 0 || rides));
        let len = data + fin;
        let fits = len > 0 && self.nxt.saturating_add(data.max(1)) <= end;
        if fits { Some(len) } else { self.cut_piece(len, end) }
    }

    /// A piece that was cut to a small window is sent again as it was.
    #[inline]
    fn cut_piece(&self, len: u64, end: u64) -> Option<u64> {
        let piece = len.min(self.max.saturating_sub(self.nxt));
        (piece > 0 && self.nxt.saturating_add(piece) <= end).then_some(piece)
    }
}
