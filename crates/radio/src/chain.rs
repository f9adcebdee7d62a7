//! Channels whose errors follow a Markov chain in continuous time (Gilbert 1960, Elliott 1963 with two states; any number:
//! Wang and Moayeri, IEEE Trans. Veh. Tech. 44(1), 1995).

use base::{Rng, Span, named, settings};

named! {
    /// Rule for applying a state that changes with time to a frame of some duration.
    pub enum Sampling, "way of sampling" {
        EachBit = "each_bit": "each bit meets the state of its own instant, which is exact",
        FrameStart = "frame_start": "the state at the frame's first instant holds for the whole frame (ns-2)",
    }
}

settings! {
    /// Habits of a channel with states.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ChannelRules {
        /// Whether each bit meets the state of its own instant, or the whole frame that of its first.
        sampling: Sampling = Sampling::EachBit, "sampling";
    }
}

/// A state of the channel.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Mean sojourn; sojourns are exponential.
    pub mean: Span,
    /// Bit error rate, 0 to 1 (1 excluded).
    pub ber: f64,
    /// Probability that a frame that begins in this state is lost whatever its bits.
    pub frame_loss: f64,
    /// By state: the probability that it follows; they sum to one, and a state does not follow itself.
    pub next: Vec<f64>,
}

/// The states and how they are applied to frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// The first is the good state; all others count as bad.
    pub states: Vec<State>,
    /// Rule for applying the state to a frame.
    pub sampling: Sampling,
}

impl Chain {
    /// The most states that a chain has: more are a fading process, which is not modelled by states.
    pub const MOST_STATES: usize = 32;

    /// Two states that alternate. `mean`, `ber` and `frame_loss` are of the good and of the bad state.
    pub fn gilbert_elliott(
        mean: [Span; 2],
        ber: [f64; 2],
        frame_loss: [f64; 2],
        sampling: Sampling,
    ) -> Chain {
        let state = |i: usize| State {
            mean: mean[i],
            ber: ber[i],
            frame_loss: frame_loss[i],
            next: vec![i as f64, 1.0 - i as f64],
        };
        Chain { states: vec![state(0), state(1)], sampling }
    }

    /// Share of time in each state, not divided by their sum.
    pub fn weights(&self) -> Vec<f64> {
        let visits = self.visits();
        visits.iter().zip(&self.states).map(|(n, state)| n * state.mean.as_secs()).collect()
    }

    /// Visits to each state for each visit to the first: Grassmann, Taksar and Heyman's elimination (Operations Research
    /// 33(5), 1985), which subtracts nothing and so loses no digits. A state that no path joins to the others gives numbers
    /// that are not finite.
    fn visits(&self) -> Vec<f64> {
        let mut p: Vec<Vec<f64>> = self.states.iter().map(|state| state.next.clone()).collect();
        for last in (1..p.len()).rev() {
            let leaves: f64 = p[last][..last].iter().sum();
            for i in 0..last {
                p[i][last] /= leaves;
                for j in 0..last {
                    p[i][j] += p[i][last] * p[last][j];
                }
            }
        }
        let mut visits = vec![1.0];
        for state in 1..p.len() {
            visits.push(visits.iter().zip(&p).map(|(visits, next)| visits * next[state]).sum());
        }
        visits
    }

    /// True where each state is reached from each other.
    pub fn is_joined(&self) -> bool {
        let reaches_all = |follows: &dyn Fn(usize, usize) -> bool| {
            let mut reached = vec![0];
            let mut at = 0;
            while let Some(&from) = reached.get(at) {
                let fresh = (0..self.states.len()).filter(|&to| follows(from, to));
                let fresh: Vec<_> = fresh.filter(|to| !reached.contains(to)).collect();
                reached.extend(fresh);
                at += 1;
            }
            reached.len() == self.states.len()
        };
        let p = |from: usize, to: usize| self.states[from].next[to] > 0.0;
        reaches_all(&p) && reaches_all(&|from, to| p(to, from))
    }

    /// Draws a state of the stationary distribution.
    pub fn draw(&self, rng: &mut Rng) -> usize {
        let weights = self.weights();
        pick(&weights, weights.iter().sum(), rng)
    }

    /// Draws the state that follows; a state that always has the same one after it draws nothing.
    pub fn draw_next(&self, state: usize, rng: &mut Rng) -> usize {
        let next = &self.states[state].next;
        match next.iter().position(|&p| p >= 1.0) {
            Some(only) => only,
            None => pick(next, next.iter().sum(), rng),
        }
    }
}

/// A number by weight, from the last to the first.
fn pick(weights: &[f64], sum: f64, rng: &mut Rng) -> usize {
    let draw = rng.unit();
    let mut below = 0.0;
    for (i, weight) in weights.iter().enumerate().skip(1).rev() {
        below += weight / sum;
        if draw < below {
            return i;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{Purpose, Seed};

    fn chain(next: &[&[f64]], means_ms: &[u64]) -> Chain {
        let state = |(next, ms): (&&[f64], &u64)| State {
            mean: Span::millis(*ms),
            ber: 0.0,
            frame_loss: 0.0,
            next: next.to_vec(),
        };
        let states = next.iter().zip(means_ms).map(state).collect();
        Chain { states, sampling: Sampling::EachBit }
    }

    /// Three states in a row: 1 is visited as often as 0 and 2 together (detailed balance).
    #[test]
    fn the_share_of_time_of_a_chain_is_its_stationary_one() {
        let row = chain(&[&[0.0, 1.0, 0.0], &[0.25, 0.0, 0.75], &[0.0, 1.0, 0.0]], &[10, 20, 30]);
        let weights = row.weights();
        for (got, expected) in weights.iter().zip([0.01, 4.0 * 0.02, 3.0 * 0.03]) {
            assert!((got / expected - 1.0).abs() < 1e-12, "{weights:?}");
        }
        let mut rng = Seed { seed: 1, replication: 0 }.stream(Purpose::ChannelState, 0);
        let drawn = (0..18_000).filter(|_| row.draw(&mut rng) == 2).count();
        assert!((8_700..9_300).contains(&drawn), "{drawn} of 18,000, a half expected");
        let followed = (0..10_000).filter(|_| row.draw_next(1, &mut rng) == 0).count();
        assert!((2_300..2_700).contains(&followed), "{followed} of 10,000, a quarter expected");
    }

    #[test]
    fn a_state_that_cannot_be_left_or_reached_is_noticed() {
        assert!(chain(&[&[0.0, 1.0], &[1.0, 0.0]], &[1, 1]).is_joined());
        let trap = chain(&[&[0.0, 0.5, 0.5], &[1.0, 0.0, 0.0], &[0.0, 0.0, 0.0]], &[1, 1, 1]);
        assert!(!trap.is_joined());
        let never = chain(&[&[0.0, 1.0, 0.0], &[1.0, 0.0, 0.0], &[1.0, 0.0, 0.0]], &[1, 1, 1]);
        assert!(!never.is_joined());
    }
}
