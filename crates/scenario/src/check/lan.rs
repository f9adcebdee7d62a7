//! Shared wired LANs.

use super::context::Context;
use super::links;
use super::members::{cell_name, join};
use super::names::Nodes;
use crate::at::{At, Problem};
use crate::overlays::Settled;
use crate::radio_units::Length;
use crate::settings::Set;
use crate::spec::LanSpec;
use crate::value::Value;
use base::{Named, NodeId, Settings, Span};
use net::{LanAccess, LanConfig, LanSettings, Reach};
use radio::propagation::LIGHT_M_PER_S;
use world::{CellPlan, LanPlan, WimaxPlan};

/// Returns all LANs; names are unique among cells and LANs.
pub fn lans(
    context: &Context<'_>,
    nodes: &mut Nodes,
    cells: &[CellPlan],
    wimax: &[WimaxPlan],
) -> Vec<LanPlan> {
    let mut plans: Vec<LanPlan> = Vec::new();
    for (i, lan) in context.spec.lan.iter().enumerate() {
        let is_taken = |name: &str| {
            let others = cells.iter().map(|plan| &plan.name);
            let others = others.chain(wimax.iter().map(|plan| &plan.name));
            others.chain(plans.iter().map(|plan| &plan.name)).any(|known| known == name)
        };
        let name = context.keep(cell_name(lan, lan.name.as_ref(), ("lan", i), is_taken));
        let Some(stations) = context.keep(members(lan, nodes)) else {
            nodes.lack_some();
            continue;
        };
        let Some(config) = context.keep(config(lan, stations.len(), context)) else { continue };
        let link_layer_delay = lan.link_layer_delay().value.0;
        plans.push(LanPlan { name: name.unwrap_or_default(), stations, config, link_layer_delay });
    }
    plans
}

fn members(lan: &At<LanSpec>, nodes: &mut Nodes) -> Result<Vec<NodeId>, Problem> {
    let mut stations = Vec::new();
    join(&mut stations, &lan.stations, "host", nodes)?;
    if stations.len() < 2 {
        let said = "a single station has nobody to send to; allowed: two or more";
        return Err(lan.stations.out_of_range(said));
    }
    Ok(stations)
}

fn config(lan: &At<LanSpec>, stations: usize, context: &Context<'_>) -> Result<LanConfig, Problem> {
    let settled = context.overlays.settled(&lan.settings);
    let queue = links::shared_queue(lan.queue.as_ref(), context)?;
    fits_access(lan, &settled, context)?;
    let reach = reach(lan, stations, &settled)?;
    let bursts = lan.bursts.as_ref().map(|table| links::bursts(&table.value)).transpose()?;
    Ok(LanConfig { rules: settled.value, stations, reach, queue, bursts })
}

/// Refuses keys of the other access method, which have no effect, unless they give the value in force.
fn fits_access(
    lan: &At<LanSpec>,
    settled: &Settled<LanSettings>,
    context: &Context<'_>,
) -> Result<(), Problem> {
    let access = settled.value.access;
    let (strange, theirs): (&[&str], _) = match access {
        LanAccess::CsmaCd => (&["ifs", "slot", "cw_min", "cw_max"], LanAccess::CsmaCa),
        LanAccess::CsmaCa => (&["collisions", "backoff_limit"], LanAccess::CsmaCd),
    };
    let mut bare = Set::<LanSettings>::default();
    if let Some(preset) = lan.settings.at("preset") {
        bare.put("preset", preset.clone());
    }
    let usual = context.overlays.settled(&bare).value.given();
    for key in strange {
        let holds = usual.iter().find(|(name, _)| name == key).map(|(_, value)| value);
        if let Some(at) = lan.settings.at(key).filter(|at| Some(&at.value) != holds) {
            let (theirs, access) = (theirs.name(), access.name());
            return Err(at.problem(format!(
                "{key} is a rule of access = \"{theirs}\"; this LAN has \"{access}\""
            )));
        }
    }
    if let (LanAccess::CsmaCa, 1, Some(at)) =
        (access, settled.value.attempt_limit, settled.at(&["attempt_limit"]))
    {
        let said = "a frame that finds the medium taken needs a second attempt; allowed with csma-ca: 2 or more";
        return Err(at.out_of_range(said));
    }
    if let (LanAccess::CsmaCa, Some(length)) = (access, &lan.length) {
        return Err(length.problem("with csma-ca all stations are one delay apart; give delay"));
    }
    Ok(())
}

/// Returns the propagation delays. With CSMA/CD a collision must be noticed within a slot: later it would go unnoticed.
fn reach(
    lan: &At<LanSpec>,
    stations: usize,
    settled: &Settled<LanSettings>,
) -> Result<Reach, Problem> {
    let settings = &settled.value;
    let said_delay = lan.settings.at("delay");
    let per_metre = 1.0 / (LIGHT_M_PER_S * settings.velocity);
    let span = |metres: f64| Span::from_secs(metres * per_metre);
    if let (Some(at), Some(_)) = (said_delay, &lan.length) {
        let said = "delay and length both set the propagation delay; give one of them";
        return Err(at.problem(said));
    }
    if let (Some(at), None) = (&lan.places, &lan.length) {
        return Err(at.problem("places on a bus need its length"));
    }
    let reach = match (&lan.length, &lan.places) {
        (None, _) => Reach::Alike(settings.delay),
        (Some(length), None) => {
            let step = length.value.0 / (stations - 1) as f64;
            Reach::Bus((0..stations).map(|i| span(step * i as f64)).collect())
        }
        (Some(length), Some(places)) => {
            if places.len() != stations {
                let (said, had) = (places.len(), stations);
                return Err(places.problem(format!(
                    "{said} places for {had} stations; give one place for each station"
                )));
            }
            let place = |at: &At<String>| {
                let metres = Length::from_text(at).map_err(|why| at.problem(why))?.0;
                if metres > length.value.0 {
                    return Err(at.problem("this place is beyond the end of the bus"));
                }
                Ok(span(metres))
            };
            Reach::Bus(places.iter().map(place).collect::<Result<_, _>>()?)
        }
    };
    let longest = LanConfig::longest_way(settings.rate);
    if settings.access == LanAccess::CsmaCd && reach.widest() > longest {
        let message = format!(
            "a signal takes {} us from end to end: a collision would not be noticed within a slot; allowed: up to {} us at this rate",
            reach.widest().0 as f64 / 1e3,
            longest.0 as f64 / 1e3
        );
        let at = settled.at(&["delay"]).map(|at| at.out_of_range(&*message));
        let at = at.or_else(|| lan.length.as_ref().map(|at| at.out_of_range(&*message)));
        return Err(at.unwrap_or_else(|| lan.out_of_range(&*message)));
    }
    Ok(reach)
}
