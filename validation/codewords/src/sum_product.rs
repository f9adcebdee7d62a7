//! The decoder of simulated links: sum-product, all checks at once (Gallager 1962). ns-3's tables come from one with 12
//! iterations; few receivers have it.

use crate::code::{Block, Code};
use crate::decoder::Decode;
use libm::{exp, log1p};

/// Steps of the correction in a unit, and how far it matters.
const PER_UNIT: f32 = 64.0;
const FARTHEST: usize = 640;

/// Sum-product with a flooding schedule.
#[derive(Clone, Debug)]
pub struct SumProduct {
    code: Code,
    iterations: usize,
    /// By check: its bits.
    checks: Vec<Vec<usize>>,
    /// By check: what it last said to each of its bits.
    messages: Vec<Vec<f32>>,
    /// ln(1 + exp(-x)) by x.
    correction: Vec<f32>,
}

impl SumProduct {
    /// For a code, with a number of iterations.
    pub fn new(code: &Code, iterations: usize) -> SumProduct {
        let bits = |row: usize, of: usize| {
            let blocks = code.rows[row].iter();
            let bit = |block: &Block| block.column * code.size + (of + block.shift) % code.size;
            blocks.map(bit).collect()
        };
        let rows = 0..code.rows.len();
        let checks: Vec<Vec<usize>> = rows
            .flat_map(|row| (0..code.size).map(move |of| (row, of)))
            .map(|(row, of)| bits(row, of))
            .collect();
        let messages = checks.iter().map(|bits| vec![0.0; bits.len()]).collect();
        let at = |step: usize| log1p(exp(-(step as f64 + 0.5) / f64::from(PER_UNIT))) as f32;
        let correction = (0..FARTHEST).map(at).collect();
        SumProduct { code: code.clone(), iterations, checks, messages, correction }
    }

    /// What two bits tell of their sum.
    fn both(&self, one: f32, other: f32) -> f32 {
        let correct = |x: f32| self.correction.get((x.abs() * PER_UNIT) as usize).unwrap_or(&0.0);
        let least = one.abs().min(other.abs()).copysign(one * other);
        least + correct(one + other) - correct(one - other)
    }
}

impl Decode for SumProduct {
    fn decode(&mut self, known: &[f32]) -> Vec<u8> {
        let word = |beliefs: &[f32]| -> Vec<u8> {
            beliefs.iter().map(|&belief| u8::from(belief < 0.0)).collect()
        };
        let mut beliefs = known.to_vec();
        self.messages.iter_mut().flatten().for_each(|message| *message = 0.0);
        let mut after = Vec::new();
        for _ in 0..self.iterations {
            if self.code.holds(&word(&beliefs)) {
                break;
            }
            let mut next = known.to_vec();
            for check in 0..self.checks.len() {
                let bits = &self.checks[check];
                let others = bits.iter().zip(&self.messages[check]);
                let others: Vec<f32> =
                    others.map(|(&bit, message)| beliefs[bit] - message).collect();
                // Those behind each, from the last on.
                after.clear();
                after.push(f32::INFINITY);
                for &other in others.iter().skip(1).rev() {
                    let so_far = *after.last().unwrap_or(&f32::INFINITY);
                    after.push(if so_far.is_infinite() { other } else { self.both(so_far, other) });
                }
                let mut before = f32::INFINITY;
                for (i, &other) in others.iter().enumerate() {
                    let behind = after[others.len() - 1 - i];
                    let message = match (before.is_infinite(), behind.is_infinite()) {
                        (true, _) => behind,
                        (_, true) => before,
                        _ => self.both(before, behind),
                    };
                    self.messages[check][i] = message;
                    next[self.checks[check][i]] += message;
                    before = if before.is_infinite() { other } else { self.both(before, other) };
                }
            }
            beliefs = next;
        }
        word(&beliefs)
    }
}
