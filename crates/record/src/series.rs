//! A time series: changes, or the last value of each step.

use base::{Span, Time};

/// Rows of (time, owner, value): the last value in each step, where it differs from that of the row before.
#[derive(Clone, Debug)]
pub struct Series<T> {
    step: u64,
    rows: Vec<(Time, u32, T)>,
    /// By owner.
    heads: Vec<Head<T>>,
}

/// The end of an owner's series.
#[derive(Clone, Copy, Debug)]
struct Head<T> {
    /// Value of the present step, and its time.
    open: Option<(Time, T)>,
    /// The value of the last row.
    last: Option<T>,
}

impl<T: Copy + PartialEq> Series<T> {
    pub fn new(owners: usize, step: Option<Span>) -> Series<T> {
        let step = step.map_or(1, |step| step.0.max(1));
        Series { step, rows: Vec::new(), heads: vec![Head { open: None, last: None }; owners] }
    }

    pub fn note(&mut self, now: Time, owner: u32, value: T) {
        let Head { open, last } = &mut self.heads[owner as usize];
        if open.map(|open| open.1).or(*last) == Some(value) {
            return;
        }
        let over = open.filter(|(then, _)| then.0 / self.step != now.0 / self.step);
        if let Some((then, before)) = over.filter(|over| Some(over.1) != *last) {
            self.rows.push((then, owner, before));
            *last = Some(before);
        }
        *open = Some((now, value));
    }

    pub fn finish(mut self) -> Vec<(Time, u32, T)> {
        for (owner, Head { open, last }) in self.heads.into_iter().enumerate() {
            if let Some((then, value)) = open.filter(|open| last != Some(open.1)) {
                self.rows.push((then, owner as u32, value));
            }
        }
        self.rows.sort_by_key(|row| (row.0, row.1));
        self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_keeps_changes_only() {
        let mut series = Series::new(2, None);
        for (at, owner, value) in [(0, 0, 5), (1, 0, 5), (2, 1, 7), (3, 0, 6), (3, 0, 8), (9, 0, 8)]
        {
            series.note(Time(at), owner, value);
        }
        assert_eq!(series.finish(), [(Time(0), 0, 5), (Time(2), 1, 7), (Time(3), 0, 8)]);
    }

    #[test]
    fn a_step_gives_its_last_value() {
        let mut series = Series::new(1, Some(Span(10)));
        for (at, value) in [(1, 1), (2, 2), (9, 3), (10, 4), (35, 5), (36, 4), (41, 9)] {
            series.note(Time(at), 0, value);
        }
        let rows = series.finish();
        assert_eq!(rows, [(Time(9), 0, 3), (Time(10), 0, 4), (Time(41), 0, 9)]);
    }
}
