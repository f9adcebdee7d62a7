//! The filter of acknowledgements (tc-cake(8), `ack-filter`; RFC 3449, section 5.2.1): one that waits goes where a later one of
//! its connection says all that it says. None is taken out that says more: by selective acknowledgements, by its congestion
//! signals, by options that a router does not know.

use crate::packet::{Header, Packet, Segment};
use crate::segment::Flags;
use std::collections::VecDeque;

/// How much is filtered, in the order of its choices.
pub(super) const ACK_FILTERS: &[&str] = &["none", "conservative", "aggressive"];

/// A filter at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AckFilter {
    /// Of the acknowledgements that could go, the latest stays.
    Conservative,
    /// It goes too, where the next of its queue is the one that makes it needless, with the same congestion signals.
    Aggressive,
}

impl AckFilter {
    /// By its place in [`ACK_FILTERS`].
    pub fn at(place: f64) -> Option<AckFilter> {
        match place as usize {
            0 => None,
            1 => Some(AckFilter::Conservative),
            _ => Some(AckFilter::Aggressive),
        }
    }
}

/// A segment that acknowledges, as a filter reads it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ack {
    /// What addresses and ports tell.
    connection: (u64, u32),
    segment: Segment,
}

impl Ack {
    /// What it reads in a packet: nothing unless it acknowledges. What opens a connection has nothing before it.
    pub fn of(packet: &Packet) -> Option<Ack> {
        let Header::Tcp(segment) = packet.header else { return None };
        let acknowledges = segment.flags.has(Flags::ACK) && !segment.flags.has(Flags::SYN);
        let connection = (packet.conversation(), packet.socket.epoch);
        acknowledges.then_some(Ack { connection, segment })
    }

    /// Its congestion signals (RFC 3168 section 6.1).
    fn signals(&self) -> u8 {
        self.segment.flags.0 & SIGNALS.0
    }

    /// True where it carries an acknowledgement alone, and no option but those that can be compared.
    fn is_bare(&self) -> bool {
        let flags = self.segment.flags.without(SIGNALS);
        self.segment.len == 0
            && flags == Flags::ACK
            && !self.segment.push
            && self.segment.mark_bytes().is_none()
    }

    /// True where a later one of its connection says all that it says, and more.
    fn is_needless(&self, later: &Ack) -> bool {
        let (this, later) = (&self.segment, &later.segment);
        self.is_bare()
            && this.ack <= later.ack
            && is_echoed(this, later)
            && gain(this, later).is_some_and(|gain| gain > 0 || this.ack < later.ack)
    }
}

/// They are compared by themselves.
const SIGNALS: Flags = Flags::ECE.with(Flags::CWR);

/// True where the timestamps of a later segment are none of an earlier time (RFC 7323 section 3): ticks wrap around.
fn is_echoed(this: &Segment, later: &Segment) -> bool {
    let Some(stamps) = this.stamps() else { return true };
    let latest = later.stamps().unwrap_or_default();
    let is_past = |one: u32, other: u32| other.wrapping_sub(one) < 1 << 31;
    is_past(stamps.value, latest.value) && is_past(stamps.echo, latest.echo)
}

/// By how many bytes a later segment acknowledges more selectively; `None` where it leaves out what this one has, or where
/// this one tells of a duplicate (RFC 2883).
fn gain(this: &Segment, later: &Segment) -> Option<u64> {
    let covers =
        |(start, end): (u64, u64)| later.sack_blocks().any(|(from, to)| from <= start && end <= to);
    let is_kept = this.sack_blocks().all(|block| block.0 >= this.ack && covers(block));
    let bytes = |of: &Segment| of.sack_blocks().map(|(start, end)| end - start).sum::<u64>();
    is_kept.then(|| bytes(later).saturating_sub(bytes(this)))
}

/// What a filter reads in the packets of a queue, in their order; nothing where there is no filter.
#[derive(Clone, Debug, Default)]
pub(super) struct Acks(VecDeque<Option<Ack>>);

impl Acks {
    /// A packet comes; returns the place of one before it that goes.
    pub fn push(&mut self, ack: Option<Ack>, filter: AckFilter) -> Option<usize> {
        let needless = ack.as_ref().and_then(|ack| self.needless(ack, filter));
        self.0.push_back(ack);
        needless
    }

    /// The packet at a place has left.
    pub fn remove(&mut self, place: usize) {
        self.0.remove(place);
    }

    /// Those stay whose places say so.
    pub fn keep(&mut self, stays: &[bool]) {
        let mut stays = stays.iter();
        self.0.retain(|_| stays.next().copied().unwrap_or_default());
    }

