//! One end of a connection that speaks both ways: a sender and a receiver of ours behind one door.

use base::Time;
use net::{Flags, Segment};
use transport::tcp::{Receiver, Sender, TcpConfig};

/// An end: what comes in goes to the half that it concerns, what goes out says what both halves know.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// The half that sends data.
    pub sender: Sender,
    /// The half that receives them.
    pub receiver: Receiver,
    closed: bool,
    out: Vec<Segment>,
}

impl Endpoint {
    /// An end that waits for a SYN or for [`Endpoint::connect`].
    pub fn new(config: &TcpConfig) -> Endpoint {
        Endpoint {
            sender: Sender::new(config),
            receiver: Receiver::new(config),
            closed: false,
            out: Vec::new(),
        }
    }

    /// Opens: sends a SYN.
    pub fn connect(&mut self, now: Time) -> Vec<Segment> {
        self.sender.open(now, &mut self.out);
        self.say(now)
    }

    /// A segment comes; what it is answered with.
    pub fn on_segment(&mut self, now: Time, segment: &Segment) -> Vec<Segment> {
        // RFC 9293 section 3.10.7.4: what was never sent cannot be acknowledged; nothing of it is believed.
        let acknowledges = segment.flags.has(Flags::ACK);
        if acknowledges && segment.ack > self.sender.next_number() {
            return Vec::new();
        }
        let carries = segment.end() > segment.seq || segment.seq < self.receiver.next_expected();
        if carries && self.closed && segment.len > 0 {
            return self.reset(segment.ack);
        }
        let mut answers = Vec::new();
        if carries {
            self.receiver.on_segment(now, segment, &mut answers);
        } else {
            self.receiver.note_clock(segment);
        }
        if segment.flags.has(Flags::SYN) && !acknowledges {
            self.sender.open_passively(now);
        }
        if acknowledges {
            let alone = Segment { len: 0, ..*segment };
            self.sender.on_segment(now, &alone, &mut self.out);
        }
        if segment.flags == Flags::SYN.with(Flags::ACK) {
            // The third segment of the handshake is the sender's to send.
            answers.clear();
        }
        self.answer(answers);
        self.say(now)
    }

    /// The time of [`Endpoint::next_timeout`] has come.
    pub fn on_timeout(&mut self, now: Time) -> Vec<Segment> {
        if now >= self.sender.next_timeout() {
            self.sender.on_timeout(now, &mut self.out);
        }
        if now >= self.receiver.next_timeout() {
            let mut answers = Vec::new();
            self.receiver.on_timeout(now, &mut answers);
            self.answer(answers);
        }
        self.say(now)
    }

    /// When to call [`Endpoint::on_timeout`].
    pub fn next_timeout(&self) -> Time {
        self.sender.next_timeout().min(self.receiver.next_timeout())
    }

    /// The application writes.
    pub fn write(&mut self, now: Time, bytes: u64) -> Vec<Segment> {
        self.sender.write(now, bytes, &mut self.out);
        self.say(now)
    }

    /// The application reads up to `bytes`; how many it got.
    pub fn read(&mut self, now: Time, bytes: u64) -> (u64, Vec<Segment>) {
        let mut answers = Vec::new();
        let got = self.receiver.read(now, bytes, &mut answers);
        self.answer(answers);
        (got, self.say(now))
    }

    /// The application writes no more, and reads on: a FIN follows what it wrote.
    pub fn finish(&mut self, now: Time) -> Vec<Segment> {
        self.sender.close(now, &mut self.out);
        self.say(now)
    }

    /// The application closes. What it has not read is lost, and the other side is told (RFC 1122 section 4.2.2.13).
    pub fn close(&mut self, now: Time) -> Vec<Segment> {
        self.closed = true;
        if self.receiver.unread() > 0 {
            let mut resets = self.reset(self.sender.next_number());
            for reset in &mut resets {
                self.receiver.ride_on(now, reset);
                reset.flags = reset.flags.with(Flags::ACK);
            }
            return resets;
        }
        self.sender.close(now, &mut self.out);
        self.say(now)
    }

    fn reset(&self, seq: u64) -> Vec<Segment> {
        vec![Segment { seq, flags: Flags::RST, ..Segment::default() }]
    }

    /// The receiver's acknowledgements go behind the data, which carry them already.
    fn answer(&mut self, answers: Vec<Segment>) {
        for answer in answers {
            let syn = answer.flags.has(Flags::SYN);
            let seq = if syn { 0 } else { self.sender.next_number().max(1) };
            if syn || self.out.iter().all(|segment| segment.len == 0) || answer.has_sack() {
                self.out.push(Segment { seq, ..answer });
            }
        }
    }

    fn say(&mut self, now: Time) -> Vec<Segment> {
        for segment in &mut self.out {
            if segment.len > 0 || segment.flags.has(Flags::FIN) || segment.ack == 1 {
                self.receiver.ride_on(now, segment);
            }
        }
        std::mem::take(&mut self.out)
    }
}
