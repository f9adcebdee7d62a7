//! The rules and limits of the MAC.

use super::bounds::packet_part;
use crate::at::{At, Problem};
use crate::spec::{
    ChannelSpec, Conventions, CountName, IdealTable, MacSpec, ProtectionName, RetryLimit, Rts,
};
use wifi::MacConfig;

/// Rules and limits, with the conventions' values for what is left out.
pub fn mac(
    spec: Option<&MacSpec>,
    channel: Option<&ChannelSpec>,
    conventions: Conventions,
) -> Result<MacConfig, Problem> {
    let empty = MacSpec::default();
    let spec = spec.unwrap_or(&empty);
    let mac_header = packet_part(&spec.mac_header(conventions))?;
    let llc_header = packet_part(&spec.llc_header(conventions))?;
    let (short_retry_limit, long_retry_limit) = retry_limits(spec)?;
    let ideal = ChannelSpec::Ideal(IdealTable::default());
    Ok(MacConfig {
        rts_threshold: match spec.rts().value {
            Rts::Always => 0,
            Rts::Never => u32::MAX,
            Rts::Above(bytes) => bytes,
        },
        short_retry_limit,
        long_retry_limit,
        data_overhead: mac_header + llc_header,
        access: spec.access(conventions).value.0,
        backoff: spec.backoff(conventions).value.0,
        slots: spec.slots(conventions).value.0,
        bystanders: spec.bystanders(conventions).value.0,
        timeouts: spec.timeouts(conventions).value.0,
        nav_reset: spec.nav_reset(conventions).value,
        silence: spec.silence(conventions).value.0,
        cts_to_self: spec.protection().value.0 == ProtectionName::CtsToSelf,
        errors: channel.unwrap_or(&ideal).errors(conventions),
    })
}

/// The short and the long limit, in attempts.
fn retry_limits(spec: &MacSpec) -> Result<(Option<u32>, Option<u32>), Problem> {
    if let (Some(both), Some(_)) =
        (&spec.retry_limit, spec.short_retry_limit.as_ref().or(spec.long_retry_limit.as_ref()))
    {
        let message =
            "retry_limit sets both limits; give it, or short_retry_limit and long_retry_limit";
        return Err(both.problem(message));
    }
    let attempts = |limit: Option<&At<RetryLimit>>, default: u32| {
        let Some(limit) = limit else { return Ok(Some(default)) };
        let Some(count) = limit.value.0 else { return Ok(None) };
        match spec.retry_limit_counts().value.0 {
            CountName::Retransmissions => Ok(Some(count + 1)),
            CountName::Attempts if count == 0 => {
                Err(limit.problem("0 attempts, but a frame is sent at least once"))
            }
            CountName::Attempts => Ok(Some(count)),
        }
    };
    let both = spec.retry_limit.as_ref();
    let short = both.or(spec.short_retry_limit.as_ref());
    let long = both.or(spec.long_retry_limit.as_ref());
    Ok((attempts(short, 7)?, attempts(long, 4)?))
}
