//! The least of the last few values.

/// A ring of the least delays, s.
#[derive(Clone, Copy, Debug)]
pub struct Least<const N: usize> {
    values: [f64; N],
    next: usize,
    len: usize,
}

impl<const N: usize> Least<N> {
    /// A ring of `len` places, at most N, all infinite.
    pub fn new(len: f64) -> Least<N> {
        Least { values: [f64::INFINITY; N], next: 0, len: (len as usize).clamp(1, N) }
    }

    /// The newest value, in the place of the oldest.
    pub fn push(&mut self, value: f64) {
        self.values[self.next] = value;
        self.next = (self.next + 1) % self.len;
    }

    /// Lowers the newest value.
    pub fn lower(&mut self, value: f64) {
        let newest = (self.next + self.len - 1) % self.len;
        self.values[newest] = self.values[newest].min(value);
    }

    /// The least of all.
    pub fn least(&self) -> f64 {
        self.values[..self.len].iter().copied().fold(f64::INFINITY, f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_value_is_forgotten_first() {
        let mut ring = Least::<8>::new(2.0);
        assert_eq!(ring.least(), f64::INFINITY);
        ring.push(1.0);
        ring.push(3.0);
        ring.lower(2.0);
        assert_eq!(ring.least(), 1.0);
        ring.push(4.0);
        assert_eq!(ring.least(), 2.0);
    }
}
