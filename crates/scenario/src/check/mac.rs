//! The rules and limits of the MAC.

use super::context::Context;
use crate::at::Problem;
use crate::retry_limits::{BOTH, EACH, both_kinds};
use crate::settings::Set;
use crate::spec::{ChannelSpec, MacSpec};
use wifi::{ErrorScope, MacConfig};

/// Returns rules and limits, with the documents' values for what is left out.
pub fn mac(
    spec: &MacSpec,
    channel: Option<&ChannelSpec>,
    context: &Context<'_>,
) -> Result<MacConfig, Problem> {
    both_kinds(&spec.settings).map_or(Ok(()), Err)?;
    let settled = context.overlays.settled(&spec.settings);
    let mac = settled.value.mac;
    for (key, limit) in EACH.iter().zip([mac.short_retry_limit, mac.long_retry_limit]) {
        if let Some(at) = settled.at(&[BOTH, key]).filter(|_| limit == Some(0)) {
            return Err(at.problem("0 attempts, but a frame is sent at least once"));
        }
    }
    let plain = Set::<ErrorScope>::default();
    let scope = channel.map_or(&plain, ChannelSpec::scope);
    let errors = context.overlays.settled(scope).value;
    Ok(MacConfig { errors, ..mac })
}
