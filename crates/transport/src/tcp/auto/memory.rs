//! A host's memory of its path to a peer, from connection to connection.

use super::quantity::{Measured, Quantity};
use base::{Span, Time};

/// Counts are halved beyond this many segments: shares are of the last one to two thousand.
const MOST_SEGMENTS: f64 = 2000.0;

/// Of fewer segments a share is not known.
const LEAST_SEGMENTS: f64 = 10.0;

/// A sender's measurements since its last report. Counts may be halves: whole numbers, rounded down at each halving,
/// would make few events fewer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct News {
    /// Smoothed round-trip time.
    pub srtt: Option<Span>,
    /// Mean deviation of the round-trip time.
    pub rttvar: Option<Span>,
    /// The smallest round-trip time.
    pub min_rtt: Option<Span>,
    /// Segments sent.
    pub sent: f64,
    /// Of those, sent again.
    pub resent: f64,
    /// Times that a repair of losses began, by duplicate acknowledgements, by SACK or by a timeout.
    pub repairs: f64,
    /// Losses that made the window smaller.
    pub cuts: f64,
    /// Of those, losses at which hardly any queue stood.
    pub queueless: f64,
    /// Segments whose marks came back; `None` without ECN.
    pub marked: Option<f64>,
    /// Retransmission timeouts.
    pub timeouts: f64,
    /// Payload acknowledged while a transfer went on, bit/s.
    pub rate: Option<f64>,
    /// The sums over transfers of ten segments or more that ended.
    pub transfers: Transfers,
    /// The reordering of the path, segments.
    pub reordering: Option<u64>,
}

/// Sums over transfers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Transfers {
    /// Their number.
    pub count: f64,
    /// Their durations, s.
    pub duration: f64,
    /// The smoothed round-trip times at their ends, s.
    pub srtt: f64,
}

impl Transfers {
    fn add(&mut self, later: &Transfers) {
        self.count += later.count;
        self.duration += later.duration;
        self.srtt += later.srtt;
    }

    /// The mean of the round-trip times over the smallest, s; `None` before the first transfer.
    fn queueing_delay(&self, min_rtt: Option<Span>) -> Option<f64> {
        let min_rtt = min_rtt.filter(|_| self.count > 0.0)?;
        Some((self.srtt / self.count - min_rtt.as_secs()).max(0.0))
    }

    /// The mean duration in smallest round-trip times.
    fn rounds(&self, min_rtt: Option<Span>) -> Option<f64> {
        let min_rtt = min_rtt.filter(|min| self.count > 0.0 && min.0 > 0)?;
        Some(self.duration / self.count / min_rtt.as_secs())
    }
}

impl News {
    /// Takes in what was measured after it.
    pub(super) fn add(&mut self, later: &News) {
        let mut transfers = self.transfers;
        transfers.add(&later.transfers);
        *self = News {
            srtt: later.srtt.or(self.srtt),
            rttvar: later.rttvar.or(self.rttvar),
            min_rtt: self.min_rtt.into_iter().chain(later.min_rtt).min(),
            sent: self.sent + later.sent,
            resent: self.resent + later.resent,
            repairs: self.repairs + later.repairs,
            cuts: self.cuts + later.cuts,
            queueless: self.queueless + later.queueless,
            marked: later.marked.map(|marked| marked + self.marked.unwrap_or(0.0)).or(self.marked),
            timeouts: self.timeouts + later.timeouts,
            rate: later.rate.or(self.rate),
            transfers,
            reordering: self.reordering.max(later.reordering),
        };
    }

    /// Lets what was counted so far weigh half.
    fn halve(&mut self) {
        let News { sent, resent, repairs, timeouts, cuts, queueless, .. } = self;
        let Transfers { count, duration, srtt } = &mut self.transfers;
        for sum in [sent, resent, repairs, timeouts, cuts, queueless, count, duration, srtt] {
            *sum /= 2.0;
        }
        self.marked = self.marked.map(|marked| marked / 2.0);
    }
}

/// A path as it was measured lately.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PathMemory {
    latest: News,
    /// The time of the last measurement; `None`: never.
    at: Option<Time>,
}