    /// The oldest that may go for the latest, if another may go too, or if all may.
    fn needless(&self, latest: &Ack, filter: AckFilter) -> Option<usize> {
        let mut oldest: Option<(usize, u8)> = None;
        let ours = |ack: &Ack| ack.connection == latest.connection;
        for (place, ack) in self.0.iter().enumerate() {
            let Some(ack) = ack.as_ref().filter(|ack| ours(ack)) else { continue };
            // A change of the signals would be lost with the one before it.
            if oldest.is_some_and(|(_, signals)| signals != ack.signals()) {
                oldest = None;
            }
            if ack.is_needless(latest) {
                if let Some((place, _)) = oldest {
                    return Some(place);
                }
                oldest = Some((place, ack.signals()));
            }
        }
        let (place, signals) = oldest?;
        let is_next = place + 1 == self.0.len() && signals == latest.signals();
        (filter == AckFilter::Aggressive && is_next).then_some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segment::{Ecn, MarkBytes, Stamps};
    use crate::test_support::packet;

    /// An acknowledgement up to a number, of flow 0.
    fn up_to(ack: u64) -> Segment {
        Segment { ack, flags: Flags::ACK, ..Segment::default() }
    }

    fn with_block(ack: u64, (start, end): (u64, u64)) -> Segment {
        let mut segment = up_to(ack);
        assert!(segment.push_sack(start, end));
        segment
    }

    fn read(flow: u32, segment: Segment) -> Option<Ack> {
        let mut packet = packet(flow);
        packet.header = Header::Tcp(segment);
        Ack::of(&packet)
    }

    /// The places that go as these segments come, one after another.
    fn filtered(filter: AckFilter, segments: &[Segment]) -> Vec<Option<usize>> {
        let mut acks = Acks::default();
        let mut push = |segment: &Segment| {
            let goes = acks.push(read(0, *segment), filter);
            goes.inspect(|&place| acks.remove(place))
        };
        segments.iter().map(&mut push).collect()
    }

    use AckFilter::{Aggressive, Conservative};

    #[test]
    fn the_latest_two_stay_or_the_latest_alone() {
        let line = [1, 2, 3, 4].map(|n| up_to(1000 * n));
        assert_eq!(filtered(Conservative, &line), [None, None, Some(0), Some(0)]);
        assert_eq!(filtered(Aggressive, &line), [None, Some(0), Some(0), Some(0)]);
    }

    /// Three duplicates are what fast retransmit waits for (RFC 5681, section 3.2).
    #[test]
    fn duplicates_stay() {
        assert_eq!(filtered(Aggressive, &[up_to(1000); 4]), [None; 4]);
    }

    #[test]
    fn what_the_later_one_does_not_say_stays() {
        let later = up_to(2000);
        let data = Segment { len: 100, ..up_to(1000) };
        let fin = Segment { flags: Flags::ACK.with(Flags::FIN), ..up_to(1000) };
        let pushed = Segment { push: true, ..up_to(1000) };
        let higher = up_to(3000);
        let block = with_block(1000, (5000, 6000));
        let mut counted = up_to(1000);
        counted.set_mark_bytes(MarkBytes { marked: 1, ..MarkBytes::default() });
        let mut newer = up_to(1000);
        newer.set_stamps(Some(Stamps { value: 9, echo: 9 }));
        for segment in [data, fin, pushed, higher, block, counted, newer] {
            assert_eq!(filtered(Aggressive, &[segment, later]), [None; 2], "{segment:?}");
        }
        // The congestion mark of the packet itself is no signal to the sender of data.
        let marked = Segment { ecn: Ecn::Marked, ..up_to(1000) };
        assert_eq!(filtered(Aggressive, &[marked, later]), [None, Some(0)]);
    }

    #[test]
    fn blocks_that_the_later_one_has_too_may_go() {
        let wider = with_block(1000, (5000, 7000));
        assert_eq!(filtered(Aggressive, &[with_block(1000, (5000, 6000)), wider]), [None, Some(0)]);
        assert_eq!(filtered(Aggressive, &[wider, with_block(1000, (5000, 6000))]), [None; 2]);
        // A duplicate is told by a block below the acknowledgement.
        let told = with_block(2000, (1000, 1500));
        assert_eq!(filtered(Aggressive, &[told, with_block(3000, (1000, 1500))]), [None; 2]);
    }

    #[test]
    fn a_change_of_congestion_signals_stays() {
        let echo = |ack| Segment { flags: Flags::ACK.with(Flags::ECE), ..up_to(ack) };
        assert_eq!(filtered(Aggressive, &[up_to(1000), echo(2000)]), [None; 2]);
        let line = [up_to(1000), echo(2000), echo(3000), echo(4000)];
        assert_eq!(filtered(Conservative, &line), [None, None, None, Some(1)]);
    }

    #[test]
    fn clocks_that_wrap_around_go_on() {
        let at = |ack, value| {
            let mut segment = up_to(ack);
            segment.set_stamps(Some(Stamps { value, echo: 5 }));
            segment
        };
        assert_eq!(filtered(Aggressive, &[at(1000, u32::MAX), at(2000, 3)]), [None, Some(0)]);
    }

    #[test]
    fn connections_are_filtered_apart() {
        let mut acks = Acks::default();
        let came = [0, 1, 0, 1].map(|flow| (flow, up_to(1000 * u64::from(flow) + 1000)));
        for (flow, segment) in came {
            assert_eq!(acks.push(read(flow, segment), Aggressive), None);
        }
        assert_eq!(acks.push(read(0, up_to(9000)), Aggressive), Some(0));
    }
}
