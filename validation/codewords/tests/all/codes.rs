//! The twelve codes: a wrong number of a prototype would break one of these.

use base::{Purpose, Seed};
use codewords::{Block, Code};
use radio::{CodeRate, Word};
use std::collections::BTreeSet;

fn all() -> impl Iterator<Item = (Word, CodeRate, Code)> {
    let of =
        |word: Word| CodeRate::ALL.map(|rate| (word, rate, Code::new(word.bits() as usize, rate)));
    Word::ALL.into_iter().flat_map(of)
}

fn random_data(code: &Code, owner: u64) -> Vec<u8> {
    let bits = Seed { seed: 1, replication: 0 }.keyed(Purpose::App, owner);
    (0..code.data() as u64).map(|i| (bits.word(i) & 1) as u8).collect()
}

#[test]
fn words_have_their_lengths_and_rates() {
    for (word, rate, code) in all() {
        assert_eq!(code.length(), word.bits() as usize);
        assert_eq!(code.data() as u64, rate.data_of(u64::from(word.bits())));
        for block in code.rows.iter().flatten() {
            assert!(block.column < 24 && block.shift < code.size, "{word:?} {rate:?}: {block:?}");
        }
    }
}

#[test]
fn what_is_encoded_passes_all_checks() {
    for (word, rate, code) in all() {
        let data = random_data(&code, 0);
        let mut encoded = code.encode(&data);
        assert_eq!(encoded[..data.len()], data[..]);
        assert!(code.holds(&encoded), "{word:?} {rate:?}");
        // Each bit is in a check.
        for place in 0..encoded.len() {
            encoded[place] ^= 1;
            assert!(!code.holds(&encoded), "{word:?} {rate:?}: bit {place}");
            encoded[place] ^= 1;
        }
    }
}

/// Two checks that share two bits confirm each other, which a good code avoids: a wrong number would likely make more of them.
/// Three of the standard's codes have one or two pairs of blocks in which they do.
#[test]
fn hardly_any_two_checks_share_two_bits() {
    for (word, rate, code) in all() {
        let mut shared = 0;
        for (i, one) in code.rows.iter().enumerate() {
            shared +=
                code.rows[i + 1..].iter().map(|other| repeated(&code, one, other)).sum::<usize>();
        }
        let known = match (word, rate) {
            (Word::Short, CodeRate::ThreeQuarters) | (Word::Middle, CodeRate::TwoThirds) => 2,
            (Word::Long, CodeRate::TwoThirds) => 1,
            _ => 0,
        };
        assert_eq!(shared, known, "{word:?} {rate:?}");
    }
}

/// How many blocks of two rows are as far shifted from each other as another pair of theirs is.
fn repeated(code: &Code, one: &[Block], other: &[Block]) -> usize {
    let steps = one.iter().filter_map(|a| {
        let same = other.iter().find(|b| b.column == a.column)?;
        Some((a.shift + code.size - same.shift) % code.size)
    });
    let steps: Vec<usize> = steps.collect();
    let apart: BTreeSet<&usize> = steps.iter().collect();
    steps.len() - apart.len()
}

/// By Gauss's elimination: no check follows from others, so that there are as many words as data.
#[test]
fn checks_are_independent() {
    for (word, rate, code) in all() {
        let mut rows: Vec<Vec<u64>> = Vec::new();
        for blocks in &code.rows {
            for row in 0..code.size {
                let mut bits = vec![0_u64; code.length().div_ceil(64)];
                for block in blocks {
                    let bit = block.column * code.size + (row + block.shift) % code.size;
                    bits[bit / 64] |= 1 << (bit % 64);
                }
                rows.push(bits);
            }
        }
        let all = rows.len();
        let mut rank = 0;
        for bit in 0..code.length() {
            let has = |row: &Vec<u64>| row[bit / 64] >> (bit % 64) & 1 == 1;
            let Some(found) = (rank..all).find(|&row| has(&rows[row])) else { continue };
            rows.swap(rank, found);
            let pivot = rows[rank].clone();
            for row in rows[rank + 1..].iter_mut().filter(|row| has(row)) {
                row.iter_mut().zip(&pivot).for_each(|(own, other)| *own ^= other);
            }
            rank += 1;
        }
        assert_eq!(rank, all, "{word:?} {rate:?}");
    }
}
