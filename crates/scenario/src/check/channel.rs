//! Channels and codes.

use crate::at::{At, Problem};
use crate::spec::{ChannelSpec, Conventions, FecSpec, GilbertElliottTable};
use crate::units::{Duration, Probability};
use base::Span;
use radio::{ChannelConfig, FecConfig, StatePer};

/// How a cell's air loses bits.
pub fn channel(
    spec: Option<&ChannelSpec>,
    conventions: Conventions,
) -> Result<ChannelConfig, Problem> {
    Ok(match spec {
        None | Some(ChannelSpec::Ideal(_)) => ChannelConfig::Ideal,
        Some(ChannelSpec::Bernoulli(table)) => {
            ChannelConfig::Bernoulli { frame_loss: table.frame_loss.value.0 }
        }
        Some(ChannelSpec::BitErrors(table)) => ChannelConfig::BitErrors { ber: ber(&table.ber)? },
        Some(ChannelSpec::GilbertElliott(table)) => gilbert_elliott(table, conventions)?,
    })
}

fn gilbert_elliott(
    table: &GilbertElliottTable,
    conventions: Conventions,
) -> Result<ChannelConfig, Problem> {
    Ok(ChannelConfig::GilbertElliott {
        mean_good: sojourn(&table.mean_good)?,
        mean_bad: sojourn(&table.mean_bad)?,
        ber_good: ber(&table.ber_good)?,
        ber_bad: ber(&table.ber_bad)?,
        sampling: table.sampling(conventions).value.0,
    })
}

fn ber(at: &At<Probability>) -> Result<f64, Problem> {
    let Probability(ber) = at.value;
    if ber < 1.0 {
        Ok(ber)
    } else {
        Err(at.problem("every bit would be wrong; allowed: 0 or more, less than 1"))
    }
}

/// Shorter sojourns than this make a run crawl through changes of state.
const SHORTEST_SOJOURN: Span = Span::micros(1);

fn sojourn(at: &At<Duration>) -> Result<Span, Problem> {
    if at.value.0 < SHORTEST_SOJOURN {
        return Err(at.problem("too short a sojourn; allowed: \"1 us\" or more"));
    }
    Ok(at.value.0)
}

/// Who shares a channel state.
pub fn state_per(spec: Option<&ChannelSpec>, has_access_point: bool) -> Result<StatePer, Problem> {
    let default = if has_access_point { StatePer::Station } else { StatePer::Receiver };
    let Some(at) = spec.and_then(ChannelSpec::state_per) else { return Ok(default) };
    if at.value.0 == StatePer::Station && !has_access_point {
        let message = "\"station\" needs an access_point; allowed here: \"cell\", \"receiver\"";
        return Err(at.problem(message));
    }
    Ok(at.value.0)
}

/// The exact model sums over the errors that a block can mend: longer blocks than any standard's cost seconds each.
const LONGEST_BLOCK: u32 = 2047;

/// The code, if there is one.
pub fn fec(spec: Option<&FecSpec>) -> Result<Option<FecConfig>, Problem> {
    let Some(spec) = spec else { return Ok(None) };
    let (n, k, symbol_bits) = (spec.n().value, spec.k().value, spec.symbol_bits().value);
    if let Some(at) = spec.symbol_bits.as_ref().filter(|bits| !(2..=16).contains(&bits.value)) {
        return Err(at.problem(format!("{symbol_bits} bits in a symbol; allowed: 2 to 16")));
    }
    // The key that a person wrote is the one to point at; the defaults agree among themselves.
    let at = [&spec.n, &spec.k, &spec.symbol_bits].into_iter().flatten().next();
    if let Some(at) = at {
        let longest = (1 << symbol_bits) - 1;
        if n > longest {
            let message = format!("n = {n}; {symbol_bits}-bit symbols allow at most {longest}");
            return Err(at.problem(message));
        }
        if n > LONGEST_BLOCK {
            let message = format!("n = {n}; allowed: up to {LONGEST_BLOCK} symbols in a block");
            return Err(at.problem(message));
        }
        if k == 0 || k >= n {
            return Err(at.problem(format!("k = {k} and n = {n}; allowed: 1 <= k < n")));
        }
    }
    if !spec.enabled().value {
        return Ok(None);
    }
    Ok(Some(FecConfig {
        n,
        k,
        symbol_bits,
        model: spec.model().value.0,
        adaptive: spec.adaptive().value,
        protects_plcp: spec.protects_plcp().value,
        feedback_delay: spec.feedback_delay().value.0,
    }))
}
