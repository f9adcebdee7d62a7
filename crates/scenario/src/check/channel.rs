//! Channels and codes.

use crate::at::{At, Problem};
use crate::conventions::Conventions;
use crate::spec::{ChannelModelName, ChannelSpec, FecSpec};
use crate::units::{Duration, Probability};
use base::Span;
use radio::{ChannelConfig, FecConfig, FecModel, StatePer};

/// How a cell's air loses bits.
pub fn channel(
    spec: Option<&ChannelSpec>,
    conventions: &Conventions,
) -> Result<ChannelConfig, Problem> {
    let Some(spec) = spec else { return Ok(ChannelConfig::Ideal) };
    match spec.model.value.0 {
        ChannelModelName::Ideal => Ok(ChannelConfig::Ideal),
        ChannelModelName::Bernoulli => {
            let frame_loss = needed(spec, spec.frame_loss.as_ref(), "frame_loss")?.value.0;
            Ok(ChannelConfig::Bernoulli { frame_loss })
        }
        ChannelModelName::BitErrors => {
            Ok(ChannelConfig::BitErrors { ber: ber(spec, spec.ber.as_ref(), "ber")? })
        }
        ChannelModelName::GilbertElliott => Ok(ChannelConfig::GilbertElliott {
            mean_good: sojourn(spec, spec.mean_good.as_ref(), "mean_good")?,
            mean_bad: sojourn(spec, spec.mean_bad.as_ref(), "mean_bad")?,
            ber_good: ber(spec, spec.ber_good.as_ref(), "ber_good")?,
            ber_bad: ber(spec, spec.ber_bad.as_ref(), "ber_bad")?,
            sampling: spec.sampling.map_or(conventions.sampling, |word| word.0),
        }),
    }
}

fn needed<'a, T>(
    spec: &ChannelSpec,
    value: Option<&'a At<T>>,
    key: &str,
) -> Result<&'a At<T>, Problem> {
    value.ok_or_else(|| spec.model.problem(format!("this channel model needs the key \"{key}\"")))
}

fn ber(spec: &ChannelSpec, value: Option<&At<Probability>>, key: &str) -> Result<f64, Problem> {
    let at = needed(spec, value, key)?;
    let Probability(ber) = at.value;
    if ber < 1.0 {
        Ok(ber)
    } else {
        Err(at.problem("every bit would be wrong; allowed: 0 or more, less than 1"))
    }
}

/// Shorter sojourns than this make a run crawl through changes of state.
const SHORTEST_SOJOURN: Span = Span::micros(1);

fn sojourn(spec: &ChannelSpec, value: Option<&At<Duration>>, key: &str) -> Result<Span, Problem> {
    let at = needed(spec, value, key)?;
    if at.value.0 < SHORTEST_SOJOURN {
        return Err(at.problem("too short a sojourn; allowed: \"1 us\" or more"));
    }
    Ok(at.value.0)
}

/// Who shares a channel state.
pub fn state_per(spec: Option<&ChannelSpec>, has_access_point: bool) -> Result<StatePer, Problem> {
    let default = if has_access_point { StatePer::Station } else { StatePer::Receiver };
    let Some(at) = spec.and_then(|spec| spec.state_per.as_ref()) else { return Ok(default) };
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
    let symbol_bits = spec.symbol_bits.as_ref().map_or(8, |bits| bits.value);
    let n = spec.n.as_ref().map_or(255, |n| n.value);
    let k = spec.k.as_ref().map_or(181, |k| k.value);
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
    if spec.enabled == Some(false) {
        return Ok(None);
    }
    Ok(Some(FecConfig {
        n,
        k,
        symbol_bits,
        model: spec.model.map_or(FecModel::Block, |word| word.0),
        adaptive: spec.adaptive.unwrap_or(true),
        protects_plcp: spec.protects_plcp.unwrap_or(false),
        feedback_delay: spec.feedback_delay.as_ref().map_or(Span::ZERO, |delay| delay.value.0),
    }))
}
