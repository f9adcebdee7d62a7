//! Inputs of laws in the checks, drawn from a fixed seed.

use base::{Purpose, Rng, Seed, Span};
use transport::tcp::SsthreshBase;
use transport::tcp::law::Loss;

/// One call of a law.
#[derive(Clone, Copy, Debug)]
pub enum Input {
    /// An acknowledgement.
    Ack {
        /// Newly acknowledged, segments.
        acked: f64,
        /// The measured round-trip time, if any.
        rtt: Option<Span>,
        /// The window did not bind.
        app_limited: bool,
        /// A recovery goes on.
        in_recovery: bool,
        /// A round ended.
        round_ended: bool,
        /// It echoes a mark.
        ece: bool,
        /// Newly lost, segments.
        lost: f64,
    },
    /// A loss or a mark.
    Loss(Loss),
    /// A recovery ended.
    Recovered,
    /// The sender idled.
    Idle,
}

/// A connection's calls.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// The rounding of thresholds.
    pub base: SsthreshBase,
    /// The first window, segments.
    pub initial_window: u32,
    /// The calls, in order.
    pub inputs: Vec<Input>,
}

const BASES: [SsthreshBase; 3] =
    [SsthreshBase::FlightSize, SsthreshBase::Window, SsthreshBase::WholeWindow];

impl Sequence {
    /// The sequence of that number.
    pub fn draw(number: u64) -> Sequence {
        let mut rng = Seed { seed: 0, replication: 0 }.stream(Purpose::App, number);
        // Every pair of these is among nine neighbours.
        let base = BASES[number as usize % 3];
        let initial_window = [1, 10, 100_000][number as usize / 3 % 3];
        let length = 1 + rng.below(400);
        Sequence { base, initial_window, inputs: (0..length).map(|_| input(&mut rng)).collect() }
    }

    /// A first window of 10, and no calls.
    pub fn plain() -> Sequence {
        Sequence { base: BASES[0], initial_window: 10, inputs: Vec::new() }
    }
}

/// One of 45 is something else than an acknowledgement, nine times more often than in most recoveries.
fn input(rng: &mut Rng) -> Input {
    match rng.below(45) {
        0 => Input::Loss(Loss::DupAcks),
        1 => Input::Loss(Loss::Timeout),
        2 => Input::Loss(Loss::EcnMark),
        3 => Input::Recovered,
        4 => Input::Idle,
        _ => ack(rng),
    }
}

fn ack(rng: &mut Rng) -> Input {
    let between = |rng: &mut Rng, from: f64, to: f64| from + (to - from) * rng.unit();
    // From 0.1 ms to 10 s; one in ten measures nothing (Karn).
    let (from, to) = [(1e-4, 1e-3), (1e-3, 0.3), (0.3, 10.0)][rng.below(3) as usize];
    let rtt = Span::from_secs(between(rng, from, to));
    Input::Ack {
        acked: between(rng, 0.01, 4.0),
        rtt: (!rng.chance(0.1)).then_some(rtt),
        app_limited: rng.chance(0.5),
        in_recovery: rng.chance(0.5),
        round_ended: rng.chance(0.5),
        ece: rng.chance(0.5),
        lost: if rng.chance(0.1) { f64::from(1 + rng.below(4)) } else { 0.0 },
    }
}
