//! Reasons for window cuts of a TCP sender: they are found here, where the fate of every segment is known.
//!
//! Each connection keeps the segments that were lost and not yet acknowledged. When the sender's count of cuts grows,
//! its oldest unacknowledged number is looked up among them.

mod losses;

use crate::tally::Tally;
use base::{CountNames, Named, Tally as Counted, named};
use losses::Losses;
use net::{DropReason, Segment};
use transport::tcp::SenderStats;

named! {
    /// Why a window was cut without a loss.
    pub enum OtherCause, "cause" {
        AckLoss = "ack_loss": "a timeout of a segment that had arrived: an acknowledgement that would have told so was lost",
        Reordering = "reordering": "duplicate acknowledgements of a segment that was not lost: others overtook it, or came twice",
        SpuriousTimeout = "spurious_timeout": "a timeout of a segment that was not lost, nor its acknowledgement: both were late",
        EcnMark = "ecn_mark": "a congestion mark was echoed",
    }
}

/// The cause of a cut of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutCause {
    /// The segment that the sender took for lost was lost, for this reason.
    Lost(DropReason),
    /// None was lost.
    Other(OtherCause),
}

const LOSSES: usize = DropReason::ALL.len();
const ALL: usize = LOSSES + OtherCause::ALL.len();

static NAMES: CountNames<ALL> = CountNames::of_rows(DropReason::ROWS, OtherCause::ROWS);

impl CutCause {
    /// All causes, in the order of their numbers.
    pub fn all() -> impl Iterator<Item = CutCause> {
        let losses = DropReason::ALL.iter().copied().map(CutCause::Lost);
        losses.chain(OtherCause::ALL.iter().copied().map(CutCause::Other))
    }

    /// The name in results; that of the drop reason where a segment was lost.
    pub fn name(self) -> &'static str {
        match self {
            CutCause::Lost(reason) => reason.name(),
            CutCause::Other(cause) => cause.name(),
        }
    }

    fn number(self) -> usize {
        match self {
            CutCause::Lost(reason) => reason as usize,
            CutCause::Other(cause) => LOSSES + cause as usize,
        }
    }

    /// The sums of counts by cause, for results.
    pub fn tally(counts: impl Iterator<Item = (CutCause, u64)>) -> Counted {
        let mut sums = [0; ALL];
        counts.for_each(|(cause, count)| sums[cause.number()] += count);
        NAMES.tally(|number| sums[number])
    }
}

/// The decision for a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Timeout,
    Duplicates,
}

/// The facts about both ends that the lookup needs.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    /// SND.UNA of the sender.
    pub una: u64,
    /// RCV.NXT of the receiver.
    pub next: u64,
}

/// The losses and cuts of one connection.
#[derive(Clone, Debug, Default)]
pub struct Cuts {
    lost: Losses,
    /// The highest acknowledgement that was lost.
    lost_ack: u64,
    /// SND.UNA after the sender's last turn.
    una: u64,
    /// The sender's counts, as far as they are charged.
    charged: Counts,
    /// By cause, since the measurement began.
    counts: Tally<CutCause>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    cuts: u64,
    timeouts: u64,
    marks: u64,
}

impl Counts {
    fn of(stats: &SenderStats) -> Counts {
        Counts { cuts: stats.window_cuts, timeouts: stats.timeouts, marks: stats.marks }
    }
}

impl Cuts {
    /// A data segment or a SYN was lost.
    pub fn on_data_lost(&mut self, segment: &Segment, reason: DropReason) {
        let numbers = (segment.end() - segment.seq).min(u64::from(u16::MAX)) as u16;
        if numbers == 0 {
            return;
        }
        if segment.retransmission {
            self.lost.forget(segment.seq, numbers);
        }
        self.lost.enter((segment.seq, numbers), reason, self.una);
    }

    /// An acknowledgement was lost.
    pub fn on_ack_lost(&mut self, segment: &Segment) {
        self.lost_ack = self.lost_ack.max(segment.ack);
    }

    /// Ends the turn of the sender. `charge` gets the cause of each cut that it made.
    #[inline]
    pub fn after_sender(
        &mut self,
        stats: &SenderStats,
        ends: Numbers,
        charge: impl FnMut(CutCause),
    ) {
        let counts = Counts::of(stats);
        if counts != self.charged {
            self.charge(counts, ends, charge);
        }
        self.una = ends.una;
    }

    #[cold]
    fn charge(&mut self, counts: Counts, ends: Numbers, mut charge: impl FnMut(CutCause)) {
        let timeouts = counts.timeouts - self.charged.timeouts;
        let marks = counts.marks - self.charged.marks;
        // A SYN's timeout leaves a window of one segment, and is no cut to the sender.
        let cuts = (counts.cuts - self.charged.cuts).max(marks + timeouts);
        let (first, last) = (marks, cuts - timeouts);
        for i in 0..cuts {
            let cause = match i {
                _ if i < first => CutCause::Other(OtherCause::EcnMark),
                _ if i < last => self.cause(Sign::Duplicates, ends),
                _ => self.cause(Sign::Timeout, ends),
            };
            self.counts.add(cause);
            charge(cause);
        }
        self.charged = counts;
    }

