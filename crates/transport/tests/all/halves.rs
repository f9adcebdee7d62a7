//! Data one way: with only the halves of the ends at work that have something to say, every segment is as it is with all.

use base::{Span, Time};
use net::{Flags, Segment};
use std::collections::VecDeque;
use transport::tcp::law::LawName;
use transport::tcp::{DelayedAck, Endpoint, Halves, Recovery, TcpConfig};

const HOP: Span = Span::millis(20);

/// A segment as the other end gets it: when it was sent, from which end, and what of it matters there.
type Line = (Time, usize, u64, u32, Flags, u64, bool);

/// What both ends say until 400 segments of data are acknowledged, with a segment in 19 lost.
fn conversation(config: &TcpConfig, halves: [Halves; 2]) -> Vec<Line> {
    let mut ends = halves.map(|halves| Endpoint::new(config).with_halves(halves));
    let (mut path, mut out, mut lines) = (VecDeque::new(), Vec::new(), Vec::new());
    let (mut now, mut from) = (Time::ZERO, 0);
    ends[0].connect(now, &mut out);
    if !config.handshake {
        ends[1].connect(now, &mut out);
    }
    ends[0].write(now, 400 * 1460, &mut out);
    while !ends[0].sender.finished() {
        for segment in out.drain(..) {
            // The halves that are left out would have acknowledged with the data what never came.
            let ack = if from == 1 { segment.ack } else { 0 };
            let Segment { seq, len, flags, .. } = segment;
            lines.push((now, from, seq, len, flags, ack, segment.has_sack()));
            if lines.len() % 19 != 0 {
                path.push_back((now + HOP, 1 - from, segment));
            }
        }
        let arrival = path.front().map_or(Time::NEVER, |&(at, ..)| at);
        let timeouts = [ends[0].next_timeout(), ends[1].next_timeout()];
        now = arrival.min(timeouts[0]).min(timeouts[1]).max(now);
        assert!(now < Time::NEVER, "nothing is waited for");
        if arrival <= now {
            let Some((_, to, segment)) = path.pop_front() else { break };
            ends[to].on_segment(now, &segment, &mut out);
            from = to;
        } else {
            from = usize::from(timeouts[1] <= now);
            ends[from].on_timeout(now, &mut out);
        }
    }
    lines
}

#[test]
fn the_halves_that_say_nothing_can_be_left_out() {
    for recovery in [Recovery::NewReno, Recovery::Sack] {
        for timestamps in [None, Some(Span::millis(1))] {
            let delayed_ack = Some(DelayedAck::every(2, Span::millis(40)));
            for handshake in [true, false] {
                let standard = TcpConfig::standard(recovery, LawName::Reno);
                let config = TcpConfig { timestamps, delayed_ack, handshake, ..standard };
                let whole = conversation(&config, [Halves::Both; 2]);
                let part = conversation(&config, [Halves::Sender, Halves::Receiver]);
                assert!(whole.len() > 500, "{}", whole.len());
                assert_eq!(whole, part, "{recovery:?}, {timestamps:?}, handshake {handshake}");
            }
        }
    }
}
