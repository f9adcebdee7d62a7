//! The rules and limits of the MAC.

use super::context::Context;
use crate::at::{At, Problem};
use crate::settings::Set;
use crate::spec::{ChannelSpec, CountName, MacSpec};
use base::Given;
use wifi::{ErrorScope, MacConfig};

/// Returns rules and limits, with the documents' values for what is left out.
pub fn mac(
    spec: &MacSpec,
    channel: Option<&ChannelSpec>,
    context: &Context<'_>,
) -> Result<MacConfig, Problem> {
    let settings = context.overlays.settled(&spec.settings).value;
    let (short_retry_limit, long_retry_limit) = retry_limits(spec, &settings)?;
    let plain = Set::<ErrorScope>::default();
    let scope = channel.map_or(&plain, ChannelSpec::scope);
    let errors = context.overlays.settled(scope).value;
    Ok(MacConfig { short_retry_limit, long_retry_limit, errors, ..settings })
}

/// The short and the long limit, in attempts.
fn retry_limits(
    spec: &MacSpec,
    settings: &MacConfig,
) -> Result<(Option<u32>, Option<u32>), Problem> {
    let (short, long) =
        (spec.settings.at("short_retry_limit"), spec.settings.at("long_retry_limit"));
    let attempts = |at: &dyn Fn(&str) -> Problem, limit: Option<u32>| match limit {
        None => Ok(None),
        Some(count) if spec.retry_limit_counts().value.0 == CountName::Retransmissions => {
            Ok(Some(count + 1))
        }
        Some(0) => Err(at("0 attempts, but a frame is sent at least once")),
        limit => Ok(limit),
    };
    if let Some(both) = &spec.retry_limit {
        if short.or(long).is_some() {
            let message =
                "retry_limit sets both limits; give it, or short_retry_limit and long_retry_limit";
            return Err(both.problem(message));
        }
        let limit = attempts(&|message| both.problem(message), both.value.0)?;
        return Ok((limit, limit));
    }
    let one = |said: Option<&At<Given>>, limit| match said {
        Some(at) => attempts(&|message| at.problem(message), limit),
        None => Ok(limit),
    };
    Ok((one(short, settings.short_retry_limit)?, one(long, settings.long_retry_limit)?))
}
