//! One end of a connection: a sender and a receiver behind one door.

use super::config::TcpConfig;
use super::receiver::Receiver;
use super::sender::Sender;
use base::Time;
use net::{Flags, Segment};
use std::ops::{Deref, DerefMut};

/// The active halves of an end.
///
/// Where data go one way only, the other half of each end has nothing to say: no data wait for its acknowledgements, and
/// none come for it. Leaving it out changes no segment's numbers, size or time, and costs nothing for each packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halves {
    /// It sends data and receives them.
    Both,
    /// It sends data and hears acknowledgements.
    Sender,
    /// It receives data and acknowledges them.
    Receiver,
}

/// A half of an end that is left out, and takes no room, where it would have nothing to do.
#[derive(Clone, Debug)]
pub struct Half<T>(Option<Box<T>>);

impl<T> Half<T> {
    fn of(half: T) -> Half<T> {
        Half(Some(Box::new(half)))
    }

    /// The half, where it is there.
    pub fn get(&self) -> Option<&T> {
        self.0.as_deref()
    }
}

impl<T> Deref for Half<T> {
    type Target = T;

    /// Panics where the half is left out.
    #[inline(always)]
    fn deref(&self) -> &T {
        self.0.as_deref().expect("this half of the end is left out")
    }
}

impl<T> DerefMut for Half<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_deref_mut().expect("this half of the end is left out")
    }
}

/// An end: what comes in goes to the half that it concerns, what goes out says what both halves know.
///
/// After each call ask [`Endpoint::next_timeout`] again; the segments to send are appended to `out`.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// The half that sends data: left out of an end that only receives.
    pub sender: Half<Sender>,
    /// The half that receives them: left out of an end that only sends.
    pub receiver: Half<Receiver>,
    halves: Halves,
    closed: bool,
}

impl Endpoint {
    /// An end that waits for a SYN or for [`Endpoint::connect`].
    pub fn new(config: &TcpConfig) -> Endpoint {
        Endpoint::with_sender(Sender::new(config), config)
    }

    /// The same with a sender that is made already.
    pub fn with_sender(sender: Sender, config: &TcpConfig) -> Endpoint {
        let receiver = Half::of(Receiver::new(config));
        Endpoint { sender: Half::of(sender), receiver, halves: Halves::Both, closed: false }
    }

    /// An end that only receives.
    pub fn receiving(config: &TcpConfig) -> Endpoint {
        let receiver = Half::of(Receiver::new(config));
        Endpoint { sender: Half(None), receiver, halves: Halves::Receiver, closed: false }
    }

    /// The same end with only these halves at work.
    pub fn with_halves(self, halves: Halves) -> Endpoint {
        let sender = if halves == Halves::Receiver { Half(None) } else { self.sender };
        let receiver = if halves == Halves::Sender { Half(None) } else { self.receiver };
        Endpoint { sender, receiver, halves, ..self }
    }

    /// The active halves.
    #[inline]
    pub fn halves(&self) -> Halves {
        self.halves
    }

    /// Opens: sends a SYN, or begins at once where the configuration has no handshake.
    pub fn connect(&mut self, now: Time, out: &mut Vec<Segment>) {
        if self.halves == Halves::Receiver {
            return;
        }
        let first = out.len();
        self.sender.open(now, out);
        self.say(now, (first, 0), out);
    }

    /// A segment comes; the bytes that are now delivered in order to the application.
    #[inline(always)]
    pub fn on_segment(&mut self, now: Time, segment: &Segment, out: &mut Vec<Segment>) -> u64 {
        match self.halves {
            Halves::Both => self.on_segment_for_both(now, segment, out),
            Halves::Receiver => self.receiver.on_segment(now, segment, out),
            Halves::Sender => {
                self.sender.on_segment(now, segment, out);
                0
            }
        }
    }

