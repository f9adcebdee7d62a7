//! 802.11 timing and rates: DSSS, HR/DSSS, OFDM and ERP (802.11-2020, clauses 15 to 18).

use crate::at::{At, Problem, Said};
use crate::spec::{Conventions, PhySpec, StandardName};
use crate::units::BitRate;
use base::{Rate, Span};
use radio::Modulation;
use wifi::PhyConfig;
use wifi::phy::{self, Airtime, Mode, Preamble, Standard, Width};
use wifi::rate::{Ladder, Modulations, RateRule, Rung};

const MBPS: u64 = 1_000_000;

/// Draws come from a wheel of as many slots as 802.11's largest window.
const LARGEST_CW: u32 = 1023;

/// The long preamble and the PLCP header (802.11-2020, 15.2.2), which ns-2 sent at the data's rate until 13 March 2002.
const PLCP_BITS: u64 = 144 + 48;

/// Timing and rates, with the standard's values for what is left out.
fn phy(spec: &PhySpec, conventions: Conventions) -> Result<PhyConfig, Problem> {
    let standard = standard(spec)?;
    let mut phy = if spec.standard().value.0 == StandardName::Custom {
        custom(spec, standard)?
    } else {
        let (data, control) = modes(standard, spec)?;
        PhyConfig::of(standard, data, control)
    };
    if conventions.are_ns2() && dsss(standard) {
        let own = (conventions.are_before_2002() && spec.preamble.is_none())
            .then(|| phy.data.payload.rate().time_for_bits(PLCP_BITS));
        for airtime in [&mut phy.data, &mut phy.control, &mut phy.lowest] {
            let preamble = own.unwrap_or(airtime.preamble);
            *airtime = Airtime::plain(preamble, airtime.payload.rate());
        }
    }
    override_times(spec, &mut phy)?;
    Ok(phy)
}

/// The rates of a station: one, or those among which its rate control chooses.
pub fn ladder(spec: &PhySpec, conventions: Conventions) -> Result<Ladder, Problem> {
    let rule = spec.rate_control().value.0.rule();
    let rates = rates(spec, rule)?;
    let rung = |rate: Option<&At<BitRate>>| {
        let spec = PhySpec { rate: rate.cloned(), ..spec.clone() };
        let control_rate = control_rate(&spec, conventions)?;
        let spec = PhySpec { control_rate, ..spec };
        Ok(Rung { phy: phy(&spec, conventions)?, modulations: modulations(&spec)? })
    };
    let Some(rates) = rates else {
        return Ok(Ladder { rungs: vec![rung(spec.rate.as_ref())?], first: 0, rule });
    };
    let first = match &spec.rate {
        None => Some(0),
        Some(at) => rates.iter().position(|rate| rate.value.0 == at.value.0),
    };
    let Some(first) = first else {
        let at = spec.rate.as_ref().expect("it is not among the others");
        return Err(
            at.problem("this rate is not among the rates, with one of which rate control begins")
        );
    };
    let rungs = rates.iter().map(|rate| rung(Some(rate))).collect::<Result<_, _>>()?;
    Ok(Ladder { rungs, first, rule })
}

/// The rate of control frames, where the file or ns-2 says one: 1 Mbit/s since 13 March 2002 (`basicRate_`), the data's before.
fn control_rate(spec: &PhySpec, conventions: Conventions) -> Result<Option<At<BitRate>>, Problem> {
    let standard = standard(spec)?;
    if spec.control_rate.is_some() || !conventions.are_ns2() || !dsss(standard) {
        return Ok(spec.control_rate.clone());
    }
    let usual = if conventions.are_before_2002() {
        match &spec.rate {
            Some(at) => at.value.0,
            None => standard.modes().last().expect("every standard has rates").rate(),
        }
    } else {
        Rate(MBPS)
    };
    // Behind short preambles there is no 1 Mbit/s.
    let sent = spec.standard().value.0 == StandardName::Custom || standard.mode(usual).is_some();
    Ok(sent.then_some(At { value: BitRate(usual), place: 0..0 }))
}

