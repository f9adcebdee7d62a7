//! Rules that every law keeps: the same checks for the registry's laws and for one from outside.
//!
//! A check plays sequences of acknowledgements, losses, ends of recoveries and idle times to a fresh law, hostile ones
//! among them: round-trip times from 0.1 ms to 10 s, or none measured; first windows from 1 segment to 100,000; losses
//! in recoveries. Sequences are drawn from a fixed seed, so a check says the same on every machine.

mod player;
mod sequence;

pub use player::Subject;
use player::{Call, Player};
use sequence::{Input, Sequence};
use transport::tcp::law::{Law, Loss};

/// The number of sequences in a check.
const SEQUENCES: u64 = 256;

/// One thing that a law keeps to.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Its name.
    pub id: &'static str,
    /// Its question, in a line.
    pub about: &'static str,
    run: fn(&Subject<'_>) -> Result<(), String>,
}

/// All of them.
pub const CHECKS: &[Check] = &[
    Check {
        id: "floor",
        about: "cwnd is never below 1 segment, ssthresh never below 2",
        run: |subject| always(subject, floor),
    },
    Check {
        id: "finite",
        about: "cwnd is finite, ssthresh after a loss too, and a pacing rate is finite and above 0",
        run: |subject| always(subject, finite),
    },
    Check {
        id: "recovery",
        about: "nothing grows in a recovery, or where the window does not bind",
        run: |subject| always(subject, recovery),
    },
    Check {
        id: "loss",
        about: "a loss or a mark does not grow the window",
        run: |subject| always(subject, loss),
    },
    Check {
        id: "timeout",
        about: "a timeout leaves one segment, or what the law says",
        run: |subject| always(subject, timeout),
    },
    Check { id: "replay", about: "the same inputs give the same windows, to the bit", run: replay },
    Check {
        id: "copy",
        about: "a copy goes on as the law does, and neither moves the other",
        run: copy,
    },
    Check {
        id: "storm",
        about: "a thousand timeouts and losses at once leave a window",
        run: storm,
    },
];

impl Check {
    /// Puts a law to it.
    ///
    /// # Errors
    /// What the law did, after which input of which sequence.
    pub fn run(&self, subject: &Subject<'_>) -> Result<(), String> {
        (self.run)(subject)
    }
}

/// Plays all sequences, and asks `rule` after each input.
fn always(
    subject: &Subject<'_>,
    rule: fn(&Subject<'_>, &Call) -> Result<(), String>,
) -> Result<(), String> {
    for number in 0..SEQUENCES {
        let sequence = Sequence::draw(number);
        let mut player = Player::new(subject, &sequence);
        for (i, input) in sequence.inputs.iter().enumerate() {
            let call = player.feed(input);
            rule(subject, &call).map_err(|what| at(number, i, &what))?;
        }
    }
    Ok(())
}

/// Returns the failure and its place.
fn at(sequence: u64, input: usize, what: &str) -> String {
    format!("{what} (sequence {sequence}, input {input})")
}

fn floor(_: &Subject<'_>, call: &Call) -> Result<(), String> {
    let (cwnd, ssthresh) = (call.after.cwnd, call.after.ssthresh);
    // A number that is none is another check's.
    if cwnd < 1.0 {
        return Err(format!("cwnd {cwnd} after {}; at least 1", call.told()));
    }
    if ssthresh < 2.0 && call.before.ssthresh >= 2.0 {
        return Err(format!("ssthresh {ssthresh} after {}; at least 2", call.told()));
    }
    Ok(())
}

fn finite(_: &Subject<'_>, call: &Call) -> Result<(), String> {
    let (cwnd, ssthresh) = (call.after.cwnd, call.after.ssthresh);
    if !cwnd.is_finite() {
        return Err(format!("cwnd {cwnd} after {}", call.told()));
    }
    let lost = matches!(call.input, Input::Loss(_));
    if ssthresh.is_nan() || (lost && !ssthresh.is_finite()) {
        return Err(format!("ssthresh {ssthresh} after {}", call.told()));
    }
    match call.pace {
        Some(rate) if !(rate.is_finite() && rate > 0.0) => {
            Err(format!("a pacing rate of {rate} after {}", call.told()))
        }
        _ => Ok(()),
    }
}

fn recovery(subject: &Subject<'_>, call: &Call) -> Result<(), String> {
    let Input::Ack { app_limited, in_recovery, .. } = call.input else { return Ok(()) };
    let (before, after) = (call.before.cwnd, call.after.cwnd);
    if (app_limited || in_recovery) && after > before && !(subject.make)().model_based() {
        return Err(format!("cwnd grew from {before} to {after} at {}", call.told()));
    }
    Ok(())
}

fn loss(_: &Subject<'_>, call: &Call) -> Result<(), String> {
    let Input::Loss(_) = call.input else { return Ok(()) };
    let (before, after) = (call.before.cwnd, call.after.cwnd);
    if after > before.max(2.0) {
        return Err(format!("cwnd grew from {before} to {after} at {}", call.told()));
    }
    Ok(())
}

fn timeout(subject: &Subject<'_>, call: &Call) -> Result<(), String> {
    let Input::Loss(Loss::Timeout) = call.input else { return Ok(()) };
    let (after, leaves) = (call.after.cwnd, subject.timeout_leaves);
    if after != leaves {
        return Err(format!("cwnd {after} after a timeout; it leaves {leaves}"));
    }
    Ok(())
}

fn replay(subject: &Subject<'_>) -> Result<(), String> {
    for number in 0..SEQUENCES {
        let sequence = Sequence::draw(number);
        let (mut one, mut two) = (Player::new(subject, &sequence), Player::new(subject, &sequence));
        for (i, input) in sequence.inputs.iter().enumerate() {
            let (first, second) = (one.feed(input), two.feed(input));
            differ(&first, &second).map_err(|what| at(number, i, &what))?;
        }
        if one.state() != two.state() {
            return Err(at(number, sequence.inputs.len(), "the same windows, another state"));
        }
    }
    Ok(())
}

fn copy(subject: &Subject<'_>) -> Result<(), String> {
    for number in 0..SEQUENCES {
        let sequence = Sequence::draw(number);
        let mut one = Player::new(subject, &sequence);
        for input in &sequence.inputs {
            one.feed(input);
        }
        // The copy is played to its end first: what it does must not reach the law that it is a copy of.
        let mut two = one.clone();
        let calls: Vec<Call> = sequence.inputs.iter().map(|input| two.feed(input)).collect();
        for (i, (input, call)) in sequence.inputs.iter().zip(&calls).enumerate() {
            differ(&one.feed(input), call).map_err(|what| at(number, i, &what))?;
        }
    }
    Ok(())
}

/// Refuses two plays that part.
fn differ(one: &Call, two: &Call) -> Result<(), String> {
    if one.bits() == two.bits() {
        return Ok(());
    }
    let (a, b) = (one.after, two.after);
    Err(format!(
        "cwnd {} and {}, ssthresh {} and {} after the same {}",
        a.cwnd,
        b.cwnd,
        a.ssthresh,
        b.ssthresh,
        one.told()
    ))
}

fn storm(subject: &Subject<'_>) -> Result<(), String> {
    let mut player = Player::new(subject, &Sequence::plain());
    for i in 0..1000 {
        for why in [Loss::Timeout, Loss::DupAcks] {
            let call = player.feed(&Input::Loss(why));
            let held = floor(subject, &call).and(finite(subject, &call));
            held.map_err(|what| format!("{what} (time {i} of 1000)"))?;
        }
    }
    Ok(())
}