    fn on_segment_for_both(&mut self, now: Time, segment: &Segment, out: &mut Vec<Segment>) -> u64 {
        // RFC 9293 section 3.10.7.4: what was never sent cannot be acknowledged; nothing of it is believed.
        let acknowledges = segment.flags.has(Flags::ACK);
        if acknowledges && segment.ack > self.sender.next_number() {
            return 0;
        }
        let carries = segment.end() > segment.seq || segment.seq < self.receiver.next_expected();
        if carries && self.closed && segment.len > 0 {
            self.reset(segment.ack, out);
            return 0;
        }
        let first = out.len();
        let mut fresh = 0;
        if carries {
            fresh = self.receiver.on_segment(now, segment, out);
        } else {
            self.receiver.note_clock(segment);
        }
        if segment.flags == Flags::SYN.with(Flags::ACK) {
            // The third segment of the handshake is the sender's to send.
            out.truncate(first);
        }
        let answers = out.len() - first;
        if segment.flags.has(Flags::SYN) && !acknowledges {
            self.sender.open_passively(now);
        }
        if acknowledges {
            self.sender.on_segment(now, segment, out);
        }
        self.say(now, (first, answers), out);
        fresh
    }

    /// The time of [`Endpoint::next_timeout`] has come.
    pub fn on_timeout(&mut self, now: Time, out: &mut Vec<Segment>) {
        let first = out.len();
        if self.halves != Halves::Sender && now >= self.receiver.next_timeout() {
            self.receiver.on_timeout(now, out);
        }
        let answers = out.len() - first;
        if self.halves != Halves::Receiver && now >= self.sender.next_timeout() {
            self.sender.on_timeout(now, out);
        }
        self.say(now, (first, answers), out);
    }

    /// The time for [`Endpoint::on_timeout`].
    #[inline(always)]
    pub fn next_timeout(&self) -> Time {
        match self.halves {
            Halves::Both => self.sender.next_timeout().min(self.receiver.next_timeout()),
            Halves::Sender => self.sender.next_timeout(),
            Halves::Receiver => self.receiver.next_timeout(),
        }
    }

    /// The application writes.
    pub fn write(&mut self, now: Time, bytes: u64, out: &mut Vec<Segment>) {
        let first = out.len();
        self.sender.write(now, bytes, out);
        self.say(now, (first, 0), out);
    }

    /// The application reads up to `bytes`; how many it got.
    pub fn read(&mut self, now: Time, bytes: u64, out: &mut Vec<Segment>) -> u64 {
        let first = out.len();
        let got = self.receiver.read(now, bytes, out);
        self.say(now, (first, out.len() - first), out);
        got
    }

    /// The application writes no more, and reads on: a FIN follows what it wrote.
    pub fn finish(&mut self, now: Time, out: &mut Vec<Segment>) {
        let first = out.len();
        self.sender.close(now, out);
        self.say(now, (first, 0), out);
    }

    /// Closes the application. Data that it has not read are lost, and the other side gets a reset (RFC 1122
    /// section 4.2.2.13).
    pub fn close(&mut self, now: Time, out: &mut Vec<Segment>) {
        self.closed = true;
        if self.receiver.unread() == 0 {
            return self.finish(now, out);
        }
        self.reset(self.sender.next_number(), out);
        if let Some(reset) = out.last_mut() {
            self.receiver.ride_on(now, reset);
            reset.flags = reset.flags.with(Flags::ACK);
        }
    }

    fn reset(&self, seq: u64, out: &mut Vec<Segment>) {
        out.push(Segment { seq, flags: Flags::RST, ..Segment::default() });
    }

    /// From `first` on there are `answers` of the receiver and then the sender's segments. These take the
    /// acknowledgement along; the answers go behind them, except those that data carry already.
    fn say(&mut self, now: Time, (first, answers): (usize, usize), out: &mut Vec<Segment>) {
        if self.halves != Halves::Both {
            return;
        }
        out[first..].rotate_left(answers);
        let behind = out.len() - answers;
        let mut carried = false;
        for segment in &mut out[first..behind] {
            carried |= segment.len > 0;
            if segment.flags.has(Flags::ACK) {
                self.receiver.ride_on(now, segment);
            }
        }
        let mut kept = behind;
        for i in behind..out.len() {
            let mut answer = out[i];
            let syn = answer.flags.has(Flags::SYN);
            if !syn {
                answer.seq = self.sender.next_number().max(1);
            }
            if syn || !carried || answer.has_sack() {
                out[kept] = answer;
                kept += 1;
            }
        }
        out.truncate(kept);
    }
}
