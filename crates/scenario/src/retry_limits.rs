//! Retry limits: for both kinds of frames at once or for each by itself, in attempts or in retransmissions.

use crate::at::{At, Problem};
use crate::settings::Set;
use base::{Given, Named, Settings};
use wifi::{CountName, MOST_RETRIES, MacSettings};

/// The key for both limits.
pub const BOTH: &str = "retry_limit";

/// The keys for each.
pub const EACH: [&str; 2] = ["short_retry_limit", "long_retry_limit"];

const COUNTS: &str = "retry_limit_counts";

/// Refuses both kinds of keys in one table.
pub fn both_kinds(given: &Set<MacSettings>) -> Option<Problem> {
    let each = EACH.iter().find_map(|key| given.at(key));
    let both = given.at(BOTH).filter(|_| each.is_some());
    both.map(|at| {
        at.problem(
            "retry_limit sets both limits; give it, or short_retry_limit and long_retry_limit",
        )
    })
}

/// Lays a station's limits over those of its cell: either kind of key takes the place of the other.
pub fn lay<P: Settings>(under: &mut Set<MacSettings>, over: &Set<P>) {
    if over.at(BOTH).is_some() {
        EACH.iter().for_each(|key| drop(under.take(key)));
    } else if EACH.iter().any(|key| over.at(key).is_some()) {
        part(under);
    }
    under.lay_part(over);
}

/// Returns the given limits, each by itself, in attempts. Where they do not say how to count, `under` does.
pub fn in_attempts(under: &Set<MacSettings>, given: &Set<MacSettings>) -> Set<MacSettings> {
    let mut set = given.clone();
    part(&mut set);
    let counts = set.at(COUNTS).or(under.at(COUNTS)).map(|at| &at.value);
    if counts == Some(&Given::Word(CountName::Retransmissions.name().into())) {
        for key in EACH {
            if let Some(At { value: Given::Whole(count), place }) = set.take(key) {
                let value = Given::Whole((count + 1).min(MOST_RETRIES));
                set.put(key, At { value, place });
            } else if let Some(none) = given.at(key).or(given.at(BOTH)) {
                set.put(key, none.clone());
            }
        }
    }
    set
}

/// Replaces the limit for both kinds by one for each.
fn part(set: &mut Set<MacSettings>) {
    if let Some(both) = set.take(BOTH) {
        EACH.iter().for_each(|key| set.put(key, both.clone()));
    }
}
