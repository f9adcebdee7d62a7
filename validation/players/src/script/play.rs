//! Plays a script against one endpoint: segments in at their times, what comes out against what is expected.

use super::event::{Event, Line, What};
use super::info;
use base::{Span, Time};
use net::{Ecn, Flags, Segment, Stamps};
use std::collections::VecDeque;
use transport::tcp::{Endpoint, TcpConfig};

/// The tolerance for early segments, our own bound, and for late ones: packetdrill's default
/// (`--tolerance_usecs`, 4000).
const EARLY: Span = Span::millis(1);
const LATE: Span = Span::millis(4);

/// The segments of the script's peer and of the endpoint.
pub struct Player {
    endpoint: Endpoint,
    out: Vec<Segment>,
    /// Said and not yet matched, with the time.
    said: VecDeque<(Time, Segment)>,
    /// The scale of the windows that come in, and of those that go out.
    scales: (u32, u32),
    /// Our clock less the script's.
    clock_offset: Option<u32>,
    /// We have sent a SYN.
    opened: bool,
    /// The tolerances for early and late segments.
    tolerance: (Span, Span),
}

impl Player {
    /// `tolerance`: the script's own, where that is wider.
    pub fn new(config: &TcpConfig, peer: &Line, tolerance: Span) -> Player {
        Player {
            endpoint: Endpoint::new(config),
            out: Vec::new(),
            said: VecDeque::new(),
            scales: (peer.scale.unwrap_or(0), 0),
            clock_offset: None,
            opened: false,
            tolerance: (EARLY.max(tolerance), LATE.max(tolerance)),
        }
    }

    /// Plays all events; the first that goes wrong.
    pub fn play(&mut self, events: &[Event]) -> Result<(), String> {
        for (i, event) in events.iter().enumerate() {
            let at = event.at.as_secs();
            self.step(event).map_err(|why| format!("event {i} at {at} s: {why}"))?;
        }
        Ok(())
    }

    fn step(&mut self, event: &Event) -> Result<(), String> {
        let now = event.at;
        match &event.what {
            What::Out(line, until) => {
                let until = until.unwrap_or(now);
                if line.flags.contains("SYN") && !line.flags.contains("ACK") && !self.opened {
                    // A script may leave out the call that opens.
                    self.open(now);
                }
                return self.expect(line, (now, until));
            }
            _ => self.run_before(now),
        }
        match &event.what {
            What::In(line) => {
                let segment = self.segment(line);
                self.endpoint.on_segment(now, &segment, &mut self.out);
                self.say(now);
                Ok(())
            }
            What::App(call, args, result) => self.call(now, (call, args), *result),
            What::Check(checks) => info::check(&self.endpoint, checks),
            What::Out(..) | What::Command => Ok(()),
        }
    }

    fn open(&mut self, now: Time) {
        self.opened = true;
        self.endpoint.connect(now, &mut self.out);
        self.say(now);
    }

    /// Reports the endpoint's output.
    fn say(&mut self, now: Time) {
        self.said.extend(self.out.drain(..).map(|segment| (now, segment)));
    }

    /// Lets timers that are due before `time` go off.
    fn run_before(&mut self, time: Time) {
        while self.endpoint.next_timeout() < time {
            let at = self.endpoint.next_timeout();
            self.endpoint.on_timeout(at, &mut self.out);
            self.say(at);
        }
    }

    /// A line of the script as a segment of ours.
    fn segment(&mut self, line: &Line) -> Segment {
        let syn = line.flags.contains("SYN");
        let scale = if syn { 0 } else { self.scales.0 };
        let ours = self.clock_offset.unwrap_or(0);
        let mut segment = Segment {
            seq: line.seq,
            ack: line.ack.unwrap_or(u64::from(!syn)),
            len: line.len as u32,
            window: (line.window.unwrap_or(65_535) << scale) as u32,
            flags: flags(&line.flags),
            ecn: if line.ecn.as_deref() == Some("ce") { Ecn::Marked } else { Ecn::NotCapable },
            ..Segment::default()
        };
        let stamp = |(value, echo): (u32, u32)| Stamps { value, echo: echo.wrapping_add(ours) };
        segment.set_stamps(line.stamps.map(stamp));
        for &(start, end) in &line.sack {
            segment.push_sack(start, end);
        }
        segment
    }

    /// The application's calls that matter, and their known results.
    fn call(&mut self, now: Time, (call, args): (&str, &str), result: i64) -> Result<(), String> {
        let out = &mut self.out;
        match call {
            "write" | "send" | "sendto" | "writev" | "sendmsg" | "sendfile" if result > 0 => {
                self.endpoint.write(now, result as u64, out);
            }
            "shutdown" if result == 0 && writes_end(args) => self.endpoint.finish(now, out),
            "connect" => self.open(now),
            // The listening socket is the lower number; closing it changes nothing.
            "close" if !args.starts_with('3') => self.endpoint.close(now, out),
            "recv" | "read" if args.contains("MSG_PEEK") => {
                let there = self.endpoint.receiver.unread().min(asked(args)) as i64;
                return same("bytes to read", there, result);
            }
            "recv" | "read" | "recvfrom" if result >= 0 => {
                let got = self.endpoint.read(now, asked(args), out);
                same("bytes read", got as i64, result)?;
            }
            _ => {}
        }
        self.say(now);
        Ok(())
    }

