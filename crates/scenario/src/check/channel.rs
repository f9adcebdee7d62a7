//! Channels and codes.

use super::context::Context;
use super::markov::markov;
use super::states::{SHORTEST_SOJOURN, ber, sojourn};
use crate::at::{At, Problem};
use crate::spec::{ChannelSpec, FecSpec, GilbertElliottTable};
use crate::units::Probability;
use base::Span;
use radio::{ChannelConfig, FecConfig, FecSettings, StatePer};

/// Returns the channel of a cell.
pub fn channel(
    spec: Option<&ChannelSpec>,
    context: &Context<'_>,
) -> Result<ChannelConfig, Problem> {
    Ok(match spec {
        None | Some(ChannelSpec::Ideal(_)) => ChannelConfig::Ideal,
        Some(ChannelSpec::Bernoulli(table)) => {
            ChannelConfig::Bernoulli { frame_loss: table.frame_loss.value.0 }
        }
        Some(ChannelSpec::BitErrors(table)) => ChannelConfig::BitErrors { ber: ber(&table.ber)? },
        Some(ChannelSpec::GilbertElliott(table)) => gilbert_elliott(table, context)?,
        Some(ChannelSpec::Markov(table)) => markov(table, context)?,
    })
}

fn gilbert_elliott(
    table: &GilbertElliottTable,
    context: &Context<'_>,
) -> Result<ChannelConfig, Problem> {
    let (ber, frame_loss) = state_errors(table)?;
    let means = [mean_good(table)?, sojourn(&table.mean_bad)?];
    let sampling = context.overlays.settled(&table.rules).value.sampling;
    Ok(ChannelConfig::gilbert_elliott(means, ber, frame_loss, sampling))
}

/// Returns the mean sojourn in the good state: as given, or from the bad state's share of the time.
fn mean_good(table: &GilbertElliottTable) -> Result<Span, Problem> {
    let mean_bad = sojourn(&table.mean_bad)?;
    match (&table.mean_good, &table.bad_share) {
        (Some(mean), None) => sojourn(mean),
        (None, Some(At { value: Probability(share), .. })) if *share > 0.0 && *share < 1.0 => {
            let mean = Span::from_secs(mean_bad.as_secs() * (1.0 - share) / share);
            Ok(mean.max(SHORTEST_SOJOURN))
        }
        (None, Some(at)) => Err(at.out_of_range(
            "the channel would never change its state; allowed: more than 0, less than 1",
        )),
        (Some(_), Some(at)) => {
            Err(at
                .problem("bad_share and mean_good both set the good state; leave one of them out"))
        }
        (None, None) => {
            Err(table.mean_bad.problem("mean_bad needs mean_good or bad_share beside it"))
        }
    }
}

/// Returns bit error rates, then loss probabilities of frames, of the good and the bad state. One of the two is zero.
fn state_errors(table: &GilbertElliottTable) -> Result<([f64; 2], [f64; 2]), Problem> {
    match (&table.ber_good, &table.ber_bad, &table.loss_good, &table.loss_bad) {
        (Some(good), Some(bad), None, None) => Ok(([ber(good)?, ber(bad)?], [0.0; 2])),
        (None, None, good, Some(bad)) => {
            let good = good.as_ref().map_or(0.0, |at| at.value.0);
            Ok(([0.0; 2], [good, bad.value.0]))
        }
        (Some(at), ..) | (_, Some(at), ..) | (.., Some(at), _) => Err(at.problem(
            "the errors of the states are given by ber_good and ber_bad, or by loss_good and loss_bad; give one pair",
        )),
        (None, None, None, None) => {
            Err(table.mean_bad.problem("mean_bad needs ber_good and ber_bad beside it, or loss_bad"))
        }
    }
}

/// Returns which stations share a channel state.
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

/// Returns the code, if there is one.
pub fn fec(spec: Option<&FecSpec>, context: &Context<'_>) -> Result<Option<FecConfig>, Problem> {
    let Some(spec) = spec else { return Ok(None) };
    let settled = context.overlays.settled(&spec.settings);
    let FecSettings { enabled, code } = settled.value;
    let FecConfig { n, k, symbol_bits, .. } = code;
    // The key that a person wrote is the one to point at; the defaults agree among themselves.
    if let Some(at) = settled.at(&["n", "k", "symbol_bits"]) {
        let longest = (1 << symbol_bits) - 1;
        if n > longest {
            let message = format!("n = {n}; {symbol_bits}-bit symbols allow at most {longest}");
            return Err(at.out_of_range(message));
        }
        if n > LONGEST_BLOCK {
            let message = format!("n = {n}; allowed: up to {LONGEST_BLOCK} symbols in a block");
            return Err(at.out_of_range(message));
        }
        if k == 0 || k >= n {
            return Err(at.out_of_range(format!("k = {k} and n = {n}; allowed: 1 <= k < n")));
        }
    }
    Ok(enabled.then_some(code))
}
