//! 802.11 timing and rates: DSSS, HR/DSSS, OFDM and ERP (802.11-2020, clauses 15 to 18).

use super::context::Context;
use crate::at::{At, Problem};
use crate::overlays::Settled;
use crate::spec::PhySpec;
use crate::units::BitRate;
use base::{Named, Rate, Settings};
use std::sync::Arc;
use wifi::phy::{
    Band, Impossible, Line, NoSuchRate, PhySettings, Preamble, Standard, StandardName,
};
use wifi::rate::{Ladder, RateChoice, RateRule, Rung};

/// What a cell of 802.11n or later has to do with older standards.
#[derive(Clone, Copy, Default)]
pub struct Older {
    /// The standard whose rates alone the station has.
    pub standard: Option<StandardName>,
    /// Some station of the cell is one of 802.11b.
    pub beside_dsss: bool,
}

/// Returns the rates of a station: one, or those among which its rate control chooses.
pub fn ladder(spec: &PhySpec, older: Older, context: &Context<'_>) -> Result<Ladder, Problem> {
    let mut settled = context.overlays.settled(&spec.settings);
    (settled.value.older, settled.value.beside_dsss) = (older.standard, older.beside_dsss);
    let settings = settled.value;
    let rule = settings.rate_control.rule();
    refuse_preamble(&settled)?;
    refuse_impossible(&settled)?;
    let rates = rates(spec, &settled, rule, context)?;
    let rung = |rate: Option<&At<BitRate>>| {
        let rate_of = rate.map_or(settings.rate, |rate| Some(rate.value.0));
        let rung = PhySettings { rate: rate_of, ..settings }.rung();
        let rung = rung.map_err(|wrong| no_such_rate(wrong, rate, &settled))?;
        refuse_times(&settled, &rung)?;
        Ok(rung)
    };
    let is_modern = settings.generation().is_some() && older.standard.is_none();
    if is_modern && settings.rate_control.has_all_streams() && spec.rates.is_none() {
        return of_all_streams(&settled, rule);
    }
    let Some(rates) = rates else {
        return Ok(Ladder { rungs: Arc::new([rung(None)?]), first: 0, rule });
    };
    let first = match settings.rate {
        None => Some(0),
        Some(first) => rates.iter().position(|rate| rate.value.0 == first),
    };
    let Some(first) = first else {
        let message = "this rate is not among the rates, with one of which rate control begins";
        let at = settled.at(&["rate"]);
        return Err(at.map_or_else(|| rates[0].problem(message), |at| at.problem(message)));
    };
    let rungs: Vec<Rung> = rates.iter().map(|rate| rung(Some(rate))).collect::<Result<_, _>>()?;
    let is_older = |rung: &Rung| rung.mode.is_none();
    if settings.generation().is_some()
        && let Some(place) = rungs.iter().position(is_older)
        && !rungs.iter().all(is_older)
    {
        return Err(rates[place].problem(
            "a station has the rates of its MCS or older ones here; allowed: rates of one kind",
        ));
    }
    Ok(Ladder { rungs: rungs.into(), first, rule })
}

/// Returns the rates of all numbers of streams up to the configured one.
fn of_all_streams(settled: &Settled<PhySettings>, rule: RateRule) -> Result<Ladder, Problem> {
    let settings = settled.value;
    let rungs = settings.rungs_of_all_streams();
    let rungs = rungs.map_err(|wrong| no_such_rate(wrong, None, settled))?;
    rungs.first().map_or(Ok(()), |rung| refuse_times(settled, rung))?;
    let begins =
        |rung: &Rung| settings.rate.is_none_or(|rate| rung.phy.data.payload.rate() == rate);
    match rungs.iter().position(begins) {
        Some(first) => Ok(Ladder { rungs: rungs.into(), first, rule }),
        None => {
            let rate = settings.rate.unwrap_or_default();
            Err(no_such_rate(NoSuchRate { rate, is_control: false }, None, settled))
        }
    }
}

/// Keys of 802.11n, 802.11ac and 802.11ax alone.
pub const MODERN: [&str; 7] =
    ["mcs", "streams", "width", "guard_interval", "band", "preambles", "coding"];