impl PathMemory {
    /// Takes in what was measured up to `now`. What is older than `forget_after` makes room.
    pub fn merge(&mut self, now: Time, news: &News, forget_after: Span) {
        if self.is_stale(now, forget_after) {
            *self = PathMemory::default();
        }
        let mut sums = self.latest;
        sums.add(news);
        while sums.sent > MOST_SEGMENTS {
            sums.halve();
        }
        (self.latest, self.at) = (sums, Some(now));
    }

    /// Returns the knowledge at `now`; `srtt` and `min_rtt` are the connection's own, where it has some.
    pub fn measured(
        &self,
        now: Time,
        (srtt, min_rtt): (Option<Span>, Option<Span>),
        forget_after: Span,
    ) -> Measured {
        let stale = self.is_stale(now, forget_after);
        let PathMemory { latest, at } = if stale { PathMemory::default() } else { *self };
        let rtt = srtt.or(latest.srtt);
        let min_rtt = latest.min_rtt.into_iter().chain(min_rtt).min();
        let of_sent = |count: f64| (latest.sent >= LEAST_SEGMENTS).then(|| count / latest.sent);
        let of = |part: f64, whole: f64| (whole > 0.0).then(|| part / whole);
        let mut measured = Measured::default();
        for &quantity in Quantity::ALL {
            let value = match quantity {
                Quantity::Rtt => rtt.map(Span::as_secs),
                Quantity::MinRtt => min_rtt.map(Span::as_secs),
                // Under load, as the last transfers left it: of a first connection, whose handshake met an empty queue, it is
                // not known.
                Quantity::DelayInflation => {
                    let loaded = latest.srtt.zip(min_rtt);
                    loaded.map(|(rtt, min)| rtt.0 as f64 / min.0.max(1) as f64)
                }
                // Of a transfer too: the deviation after a handshake is half its only sample.
                Quantity::RttSpread => {
                    let loaded = latest.rttvar.zip(latest.srtt);
                    loaded.map(|(var, rtt)| var.0 as f64 / rtt.0.max(1) as f64)
                }
                Quantity::QueueingDelay => latest.transfers.queueing_delay(min_rtt),
                Quantity::Loss => of_sent(latest.resent),
                Quantity::LossBurst => of(latest.resent, latest.repairs),
                Quantity::QueuelessLoss => of(latest.queueless, latest.cuts),
                Quantity::Marked => latest.marked.and_then(of_sent),
                Quantity::Timeouts => of_sent(latest.timeouts),
                Quantity::Rate => latest.rate,
                Quantity::Rounds => latest.transfers.rounds(min_rtt),
                Quantity::Reordering => latest.reordering.map(|segments| segments as f64),
                Quantity::Segments => at.map(|_| latest.sent),
                Quantity::Age => at.map(|at| now.since(at).as_secs()),
            };
            measured.set(quantity, value);
        }
        measured
    }