/// The rates among which a rule chooses, slow to fast; `None` where there is one only.
fn rates(spec: &PhySpec, rule: RateRule) -> Result<Option<Vec<At<BitRate>>>, Problem> {
    let Some(control) = spec.rate_control.as_ref().filter(|_| rule != RateRule::Fixed) else {
        let message =
            "rates are those among which rate_control chooses; with a fixed rate give rate instead";
        return spec.rates.as_ref().map_or(Ok(None), |at| Err(at.problem(message)));
    };
    if spec.standard().value.0 == StandardName::Custom {
        return Err(control.out_of_range("a custom PHY has one rate; allowed: \"fixed\""));
    }
    let mut rates = match &spec.rates {
        Some(at) if at.value.is_empty() => return Err(at.out_of_range("allowed: one rate or more")),
        Some(at) => at.value.clone(),
        None => {
            let all = standard(spec)?.modes().into_iter();
            all.map(|mode| control.with(BitRate(mode.rate()))).collect()
        }
    };
    rates.sort_by_key(|rate| rate.value.0);
    if let Some(twice) = rates.windows(2).find(|pair| pair[0].value.0 == pair[1].value.0) {
        return Err(twice[1].problem("this rate is named twice"));
    }
    Ok(Some(rates))
}

/// How frames are sent; with a custom PHY that is not known, and nobody asks.
fn modulations(spec: &PhySpec) -> Result<Modulations, Problem> {
    if spec.standard().value.0 == StandardName::Custom {
        return Ok(Modulations::alike(Modulation::Dbpsk));
    }
    let standard = standard(spec)?;
    let (data, control) = modes(standard, spec)?;
    let basic = phy::basic_modes(standard);
    let answer = control.unwrap_or_else(|| phy::response_mode(data, &basic));
    Ok(Modulations {
        data: data.modulation(),
        answers: answer.modulation(),
        basic: basic.first().unwrap_or(&answer).modulation(),
    })
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
    let length = spec.preamble.said_or(Preamble::Long);
    let short = length == Preamble::Short;
    let standard = match spec.standard().value.0 {
        StandardName::Hr | StandardName::Custom => Standard::HrDsss(length),
        StandardName::Dsss => Standard::Dsss,
        StandardName::A => Standard::Ofdm(Width::Mhz20),
        StandardName::G => Standard::Erp,
        StandardName::Mixed => Standard::ErpMixed(length),
    };
    match preamble {
        Some(at) if short && !matches!(standard, Standard::HrDsss(_) | Standard::ErpMixed(_)) => {
            let message = "only 802.11b and 802.11bg have short preambles; allowed: leave it out";
            Err(at.out_of_range(message))
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
    let found =
        if spec.any_rate().value { standard.mode_or_outside(rate) } else { standard.mode(rate) };
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
    let message = format!("{found} is not a rate of this standard; allowed: {names} (or {other})");
    Err(at.out_of_range(message))
}

fn megabits(rate: Rate) -> String {
    format!("{} Mbps", rate.0 as f64 / MBPS as f64)
}

fn override_times(spec: &PhySpec, phy: &mut PhyConfig) -> Result<(), Problem> {
    if let Some(at) = &spec.slot {
        if at.value.0 == Span::ZERO {
            return Err(at.out_of_range("a slot of no time; allowed: more than \"0 us\""));
        }
        phy.slot = at.value.0;
    }
    if let Some(at) = &spec.sifs {
        phy.sifs = at.value.0;
    }
    if let Some(at) = &spec.sense_time {
        if at.value.0 >= phy.slot {
            return Err(at.out_of_range("it is as long as a slot; allowed: less than the slot"));
        }
        phy.sense_time = at.value.0;
    }
    override_windows(spec, phy)
}

fn override_windows(spec: &PhySpec, phy: &mut PhyConfig) -> Result<(), Problem> {
    let cw_min = spec.cw_min.as_ref().map_or(phy.cw_min, |cw| cw.value);
    let cw_max = spec.cw_max.as_ref().map_or(phy.cw_max, |cw| cw.value);
    if let Some(at) = spec.cw_max.as_ref().filter(|cw| cw.value > LARGEST_CW) {
        return Err(at.out_of_range(format!("{cw_max} slots; allowed: up to {LARGEST_CW}")));
    }
    if let Some(at) = spec.cw_min.as_ref().or(spec.cw_max.as_ref())
        && cw_min > cw_max
    {
        let message =
            format!("cw_min = {cw_min} is above cw_max = {cw_max}; allowed: cw_min <= cw_max");
        return Err(at.out_of_range(message));
    }
    (phy.cw_min, phy.cw_max) = (cw_min, cw_max);
    Ok(())
}
