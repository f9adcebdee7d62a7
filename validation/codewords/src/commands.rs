//! The commands of the program.

use codewords::{
    CONSTELLATIONS, Code, Curve, Decode, Effort, Frame, HIGHEST_MCS, ITERATIONS, Link, MinSum,
    SHARE, Sent, SumProduct, fit, least_db, measure, ns3_db,
};
use radio::{CodeRate, Constellation, Word};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::{array, thread};

/// For the table: a tenth of a word in a hundred is told within 6 %.
const THOROUGH: Effort = Effort { lost: 300, words: 60_000, step_db: 0.1 };

/// For comparisons.
const QUICK: Effort = Effort { lost: 150, words: 6_000, step_db: 0.2 };

/// Prints the table of `crates/radio/src/errors/ldpc.rs`.
pub fn curves() {
    let all: Vec<(Constellation, CodeRate, Word)> = CONSTELLATIONS
        .iter()
        .flat_map(|&(constellation, _)| CodeRate::ALL.map(|rate| (constellation, rate)))
        .flat_map(|(constellation, rate)| Word::ALL.map(|word| (constellation, rate, word)))
        .collect();
    let found = at_once(&all, |&(constellation, rate, word)| {
        let code = Code::new(word.bits() as usize, rate);
        let decoder = Box::new(MinSum::new(&code, ITERATIONS));
        let mut link = Link::new((&code, decoder), constellation, Sent::default(), 1);
        fit(&measure(&mut link, least_db(constellation, rate), &THOROUGH))
    });
    let mut rows = found.chunks(Word::ALL.len());
    for (_, name) in CONSTELLATIONS {
        println!("    [ // {name}");
        for rate in CodeRate::ALL {
            let row = rows.next().unwrap_or_default();
            let [short, middle, long] = array::from_fn(|i| text(row[i]));
            let (data, all) = rate.fraction();
            println!("        [{short}, {middle}, {long}], // {data}/{all}");
        }
        println!("    ],");
    }
}

fn text(Curve { threshold_db, spread_db }: Curve) -> String {
    format!("({threshold_db:.3}, {spread_db:.3})")
}

/// What `work` makes of each, in their order, by as many threads as there are cores.
fn at_once<T: Sync, R: Send>(all: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let take = || {
        while let Some((number, one)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, all.get(at)?)))
        {
            let result = work(one);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((number, result));
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(take);
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|&(number, _)| number);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Prints the table of `docs/model/aggregation.md` that needs no simulation.
pub fn thresholds() {
    print!("{}", codewords::thresholds());
}

/// Prints where a tenth of all frames of several lengths is lost, with the words that these really have, beside what the
/// shipped curves of whole words say.
pub fn frames() {
    let lengths = [100, 300, 1458];
    let all: Vec<(usize, u64)> =
        (0..=HIGHEST_MCS).flat_map(|mcs| lengths.map(|bytes| (mcs, bytes))).collect();
    let found = at_once(&all, |&(mcs, bytes)| {
        let frame = Frame::new(mcs, bytes);
        let code = frame.code();
        let decoder = Box::new(MinSum::new(&code, ITERATIONS));
        frame.shipped_at(SHARE) - simulated_at(&frame, (&code, decoder))
    });
    println!("| MCS | {} |", lengths.map(|bytes| format!("{bytes} B")).join(" | "));
    println!("|---|{}", "---|".repeat(lengths.len()));
    for (mcs, row) in found.chunks(lengths.len()).enumerate() {
        let row: Vec<String> = row.iter().map(|differs| format!("{differs:+.2}")).collect();
        println!("| {mcs} | {} |", row.join(" | "));
    }
}

/// Prints where a tenth of all frames is lost with other decoders, as differences from the shipped curves.
pub fn decoders() {
    let all: Vec<usize> = (0..=HIGHEST_MCS).collect();
    let found = at_once(&all, |&mcs| {
        let frame = Frame::new(mcs, 1458);
        let code = frame.code();
        let others: [Box<dyn Decode>; 3] = [
            Box::new(MinSum::new(&code, 6)),
            Box::new(MinSum::new(&code, 50)),
            Box::new(SumProduct::new(&code, ITERATIONS)),
        ];
        let own = frame.shipped_at(SHARE);
        (own, others.map(|decoder| simulated_at(&frame, (&code, decoder)) - own))
    });
    println!("| MCS | 6 rounds | 50 rounds | 12 rounds of sum-product, all at once | ns-3.37 |");
    println!("|---|---|---|---|---|");
    for (mcs, (own, [few, many, flooding])) in found.into_iter().enumerate() {
        let others = ns3_db(mcs) - own;
        println!("| {mcs} | {few:+.2} | {many:+.2} | {flooding:+.2} | {others:+.2} |");
    }
}

fn simulated_at(frame: &Frame, with: (&Code, Box<dyn Decode>)) -> f64 {
    let mut link = Link::new(with, frame.constellation, frame.sent, 2);
    let points = measure(&mut link, least_db(frame.constellation, frame.rate) - 6.0, &QUICK);
    frame.at(fit(&points), SHARE)
}