/// Refuses widths, streams, guard intervals and MCS that the generation does not have.
fn refuse_impossible(settled: &Settled<PhySettings>) -> Result<(), Problem> {
    let settings = &settled.value;
    let Some(generation) = settings.generation() else {
        // A key may give the value in force.
        let usual = PhySettings::default().given();
        let said = settings.given().into_iter().zip(usual);
        let other = said.filter(|(own, usual)| own != usual).map(|(own, _)| own.0);
        let keys = other.filter(|key| MODERN.contains(key));
        return match keys.filter_map(|key| settled.at(&[key])).next() {
            Some(at) => Err(at.problem(
                "only 802.11n, 802.11ac and 802.11ax have this key; set their standard, or leave it out",
            )),
            None => Ok(()),
        };
    };
    if let Some(at) = settled.at(&["mcs"]).filter(|_| settings.mcs.is_some()) {
        if settings.rate.is_some() {
            return Err(at.problem("rate and mcs both give the rate; leave one out"));
        }
        if settings.rate_control != RateChoice::Fixed {
            return Err(at.problem(
                "rate_control chooses the MCS; leave one out, or give the rate that it begins with",
            ));
        }
    }
    let Err(impossible) = settings.possible() else { return Ok(()) };
    let widths = Line::widths(generation).map(|width| format!("\"{width} MHz\""));
    let guards = Line::guards(generation).map(|guard| format!("\"{} us\"", guard.0 as f64 / 1e3));
    let listed = |all: Vec<String>| all.join(", ");
    let (key, what, allowed) = match impossible {
        Impossible::Width => ("width", "channel of this width", listed(widths.collect())),
        Impossible::Streams => {
            let most = Line::most_streams(generation);
            ("streams", "such number of streams", format!("1 to {most}"))
        }
        Impossible::Guard => ("guard_interval", "such guard interval", listed(guards.collect())),
        Impossible::Coding => (
            "coding",
            "such coding",
            "\"ldpc\", or \"bcc\" up to 20 MHz, four streams and MCS 9".to_owned(),
        ),
        Impossible::Mcs => {
            let all = settings.schemes().map(|mcs| mcs.to_string());
            ("mcs", "such MCS with this width and these streams", listed(all.collect()))
        }
    };
    let message = format!("{} has no {what}; allowed: {allowed}", settings.standard.name());
    let place = settled.at(&[key, "standard"]).map(|at| at.place.clone());
    Err(At { value: (), place: place.unwrap_or_default() }.out_of_range(message))
}

fn refuse_preamble(settled: &Settled<PhySettings>) -> Result<(), Problem> {
    let settings = &settled.value;
    let has_short = match settings.standard() {
        Standard::HrDsss(_) | Standard::ErpMixed(_) => true,
        // Of its older stations.
        Standard::Modern(line) => line.at_2_4_ghz,
        Standard::Dsss | Standard::Ofdm(_) | Standard::Erp => false,
    };
    let short = settings.preamble == Some(Preamble::Short);
    match settled.at(&["preamble"]).filter(|_| short && !has_short) {
        Some(at) => {
            let message = "only 802.11b and 802.11bg have short preambles, and cells of 802.11n or later in the 2.4 GHz band; allowed: leave it out";
            Err(at.out_of_range(message))
        }
        None => Ok(()),
    }
}

/// Returns the rates among which a rule chooses, slow to fast; `None` where there is only one.
fn rates(
    spec: &PhySpec,
    settled: &Settled<PhySettings>,
    rule: RateRule,
    context: &Context<'_>,
) -> Result<Option<Vec<At<BitRate>>>, Problem> {
    if rule == RateRule::Fixed {
        let message =
            "rates are those among which rate_control chooses; with a fixed rate give rate instead";
        return spec.rates.as_ref().map_or(Ok(None), |at| Err(at.problem(message)));
    }
    let control = settled.at(&["rate_control"]);
    let control = control.map_or(0..0, |at| at.place.clone());
    if settled.value.standard == StandardName::Custom {
        let at = At { value: (), place: control };
        return Err(at.out_of_range("a custom PHY has one rate; allowed: \"fixed\""));
    }
    let said = spec.rates.clone().or_else(|| context.overlays.rates().map(|(_, rates)| rates));
    let mut rates = match said {
        Some(at) if at.value.is_empty() => return Err(at.out_of_range("allowed: one rate or more")),
        Some(at) => at.value,
        None => {
            let all = settled.value.modes().into_iter();
            all.map(|mode| At { value: BitRate(mode.rate()), place: control.clone() }).collect()
        }
    };
    rates.sort_by_key(|rate| rate.value.0);
    if let Some(twice) = rates.windows(2).find(|pair| pair[0].value.0 == pair[1].value.0) {
        return Err(twice[1].problem("this rate is named twice"));
    }
    Ok(Some(rates))
}

