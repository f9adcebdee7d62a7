//! Statistics that stream: no sample is kept.

use crate::Span;

/// Buckets for each power of two of nanoseconds: a relative width of 1/32, so a quantile is off by 3 % at most.
const PER_OCTAVE: usize = 1 << OCTAVE_BITS;
const OCTAVE_BITS: usize = 5;

/// Delays in logarithmic buckets: mean, minimum and maximum exact, quantiles to 3 %, and where the delays of a bucket
/// are spread over it much better. Only octaves between those that occur are kept.
#[derive(Clone, Debug, Default)]
pub struct DelayHistogram {
    counts: Vec<u32>,
    /// The bucket of the first count, which begins an octave.
    first: usize,
    n: u64,
    sum: u128,
    min: Span,
    max: Span,
}

impl DelayHistogram {
    /// Counts one delay.
    #[inline]
    pub fn record(&mut self, delay: Span) {
        let bucket = bucket(delay.0);
        match self.counts.get_mut(bucket.wrapping_sub(self.first)) {
            Some(count) => *count += 1,
            None => self.begin(bucket),
        }
        self.min = if self.n == 0 { delay } else { self.min.min(delay) };
        self.n += 1;
        self.sum += u128::from(delay.0);
        self.max = self.max.max(delay);
    }

    /// Counts the first delay of an octave that is not kept yet.
    #[cold]
    fn begin(&mut self, bucket: usize) {
        let octave = bucket / PER_OCTAVE * PER_OCTAVE;
        if self.counts.is_empty() {
            self.first = octave;
        }
        let before = self.first.saturating_sub(octave);
        let len = (octave + PER_OCTAVE).max(self.first + self.counts.len()) - self.first + before;
        let mut counts = vec![0; len];
        counts[before..before + self.counts.len()].copy_from_slice(&self.counts);
        (self.counts, self.first) = (counts, self.first - before);
        self.counts[bucket - self.first] += 1;
    }

    /// Returns the number of delays that were counted.
    pub fn count(&self) -> u64 {
        self.n
    }

    /// The largest delay; zero where none was counted.
    pub fn max(&self) -> Span {
        self.max
    }

    /// The exact mean in seconds, or `None` where nothing was counted.
    pub fn mean_s(&self) -> Option<f64> {
        (self.n > 0).then(|| self.sum as f64 / self.n as f64 * 1e-9)
    }

    /// The `q`-quantile in seconds (nearest rank), or `None` where nothing was counted. The delays of a bucket count
    /// as spread evenly over it, as far as the extremes let them: with all in its middle, what is measured of several
    /// runs would be one value, without an interval.
    pub fn quantile_s(&self, q: f64) -> Option<f64> {
        let rank = ((q * self.n as f64).ceil() as u64).max(1);
        let mut before = 0;
        for (index, &count) in (self.first..).zip(&self.counts) {
            let count = u64::from(count);
            if before + count >= rank {
                let (least, most) = (self.min.0 as f64, self.max.0 as f64);
                let from = (lower(index) as f64).max(least);
                let to = (lower(index + 1) as f64).min(most);
                let part = ((rank - before) as f64 - 0.5) / count as f64;
                return Some((from + part * (to - from)).clamp(least, most) * 1e-9);
            }
            before += count;
        }
        None
    }
}

/// Values below 32 ns have a bucket each; above, 32 buckets share an octave.
fn bucket(ns: u64) -> usize {
    if ns < PER_OCTAVE as u64 {
        return ns as usize;
    }
    let octave = 63 - ns.leading_zeros() as usize;
    let within = (ns >> (octave - OCTAVE_BITS)) as usize - PER_OCTAVE;
    (octave - OCTAVE_BITS + 1) * PER_OCTAVE + within
}

/// The smallest value of a bucket.
fn lower(index: usize) -> u64 {
    let (octave, within) = (index / PER_OCTAVE, (index % PER_OCTAVE) as u64);
    match octave {
        0 => within,
        _ if octave > 64 - OCTAVE_BITS => u64::MAX,
        _ => (PER_OCTAVE as u64 + within) << (octave - 1),
    }
}

