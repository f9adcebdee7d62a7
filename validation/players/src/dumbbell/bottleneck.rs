//! The bottleneck of a path: a queue or a policer, with its marks, its losses and its acknowledgements'
//! delay.

/// The bottleneck.
#[derive(Clone, Debug)]
pub struct Bottleneck {
    /// Segments a second.
    pub rate: f64,
    /// Segments that may wait or be served.
    pub buffer: f64,
    /// Segments in the queue from which arrivals are marked.
    pub mark_above: f64,
    /// Every this many segments of a flow one is lost; 0: none. The first at half of it.
    pub lose_every: u64,
    /// Probability that a segment is lost, by the link's own generator.
    pub loss_rate: f64,
    /// Tokens that a policer's bucket holds: excess is dropped, nothing waits. `None`: a queue.
    pub policer: Option<f64>,
    /// Acknowledgements leave the receiver's side at multiples of this, s; 0: at once.
    pub aggregate: f64,
    free_at: f64,
    tokens: (f64, f64),
    draws: u64,
}

impl Bottleneck {
    /// A first-in first-out queue.
    pub fn new(rate: f64, buffer: f64) -> Bottleneck {
        Bottleneck {
            rate,
            buffer,
            mark_above: f64::INFINITY,
            lose_every: 0,
            loss_rate: 0.0,
            draws: 1,
            policer: None,
            aggregate: 0.0,
            free_at: 0.0,
            tokens: (0.0, f64::INFINITY),
        }
    }

    /// Segments waiting or served.
    pub fn queue(&self, now: f64) -> f64 {
        ((self.free_at - now) * self.rate).max(0.0)
    }

    /// Returns the departure of a segment that comes now, and whether it is marked; `None`: it is dropped.
    pub(super) fn offer(&mut self, now: f64, number: u64) -> Option<(f64, bool)> {
        if self.lose_every > 0 && number % self.lose_every == self.lose_every / 2 {
            return None;
        }
        if self.loss_rate > 0.0 && self.draw() < self.loss_rate {
            return None;
        }
        if let Some(depth) = self.policer {
            let (then, tokens) = self.tokens;
            let tokens = (tokens + (now - then) * self.rate).min(depth);
            self.tokens = (now, tokens - if tokens >= 1.0 { 1.0 } else { 0.0 });
            return (tokens >= 1.0).then_some((now, false));
        }
        let queue = self.queue(now);
        // A millionth: the queue is a difference of times.
        if queue > self.buffer - 1.0 + 1e-6 {
            return None;
        }
        self.free_at = self.free_at.max(now) + 1.0 / self.rate;
        Some((self.free_at, queue >= self.mark_above))
    }

    /// A number in [0, 1): SplitMix64.
    fn draw(&mut self) -> f64 {
        self.draws = self.draws.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.draws;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns the departure of an acknowledgement that is ready at a time.
    pub(super) fn leaves(&self, at: f64) -> f64 {
        if self.aggregate > 0.0 { libm::ceil(at / self.aggregate) * self.aggregate } else { at }
    }
}
