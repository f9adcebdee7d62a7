//! 802.11 timing: DSSS and HR/DSSS (802.11-2020, clauses 15 and 16).

use crate::at::{At, Problem};
use crate::spec::{PhySpec, Preamble, StandardName};
use crate::units::BitRate;
use base::{Rate, Span};
use wifi::PhyConfig;

const MBPS: u64 = 1_000_000;
const DSSS_RATES: &[u64] = &[MBPS, 2 * MBPS];
const HR_RATES: &[u64] = &[MBPS, 2 * MBPS, 5_500_000, 11 * MBPS];

/// Draws come from a wheel of as many slots as 802.11's largest window.
const LARGEST_CW: u32 = 1023;

/// Timing and rates, with DSSS's values for what is left out.
pub fn phy(spec: Option<&PhySpec>) -> Result<PhyConfig, Problem> {
    let empty = PhySpec::default();
    let spec = spec.unwrap_or(&empty);
    let (rates, fastest): (Option<&[u64]>, u64) = match spec.standard {
        None | Some(StandardName::Dsss) => (Some(DSSS_RATES), 2 * MBPS),
        Some(StandardName::Hr) => (Some(HR_RATES), 11 * MBPS),
        Some(StandardName::Custom) => (None, 11 * MBPS),
    };
    let short = spec.preamble.as_ref().is_some_and(|p| p.value == Preamble::Short);
    // 144 bits of preamble and 48 of header at 1 Mbps; short: 72 at 1 Mbps and 48 at 2 Mbps.
    let (plcp, plcp_bits) = if short { (Span::micros(96), 120) } else { (Span::micros(192), 192) };
    let (cw_min, cw_max) = windows(spec)?;
    Ok(PhyConfig {
        slot: slot(spec)?,
        sifs: spec.sifs.as_ref().map_or(Span::micros(10), |sifs| sifs.value.0),
        plcp,
        plcp_bits,
        data_rate: rate(spec.rate.as_ref(), Rate(fastest), rates, short)?,
        control_rate: rate(
            spec.control_rate.as_ref(),
            Rate(if short { 2 * MBPS } else { MBPS }),
            rates,
            short,
        )?,
        lowest_rate: Rate(MBPS),
        cw_min,
        cw_max,
        sense_time: spec.sense_time.as_ref().map_or(Span::ZERO, |sense| sense.value.0),
        // The receiver says that a frame has begun when its PLCP header has passed.
        rx_start_delay: plcp,
    })
}

fn slot(spec: &PhySpec) -> Result<Span, Problem> {
    let slot = spec.slot.as_ref().map_or(Span::micros(20), |slot| slot.value.0);
    if let (Span::ZERO, Some(at)) = (slot, &spec.slot) {
        return Err(at.problem("a slot of no time; allowed: more than \"0 us\""));
    }
    if let Some(at) = spec.sense_time.as_ref().filter(|sense| sense.value.0 >= slot) {
        return Err(at.problem("as long as a slot; allowed: less than the slot"));
    }
    Ok(slot)
}

fn windows(spec: &PhySpec) -> Result<(u32, u32), Problem> {
    let cw_min = spec.cw_min.as_ref().map_or(31, |cw| cw.value);
    let cw_max = spec.cw_max.as_ref().map_or(LARGEST_CW.max(31), |cw| cw.value);
    if let Some(at) = spec.cw_max.as_ref().filter(|cw| cw.value > LARGEST_CW) {
        return Err(at.problem(format!("{cw_max} slots; allowed: up to {LARGEST_CW}")));
    }
    if let Some(at) = spec.cw_min.as_ref().or(spec.cw_max.as_ref())
        && cw_min > cw_max
    {
        let message =
            format!("cw_min = {cw_min} is above cw_max = {cw_max}; allowed: cw_min <= cw_max");
        return Err(at.problem(message));
    }
    Ok((cw_min, cw_max))
}

fn rate(
    spec: Option<&At<BitRate>>,
    default: Rate,
    allowed: Option<&[u64]>,
    short_preamble: bool,
) -> Result<Rate, Problem> {
    let Some(at) = spec else { return Ok(default) };
    let rate = at.value.0;
    if let Some(allowed) = allowed
        && !allowed.contains(&rate.0)
    {
        let names: Vec<String> = allowed.iter().map(|&bps| megabits(bps)).collect();
        let message = format!(
            "{} is no rate of this standard; allowed: {} (or standard = \"802.11b\" or \"custom\")",
            megabits(rate.0),
            names.join(", ")
        );
        return Err(at.problem(message));
    }
    if short_preamble && rate.0 < 2 * MBPS {
        return Err(at.problem("the short preamble is for 2 Mbps and more"));
    }
    Ok(rate)
}

fn megabits(bps: u64) -> String {
    format!("{} Mbps", bps as f64 / MBPS as f64)
}
