//! The decoder of a receiver: layered normalised min-sum (Chen and Fossorier 2002; Hocevar 2004), a row of blocks after the
//! other. It is indifferent to the scale of what it is told.

use crate::code::Code;

/// Rounds over all checks, as in receivers, which decode 1944 bits in a few microseconds.
pub const ITERATIONS: usize = 12;

/// By how much the least of several magnitudes is taken for less than it is.
const NORMALISED: f32 = 0.75;

/// The sign of a number.
const SIGN: u32 = 1 << 31;

/// Makes words of what is known of their bits.
pub trait Decode {
    /// Decodes a word by the logarithm of how much likelier a 0 than a 1 is at each of its bits.
    fn decode(&mut self, known: &[f32]) -> Vec<u8>;
}

/// Layered normalised min-sum.
#[derive(Clone, Debug)]
pub struct MinSum {
    code: Code,
    iterations: usize,
    /// Positive where a bit is rather 0.
    beliefs: Vec<f32>,
    /// By block and row in it: what the check last said.
    messages: Vec<f32>,
    /// By block of a row of blocks and row in it: what the other checks say.
    others: Vec<f32>,
    least: Vec<f32>,
    second: Vec<f32>,
    signs: Vec<u32>,
}

impl MinSum {
    /// For a code, with a number of iterations ([`ITERATIONS`]).
    pub fn new(code: &Code, iterations: usize) -> MinSum {
        let blocks: usize = code.rows.iter().map(Vec::len).sum();
        let widest = code.rows.iter().map(Vec::len).max().unwrap_or(0);
        MinSum {
            code: code.clone(),
            iterations,
            beliefs: vec![0.0; code.length()],
            messages: vec![0.0; blocks * code.size],
            others: vec![0.0; widest * code.size],
            least: vec![0.0; code.size],
            second: vec![0.0; code.size],
            signs: vec![0; code.size],
        }
    }

    fn word(&self) -> Vec<u8> {
        self.beliefs.iter().map(|&belief| u8::from(belief < 0.0)).collect()
    }

    /// The checks of a row of blocks, of which the first has this number among all.
    fn pass(&mut self, row: usize, first: usize) {
        let size = self.code.size;
        self.least.fill(f32::INFINITY);
        self.second.fill(f32::INFINITY);
        self.signs.fill(0);
        for (i, block) in self.code.rows[row].iter().enumerate() {
            let beliefs = &self.beliefs[block.column * size..][..size];
            let messages = &self.messages[(first + i) * size..][..size];
            let others = &mut self.others[i * size..][..size];
            let (low, high) = beliefs.split_at(block.shift);
            let (begin, end) = others.split_at_mut(size - block.shift);
            subtract(begin, high, &messages[..size - block.shift]);
            subtract(end, low, &messages[size - block.shift..]);
            let bounds = self.least.iter_mut().zip(&mut self.second).zip(&mut self.signs);
            for (&other, ((least, second), sign)) in others.iter().zip(bounds) {
                let magnitude = other.abs();
                let larger = if magnitude > *least { magnitude } else { *least };
                *second = if larger < *second { larger } else { *second };
                *least = if magnitude < *least { magnitude } else { *least };
                *sign ^= other.to_bits() & SIGN;
            }
        }
        for (i, block) in self.code.rows[row].iter().enumerate() {
            let messages = &mut self.messages[(first + i) * size..][..size];
            let others = &self.others[i * size..][..size];
            let bounds = self.least.iter().zip(&self.second).zip(&self.signs);
            for ((message, &other), ((&least, &second), sign)) in
                messages.iter_mut().zip(others).zip(bounds)
            {
                let magnitude = if other.abs() == least { second } else { least } * NORMALISED;
                *message = f32::from_bits(magnitude.to_bits() ^ sign ^ (other.to_bits() & SIGN));
            }
            let (low, high) = self.beliefs[block.column * size..][..size].split_at_mut(block.shift);
            let (begin, end) = others.split_at(size - block.shift);
            add(high, begin, &messages[..size - block.shift]);
            add(low, end, &messages[size - block.shift..]);
        }
    }
}

impl Decode for MinSum {
    fn decode(&mut self, known: &[f32]) -> Vec<u8> {
        self.beliefs.copy_from_slice(known);
        self.messages.fill(0.0);
        let mut word = self.word();
        for _ in 0..self.iterations {
            if self.code.holds(&word) {
                break;
            }
            let mut first = 0;
            for row in 0..self.code.rows.len() {
                self.pass(row, first);
                first += self.code.rows[row].len();
            }
            word = self.word();
        }
        word
    }
}

fn subtract(to: &mut [f32], from: &[f32], what: &[f32]) {
    for ((to, from), what) in to.iter_mut().zip(from).zip(what) {
        *to = from - what;
    }
}

fn add(to: &mut [f32], one: &[f32], other: &[f32]) {
    for ((to, one), other) in to.iter_mut().zip(one).zip(other) {
        *to = one + other;
    }
}