/// Jain's index of fairness, (sum x)^2 / (n sum x^2): 1 when all are equal, 1/n when one has all.
/// `None` for no values or all zero.
pub fn jain_index(shares: &[f64]) -> Option<f64> {
    let sum: f64 = shares.iter().sum();
    let squares: f64 = shares.iter().map(|x| x * x).sum();
    (squares > 0.0).then(|| sum * sum / (shares.len() as f64 * squares))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_lies_in_its_bucket() {
        for ns in (0..2000).chain([1 << 20, 123_456_789, 9_876_543_210, 1 << 50]) {
            let b = bucket(ns);
            assert!(lower(b) <= ns && ns < lower(b + 1), "{ns} in {b}");
        }
    }

    #[test]
    fn quantiles_are_within_three_per_cent() {
        let mut h = DelayHistogram::default();
        for us in 1..=10_000 {
            h.record(Span::micros(us));
        }
        assert_eq!(h.count(), 10_000);
        assert!((h.mean_s().unwrap() - 5.0005e-3).abs() < 1e-12);
        for (q, expected) in [(0.5, 5e-3), (0.95, 9.5e-3), (0.99, 9.9e-3)] {
            let got = h.quantile_s(q).unwrap();
            // Delays that are spread evenly are found to a hundredth of a bucket's width.
            assert!((got / expected - 1.0).abs() < 3e-4, "q {q}: {got}");
        }
        assert_eq!(h.max(), Span::millis(10));
        assert_eq!(DelayHistogram::default().quantile_s(0.5), None);
    }

    #[test]
    fn quantiles_of_equal_delays_are_their_mean() {
        let mut h = DelayHistogram::default();
        for _ in 0..3 {
            h.record(Span(lower(bucket(125_400_000) + 1) - 1)); // above the middle of its bucket
            assert_eq!(h.quantile_s(0.5), h.mean_s());
            assert_eq!(h.quantile_s(0.95), h.mean_s());
        }
    }

    #[test]
    fn delays_of_one_value_are_within_three_per_cent_wherever_it_lies_in_its_bucket() {
        for ns in 100_000_000..100_000_000 + PER_OCTAVE as u64 {
            let ns = ns + (ns - 100_000_000) * 200_000;
            let mut h = DelayHistogram::default();
            h.record(Span(1));
            h.record(Span(1 << 40));
            (0..100).for_each(|_| h.record(Span(ns)));
            for q in [0.05, 0.5, 0.95] {
                let got = h.quantile_s(q).unwrap() * 1e9;
                assert!((got / ns as f64 - 1.0).abs() < 1.0 / PER_OCTAVE as f64, "{ns}: {got}");
            }
        }
    }

    /// Octaves that come in any order, before and behind those that are there.
    #[test]
    fn what_is_kept_does_not_depend_on_the_order() {
        let delays = [1 << 20, 5, 1 << 40, 300, (1 << 40) + 1, 1 << 10, 1 << 58, 0];
        let quantiles = |delays: &mut dyn Iterator<Item = &u64>| {
            let mut h = DelayHistogram::default();
            delays.for_each(|&ns| h.record(Span(ns)));
            (1..=16).map(|i| h.quantile_s(f64::from(i) / 16.0).unwrap()).collect::<Vec<_>>()
        };
        let found = quantiles(&mut delays.iter());
        assert_eq!(found, quantiles(&mut delays.iter().rev()));
        let mut sorted = delays;
        sorted.sort_unstable();
        assert_eq!(found, quantiles(&mut sorted.iter()));
        for (got, ns) in found.chunks(2).zip(sorted) {
            assert!((got[0] * 1e9 - ns as f64).abs() <= ns as f64 / 32.0 + 1.0, "{ns}: {got:?}");
        }
    }

    #[test]
    fn jain_of_equal_and_of_unequal_shares() {
        assert_eq!(jain_index(&[2.0, 2.0, 2.0]), Some(1.0));
        assert_eq!(jain_index(&[1.0, 0.0, 0.0, 0.0]), Some(0.25));
        assert_eq!(jain_index(&[0.0]), None);
    }
}