    fn cause(&self, sign: Sign, Numbers { una, next }: Numbers) -> CutCause {
        if sign == Sign::Timeout && next > una && self.lost_ack > una {
            return CutCause::Other(OtherCause::AckLoss);
        }
        let here = self.lost.within(una, una + 1);
        // A probe may repair a loss before it is noticed (RFC 8985 section 7.4): then it is acknowledged by now.
        let before = || self.lost.within(self.una, una).filter(|_| sign == Sign::Duplicates);
        match (here.or_else(before), sign) {
            (Some(reason), _) => CutCause::Lost(reason),
            (None, Sign::Duplicates) => CutCause::Other(OtherCause::Reordering),
            (None, Sign::Timeout) => CutCause::Other(OtherCause::SpuriousTimeout),
        }
    }

    /// Another connection begins; the counts stay.
    pub fn begin_connection(&mut self) {
        self.lost.clear();
        (self.lost_ack, self.una, self.charged) = (0, 0, Counts::default());
    }

    /// The measurement begins: counts from here on.
    pub fn begin_measurement(&mut self) {
        self.counts = Tally::default();
    }

    /// Returns the number of cuts by each cause that there was.
    pub fn counts(&self) -> impl Iterator<Item = (CutCause, u64)> + '_ {
        self.counts.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(seq: u64, len: u32, retransmission: bool) -> Segment {
        Segment { seq, len, retransmission, ..Segment::default() }
    }

    /// The cause of a cut with these counts and ends.
    fn charged(cuts: &mut Cuts, timeout: bool, una: u64, next: u64) -> CutCause {
        let mut causes = vec![];
        let stats = SenderStats {
            window_cuts: cuts.charged.cuts + 1,
            timeouts: cuts.charged.timeouts + u64::from(timeout),
            ..SenderStats::default()
        };
        cuts.after_sender(&stats, Numbers { una, next }, |cause| causes.push(cause));
        assert_eq!(causes.len(), 1);
        causes[0]
    }

    #[test]
    fn a_fast_retransmit_of_what_was_not_lost_is_reordering() {
        let mut cuts = Cuts::default();
        cuts.on_data_lost(&segment(2000, 1000, false), DropReason::Queue);
        assert_eq!(charged(&mut cuts, false, 1000, 1000), CutCause::Other(OtherCause::Reordering));
        assert_eq!(charged(&mut cuts, false, 2000, 2000), CutCause::Lost(DropReason::Queue));
    }

    #[test]
    fn the_last_loss_of_a_segment_counts() {
        let mut cuts = Cuts::default();
        cuts.on_data_lost(&segment(1, 1000, false), DropReason::Queue);
        assert_eq!(charged(&mut cuts, false, 1, 1), CutCause::Lost(DropReason::Queue));
        cuts.on_data_lost(&segment(1, 1000, true), DropReason::RetryChannel);
        assert_eq!(charged(&mut cuts, true, 1, 1), CutCause::Lost(DropReason::RetryChannel));
        cuts.on_ack_lost(&Segment { ack: 1001, ..Segment::default() });
        assert_eq!(charged(&mut cuts, true, 1, 1001), CutCause::Other(OtherCause::AckLoss));
        assert_eq!(
            charged(&mut cuts, true, 1001, 2001),
            CutCause::Other(OtherCause::SpuriousTimeout)
        );
    }

    #[test]
    fn a_loss_that_a_probe_repaired_is_found_behind_the_acknowledgement() {
        let mut cuts = Cuts::default();
        cuts.on_data_lost(&segment(1, 1000, false), DropReason::WireLoss);
        assert_eq!(charged(&mut cuts, false, 2001, 2001), CutCause::Lost(DropReason::WireLoss));
    }

    #[test]
    fn no_more_is_kept_than_what_is_outstanding() {
        let mut cuts = Cuts::default();
        for i in 0..100_000_u64 {
            cuts.on_data_lost(&segment(i * 1000, 1000, false), DropReason::Queue);
            cuts.una = (i * 1000).saturating_sub(100_000);
        }
        assert!(cuts.lost.room() <= 512, "{}", cuts.lost.room());
    }

    #[test]
    fn marks_and_timeouts_of_one_turn_are_told_apart() {
        let mut cuts = Cuts::default();
        cuts.on_data_lost(&segment(1, 1000, false), DropReason::Queue);
        let stats = SenderStats { window_cuts: 2, marks: 1, ..SenderStats::default() };
        let mut causes = vec![];
        cuts.after_sender(&stats, Numbers { una: 1, next: 1 }, |cause| causes.push(cause));
        assert_eq!(
            causes,
            [CutCause::Other(OtherCause::EcnMark), CutCause::Lost(DropReason::Queue)]
        );
    }
}