    /// Checks that the next output is `line`, which several segments may make up together.
    fn expect(&mut self, line: &Line, (from, until): (Time, Time)) -> Result<(), String> {
        let mut covered = 0;
        let (early, late) = self.tolerance;
        loop {
            while self.said.is_empty() && self.endpoint.next_timeout() <= until + late {
                let at = self.endpoint.next_timeout();
                self.endpoint.on_timeout(at, &mut self.out);
                self.say(at);
            }
            let Some((at, segment)) = self.said.pop_front() else {
                return Err(format!("{} expected, nothing was sent", show(line)));
            };
            let wrong = |what: &str| {
                let at = at.as_secs();
                Err(format!("{} expected, {what}: sent {} at {at} s", show(line), tell(&segment)))
            };
            if at + early < from || at > until + late {
                return wrong("at another time");
            }
            if segment.seq != line.seq + covered || covered + u64::from(segment.len) > line.len {
                return wrong("other data");
            }
            if let Some(what) = self.difference(line, &segment) {
                return wrong(&what);
            }
            covered += u64::from(segment.len);
            if covered == line.len {
                return Ok(());
            }
        }
    }

    /// Describes differences beside the data.
    fn difference(&mut self, line: &Line, segment: &Segment) -> Option<String> {
        let capable = line.ecn.as_deref().map(|ecn| ecn.starts_with("ect"));
        if capable.is_some_and(|capable| capable != (segment.ecn == Ecn::Capable)) {
            return Some("another congestion field".to_owned());
        }
        let expected = flags(&line.flags);
        if segment.flags != expected {
            return Some("other flags".to_owned());
        }
        if line.ack.is_some_and(|ack| ack != segment.ack && expected.has(Flags::ACK)) {
            return Some("another acknowledgement".to_owned());
        }
        let blocks: Vec<_> = segment.sack_blocks().collect();
        if blocks != line.sack {
            return Some(format!("other SACK blocks {blocks:?}"));
        }
        // A SYN's window is not scaled (RFC 7323 section 2.2): this is the largest value of the field.
        let most = if expected.has(Flags::SYN) { 65_535 } else { u64::MAX };
        let window = (u64::from(segment.window) >> self.scales.1).min(most);
        if line.window.is_some_and(|expected| expected != window) {
            return Some(format!("window {window}"));
        }
        self.other_stamps(line, segment)
    }

    /// The clock's zero is ours to choose: the first stamp says how far the script's is.
    fn other_stamps(&mut self, line: &Line, segment: &Segment) -> Option<String> {
        let ((value, echo), ours) = line.stamps.zip(segment.stamps())?;
        let offset = *self.clock_offset.get_or_insert(ours.value.wrapping_sub(value));
        let got = (ours.value.wrapping_sub(offset), ours.echo);
        (got.0.abs_diff(value) > 1 || got.1 != echo).then(|| format!("timestamps {got:?}"))
    }
}

fn flags(text: &str) -> Flags {
    let names =
        [("SYN", Flags::SYN), ("ACK", Flags::ACK), ("FIN", Flags::FIN), ("RST", Flags::RST)];
    // On a SYN these two only offer ECN (RFC 3168 section 6.1.1), which the settings say.
    let marks = [("ECE", Flags::ECE), ("CWR", Flags::CWR)];
    let marks = marks.into_iter().filter(|_| !text.contains("SYN"));
    let names = names.into_iter().chain(marks);
    let set = names.filter(|(name, _)| text.split(' ').any(|word| word == *name));
    set.fold(Flags::default(), |all, (_, flag)| all.with(flag))
}

/// True where a call of `shutdown` ends what we send: SHUT_WR or SHUT_RDWR.
fn writes_end(args: &str) -> bool {
    let how = args.split(',').nth(1).map(str::trim);
    matches!(how, Some("SHUT_WR" | "SHUT_RDWR" | "1" | "2"))
}

/// Returns the number of bytes of a call of `recv`: its third argument.
fn asked(args: &str) -> u64 {
    args.split(',').nth(2).and_then(|n| n.trim().parse().ok()).unwrap_or(u64::MAX)
}

fn same(what: &str, got: i64, expected: i64) -> Result<(), String> {
    if got == expected { Ok(()) } else { Err(format!("{expected} {what} expected, {got} there")) }
}

fn show(line: &Line) -> String {
    let ack = line.ack.map_or(String::new(), |ack| format!(" ack {ack}"));
    format!("{} {}:{}{ack} {:?}", line.flags, line.seq, line.seq + line.len, line.sack)
}

fn tell(segment: &Segment) -> String {
    let (from, to) = (segment.seq, segment.seq + u64::from(segment.len));
    let blocks: Vec<_> = segment.sack_blocks().collect();
    format!("{from}:{to} ack {} {blocks:?}", segment.ack)
}
