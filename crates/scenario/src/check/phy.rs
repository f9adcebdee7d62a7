//! 802.11 timing and rates: DSSS, HR/DSSS, OFDM and ERP (802.11-2020, clauses 15 to 18).

use crate::at::{At, Problem};
use crate::conventions::Conventions;
use crate::spec::{PhySpec, Preamble, StandardName};
use crate::units::BitRate;
use base::{Rate, Span};
use radio::Modulation;
use wifi::PhyConfig;
use wifi::phy::{self, Airtime, Mode, Standard, Width};

const MBPS: u64 = 1_000_000;

/// Draws come from a wheel of as many slots as 802.11's largest window.
const LARGEST_CW: u32 = 1023;

/// Timing and rates, with the standard's values for what is left out.
pub fn phy(spec: Option<&PhySpec>, conventions: &Conventions) -> Result<PhyConfig, Problem> {
    let empty = PhySpec::default();
    let spec = spec.unwrap_or(&empty);
    let standard = standard(spec)?;
    let mut phy = if spec.standard == Some(StandardName::Custom) {
        custom(spec, standard)?
    } else {
        let (data, control) = modes(standard, spec)?;
        PhyConfig::of(standard, data, control)
    };
    if conventions.exact_airtime && dsss(standard) {
        for airtime in [&mut phy.data, &mut phy.control, &mut phy.lowest] {
            *airtime = Airtime::plain(airtime.preamble, airtime.payload.rate());
        }
    }
    override_times(spec, &mut phy)?;
    Ok(phy)
}

/// How data frames and the answers to them are sent; `None` where any rate will do.
pub fn modulations(spec: &PhySpec) -> Result<Option<(Modulation, Modulation)>, Problem> {
    if spec.standard == Some(StandardName::Custom) {
        return Ok(None);
    }
    let standard = standard(spec)?;
    let (data, control) = modes(standard, spec)?;
    let answer = || phy::response_mode(data, &phy::basic_modes(standard));
    Ok(Some((data.modulation(), control.unwrap_or_else(answer).modulation())))
}

/// How frames at the lowest basic rate are sent.
pub fn basic_modulation(spec: &PhySpec) -> Result<Modulation, Problem> {
    let basic = phy::basic_modes(standard(spec)?);
    Ok(basic.first().map_or(Modulation::Dbpsk, |mode| mode.modulation()))
}

/// The mode of data frames, and that of control frames where it is asked for.
fn modes(standard: Standard, spec: &PhySpec) -> Result<(Mode, Option<Mode>), Problem> {
    let all = standard.modes();
    let fastest = *all.last().expect("every standard has rates");
    let data = mode(spec.rate.as_ref(), standard, spec)?.unwrap_or(fastest);
    Ok((data, mode(spec.control_rate.as_ref(), standard, spec)?))
}

/// The standard of a cell; a custom PHY is a variety of 802.11b.
pub fn standard(spec: &PhySpec) -> Result<Standard, Problem> {
    let preamble = spec.preamble.as_ref();
    let short = preamble.is_some_and(|preamble| preamble.value == Preamble::Short);
    let length = if short { phy::Preamble::Short } else { phy::Preamble::Long };
    let standard = match spec.standard {
        Some(StandardName::Hr | StandardName::Custom) => Standard::HrDsss(length),
        None | Some(StandardName::Dsss) => Standard::Dsss,
        Some(StandardName::A) => Standard::Ofdm(Width::Mhz20),
        Some(StandardName::G) => Standard::Erp,
    };
    match preamble {
        Some(at) if short && standard != Standard::HrDsss(length) => {
            Err(at.problem("only 802.11b has short preambles; allowed: leave it out"))
        }
        _ => Ok(standard),
    }
}

/// 802.11b's timing with any rate.
fn custom(spec: &PhySpec, standard: Standard) -> Result<PhyConfig, Problem> {
    let modes = standard.modes();
    let slowest = modes.first().expect("every standard has rates");
    let base = PhyConfig::of(standard, *slowest, None);
    let plain = |spec: Option<&At<BitRate>>, default: Rate| {
        Airtime::plain(base.data.preamble, spec.map_or(default, |at| at.value.0))
    };
    Ok(PhyConfig {
        data: plain(spec.rate.as_ref(), Rate(11 * MBPS)),
        control: plain(spec.control_rate.as_ref(), base.control.payload.rate()),
        ..base
    })
}

fn dsss(standard: Standard) -> bool {
    matches!(standard, Standard::Dsss | Standard::HrDsss(_))
}

/// The mode with a rate, where one is asked for.
fn mode(
    asked: Option<&At<BitRate>>,
    standard: Standard,
    spec: &PhySpec,
) -> Result<Option<Mode>, Problem> {
    let Some(at) = asked else { return Ok(None) };
    let rate = at.value.0;
    let any = spec.any_rate == Some(true);
    let found = if any { standard.mode_or_outside(rate) } else { standard.mode(rate) };
    if found.is_some() {
        return Ok(found);
    }
    let names: Vec<String> = standard.modes().iter().map(|mode| megabits(mode.rate())).collect();
    let other = if dsss(standard) {
        "standard = \"802.11b\", \"802.11g\" or \"custom\""
    } else {
        "any_rate = true"
    };
    let (found, names) = (megabits(rate), names.join(", "));
    let message = format!("{found} is no rate of this standard; allowed: {names} (or {other})");
    Err(at.problem(message))
}

fn megabits(rate: Rate) -> String {
    format!("{} Mbps", rate.0 as f64 / MBPS as f64)
}

fn override_times(spec: &PhySpec, phy: &mut PhyConfig) -> Result<(), Problem> {
    if let Some(at) = &spec.slot {
        if at.value.0 == Span::ZERO {
            return Err(at.problem("a slot of no time; allowed: more than \"0 us\""));
        }
        phy.slot = at.value.0;
    }
    if let Some(at) = &spec.sifs {
        phy.sifs = at.value.0;
    }
    if let Some(at) = &spec.sense_time {
        if at.value.0 >= phy.slot {
            return Err(at.problem("as long as a slot; allowed: less than the slot"));
        }
        phy.sense_time = at.value.0;
    }
    override_windows(spec, phy)
}

fn override_windows(spec: &PhySpec, phy: &mut PhyConfig) -> Result<(), Problem> {
    let cw_min = spec.cw_min.as_ref().map_or(phy.cw_min, |cw| cw.value);
    let cw_max = spec.cw_max.as_ref().map_or(phy.cw_max, |cw| cw.value);
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
    (phy.cw_min, phy.cw_max) = (cw_min, cw_max);
    Ok(())
}
