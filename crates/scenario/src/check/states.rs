//! Bounds of the values of every channel with states.

use crate::at::{At, Problem};
use crate::units::{Duration, Probability};
use base::Span;

/// Returns a bit error rate.
pub fn ber(at: &At<Probability>) -> Result<f64, Problem> {
    let Probability(ber) = at.value;
    if ber < 1.0 {
        Ok(ber)
    } else {
        Err(at.out_of_range("every bit would be wrong; allowed: 0 or more, less than 1"))
    }
}

/// Shorter sojourns than this make a run crawl through changes of state.
pub const SHORTEST_SOJOURN: Span = Span::micros(1);

/// Returns a mean sojourn in a state.
pub fn sojourn(at: &At<Duration>) -> Result<Span, Problem> {
    if at.value.0 < SHORTEST_SOJOURN {
        return Err(
            at.out_of_range("the mean time in a state is too short; allowed: \"1 us\" or more")
        );
    }
    Ok(at.value.0)
}
