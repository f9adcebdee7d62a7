//! Columns of probes on one grid of times.

use crate::order::sorted;

/// Times of events are whole nanoseconds: half of one settles which of two equal times comes first.
const HALF: f64 = 5e-10;

/// The part of a step that an end may be early: ends are whole nanoseconds, and come a little earlier each.
const EARLY: f64 = 1e-3;

/// The last value up to each time; NaN before the first.
pub fn held(at: &[f64], values: &[f64], times: &[f64]) -> Vec<f64> {
    let (mut next, mut last) = (0, f64::NAN);
    let each = times.iter().map(|time| {
        while next < at.len() && at[next] <= time + HALF {
            last = values[next];
            next += 1;
        }
        last
    });
    each.collect()
}

/// The value of the step that each time is in, by the ends of steps; NaN where there is none.
pub fn within(ends: &[f64], values: &[f64], times: &[f64], step: f64) -> Vec<f64> {
    let mut next = 0;
    let each = times.iter().map(|time| {
        let before = time - EARLY * step;
        while next < ends.len() && ends[next] < before {
            next += 1;
        }
        if next < ends.len() && before > ends[next] - step { values[next] } else { f64::NAN }
    });
    each.collect()
}

/// The mean over the last steps, of those that there are.
pub fn smoothed(values: &[f64], over: usize) -> Vec<f64> {
    let (mut sum, mut count) = (vec![0.0], vec![0u32]);
    for (at, value) in values.iter().enumerate() {
        sum.push(sum[at] + if value.is_nan() { 0.0 } else { *value });
        count.push(count[at] + u32::from(!value.is_nan()));
    }
    let each = values.iter().enumerate().map(|(at, value)| {
        let (first, end) = ((at + 1).saturating_sub(over), at + 1);
        let mean = (sum[end] - sum[first]) / f64::from(count[end] - count[first]);
        if value.is_nan() { f64::NAN } else { mean }
    });
    each.collect()
}

/// The mean over rows of what is known at each place; NaN where nothing is.
pub fn mean(rows: &[Vec<f64>]) -> Vec<f64> {
    let length = rows.first().map_or(0, Vec::len);
    let at = |place: usize| rows.iter().map(move |row| row[place]).filter(|value| !value.is_nan());
    (0..length).map(|place| at(place).sum::<f64>() / at(place).count() as f64).collect()
}

/// The length of steps by their ends, s: the median, since the last may be shorter; `default` where there are no two.
pub fn step_of(ends: &[f64], default: f64) -> f64 {
    let mut ends = sorted(ends);
    ends.dedup();
    let gaps: Vec<f64> = ends.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let gaps = sorted(&gaps);
    match gaps.len() {
        0 => default,
        count => (gaps[(count - 1) / 2] + gaps[count / 2]) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_held_until_the_next() {
        let held = held(&[1.0, 2.0], &[5.0, 6.0], &[0.0, 1.0, 1.5, 2.0, 9.0]);
        assert!(held[0].is_nan());
        assert_eq!(held[1..], [5.0, 5.0, 6.0, 6.0]);
    }

    #[test]
    fn a_step_ends_at_its_end() {
        let found = within(&[1.0, 3.0], &[5.0, 6.0], &[0.0, 0.5, 1.0, 1.5, 2.5, 3.0], 1.0);
        let known: Vec<f64> = found.iter().copied().filter(|value| !value.is_nan()).collect();
        assert_eq!(known, [5.0, 5.0, 6.0, 6.0]);
        assert!(found[0].is_nan() && found[3].is_nan());
    }

    #[test]
    fn means_are_of_what_is_known() {
        assert_eq!(smoothed(&[2.0, 4.0, 6.0], 2), [2.0, 3.0, 5.0]);
        assert!(smoothed(&[f64::NAN, 4.0], 2)[0].is_nan());
        assert_eq!(mean(&[vec![1.0, 2.0], vec![f64::NAN, 4.0]]), [1.0, 3.0]);
        assert_eq!(step_of(&[3.0, 1.0, 2.0, 2.0, 3.2], 9.0), 1.0);
        assert_eq!(step_of(&[1.0], 9.0), 9.0);
    }
}