/// Returns the problem that the standard has no such rate, at the key that requests it.
fn no_such_rate(
    wrong: NoSuchRate,
    of_list: Option<&At<BitRate>>,
    settled: &Settled<PhySettings>,
) -> Problem {
    let settings = &settled.value;
    let keys: &[&str] = if wrong.is_control { &["control_rate"] } else { &["rate"] };
    let place = of_list.filter(|_| !wrong.is_control).map(|at| at.place.clone());
    let place = place.or_else(|| settled.at(keys).map(|at| at.place.clone()));
    let found = megabits(wrong.rate);
    let at = At { value: (), place: place.unwrap_or_default() };
    if settings.generation().is_some() && !wrong.is_control {
        return at.out_of_range(no_such_rate_of_modern(&found, settings));
    }
    let names = listed(settings.standard().modes().iter().map(|mode| mode.rate()));
    let other = if settings.generation().is_some() {
        "mcs in its place".to_owned()
    } else if settings.is_dsss() {
        format!("standard = {}", standards_of(wrong.rate).join(" or "))
    } else {
        "any_rate = true".to_owned()
    };
    at.out_of_range(format!(
        "{found} is not a rate of this standard; allowed: {names} (or {other})"
    ))
}

/// The standards of 2.4 GHz that have a rate, in quotes; the last has any.
fn standards_of(rate: Rate) -> Vec<String> {
    let has = |standard: &StandardName| {
        let settings = PhySettings { standard: *standard, ..PhySettings::default() };
        settings.standard().modes().iter().any(|mode| mode.rate() == rate)
    };
    let names = [StandardName::Hr, StandardName::G, StandardName::Mixed].into_iter().filter(has);
    names.chain([StandardName::Custom]).map(|name| format!("\"{}\"", name.name())).collect()
}

/// Says which rates a station has in a cell of 802.11n or later.
fn no_such_rate_of_modern(found: &str, settings: &PhySettings) -> String {
    let own = listed(settings.modes().iter().map(|mode| mode.rate()));
    if let Some(older) = settings.older {
        let name = older.name();
        return format!("{found} is not a rate of {name} in this cell; allowed: {own}");
    }
    if settings.rate_control != RateChoice::Fixed {
        return format!(
            "{found} is not among the rates of which rate_control chooses; allowed: {own}; or set rate_control to \"fixed\" beside an older rate"
        );
    }
    let older = listed(settings.older_rates().into_iter());
    let other = match settings.band {
        Band::Lower => "",
        Band::Upper => "; 1, 2, 5.5 and 11 Mbps are of the 2.4 GHz band (band = \"2.4 GHz\")",
    };
    format!(
        "{found} is not a rate of this cell; allowed: {own} (or mcs in its place), and those of older stations in this band: {older}{other}"
    )
}

fn listed(rates: impl Iterator<Item = Rate>) -> String {
    rates.map(megabits).collect::<Vec<_>>().join(", ")
}

fn megabits(rate: Rate) -> String {
    format!("{} Mbps", rate.0 as f64 / 1e6)
}

fn refuse_times(settled: &Settled<PhySettings>, rung: &Rung) -> Result<(), Problem> {
    let phy = &rung.phy;
    if let Some(at) = settled.at(&["sense_time"]).filter(|_| phy.sense_time >= phy.slot) {
        return Err(at.out_of_range("it is as long as a slot; allowed: less than the slot"));
    }
    let (cw_min, cw_max) = (phy.cw_min, phy.cw_max);
    match settled.at(&["cw_min", "cw_max"]).filter(|_| cw_min > cw_max) {
        None => Ok(()),
        Some(at) => Err(at.out_of_range(format!(
            "cw_min = {cw_min} is above cw_max = {cw_max}; allowed: cw_min <= cw_max"
        ))),
    }
}