    fn is_stale(&self, now: Time, forget_after: Span) -> bool {
        self.at.is_none_or(|at| now.since(at) > forget_after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Span = Span::secs(3600);

    #[test]
    fn a_path_is_remembered_and_forgotten() {
        let mut memory = PathMemory::default();
        let unknown = memory.measured(Time::ZERO, (None, None), HOUR);
        assert!(Quantity::ALL.iter().all(|&quantity| unknown.get(quantity).is_none()));
        let news = News {
            srtt: Some(Span::millis(30)),
            min_rtt: Some(Span::millis(20)),
            sent: 1900.0,
            resent: 38.0,
            ..News::default()
        };
        memory.merge(Time::ZERO, &news, HOUR);
        let later = Time::ZERO + Span::secs(5);
        let measured = memory.measured(later, (None, None), HOUR);
        assert_eq!(measured.get(Quantity::Loss), Some(0.02));
        assert_eq!(measured.get(Quantity::DelayInflation), Some(1.5));
        assert_eq!(measured.get(Quantity::Age), Some(5.0));
        // The connection's own round trip is newer.
        let own = memory.measured(later, (Some(Span::millis(40)), Some(Span::millis(40))), HOUR);
        assert_eq!(own.get(Quantity::Rtt), Some(0.04));
        assert_eq!(own.get(Quantity::DelayInflation), Some(1.5));
        // Old losses count less and less.
        memory.merge(later, &News { sent: 400.0, ..News::default() }, HOUR);
        let measured = memory.measured(later, (None, None), HOUR);
        assert_eq!(measured.get(Quantity::Segments), Some(1150.0));
        assert_eq!(measured.get(Quantity::Loss), Some(19.0 / 1150.0));
        let unknown = memory.measured(later + HOUR + Span::secs(1), (None, None), HOUR);
        assert_eq!(unknown.get(Quantity::Loss), None);
    }

    #[test]
    fn a_share_of_a_few_segments_is_not_known() {
        let mut memory = PathMemory::default();
        memory.merge(Time::ZERO, &News { sent: 9.0, resent: 3.0, ..News::default() }, HOUR);
        let measured = memory.measured(Time::ZERO, (None, None), HOUR);
        assert_eq!(measured.get(Quantity::Loss), None);
        assert_eq!(measured.get(Quantity::Segments), Some(9.0));
    }

    #[test]
    fn spread_bursts_and_marks_are_ratios_of_what_was_counted() {
        let mut memory = PathMemory::default();
        let news = News {
            srtt: Some(Span::millis(40)),
            rttvar: Some(Span::millis(10)),
            sent: 1500.0,
            resent: 15.0,
            repairs: 5.0,
            marked: Some(30.0),
            ..News::default()
        };
        memory.merge(Time::ZERO, &news, HOUR);
        // A handshake of 80 ms says nothing of the spread.
        let own = (Some(Span::millis(80)), Some(Span::millis(80)));
        let first = PathMemory::default().measured(Time::ZERO, own, HOUR);
        assert_eq!(first.get(Quantity::DelayInflation), None);
        let measured = memory.measured(Time::ZERO, own, HOUR);
        assert_eq!(measured.get(Quantity::RttSpread), Some(0.25));
        assert_eq!(measured.get(Quantity::LossBurst), Some(3.0));
        assert_eq!(measured.get(Quantity::Marked), Some(0.02));
        // Beyond 2,000 segments all counts are halved together, to halves of a segment: the bursts stay, marks are 45 of
        // 1,500.
        memory.merge(
            Time::ZERO,
            &News { sent: 1500.0, marked: Some(60.0), ..News::default() },
            HOUR,
        );
        let measured = memory.measured(Time::ZERO, own, HOUR);
        assert_eq!(measured.get(Quantity::LossBurst), Some(3.0));
        assert_eq!(measured.get(Quantity::Marked), Some(0.03));
    }

    #[test]
    fn transfers_and_losses_without_a_queue_are_averages() {
        let mut memory = PathMemory::default();
        let transfers = Transfers { count: 2.0, duration: 1.2, srtt: 0.1 };
        let min_rtt = Some(Span::millis(20));
        let news =
            News { min_rtt, sent: 1500.0, cuts: 8.0, queueless: 2.0, transfers, ..News::default() };
        memory.merge(Time::ZERO, &news, HOUR);
        let measured = memory.measured(Time::ZERO, (None, None), HOUR);
        let near = |quantity, expected: f64| {
            let value: f64 = measured.get(quantity).expect("a value");
            assert!((value - expected).abs() < 1e-12, "{value}");
        };
        near(Quantity::QueueingDelay, 0.03);
        near(Quantity::Rounds, 30.0);
        near(Quantity::QueuelessLoss, 0.25);
        // Counts are halved beyond 2,000 segments: the two transfers weigh as one, which lasted 0.6 s.
        let transfers = Transfers { count: 1.0, duration: 1.8, srtt: 0.05 };
        memory.merge(Time::ZERO, &News { sent: 1500.0, transfers, ..News::default() }, HOUR);
        let measured = memory.measured(Time::ZERO, (None, None), HOUR);
        assert_eq!(measured.get(Quantity::Rounds), Some(50.0));
        assert_eq!(measured.get(Quantity::QueuelessLoss), Some(0.25));
    }

    #[test]
    fn without_losses_or_marks_there_is_no_burst_and_no_share_of_marks() {
        let mut memory = PathMemory::default();
        memory.merge(Time::ZERO, &News { sent: 100.0, ..News::default() }, HOUR);
        let measured = memory.measured(Time::ZERO, (None, None), HOUR);
        assert_eq!(measured.get(Quantity::LossBurst), None);
        assert_eq!(measured.get(Quantity::Marked), None);
        memory.merge(Time::ZERO, &News { marked: Some(0.0), ..News::default() }, HOUR);
        let measured = memory.measured(Time::ZERO, (None, None), HOUR);
        assert_eq!(measured.get(Quantity::Marked), Some(0.0));
    }
}
