//! Association: who looks for an access point, and how.

use super::bounds::{bounded, number};
use super::context::Context;
use crate::at::{At, Problem};
use crate::spec::{AssociationName, AssociationSpec, ScanName, ScenarioSpec};
use crate::units::Duration;
use base::Span;
use radio::noise::dbm_from_w;
use wifi::Channel;
use wifi::mlme::{AccessPointConfig, AssociationConfig, Elements, ScanConfig};
use world::{AssociationPlan, CellPlan};

/// True where stations go from channel to channel.
pub fn roams(spec: &ScenarioSpec) -> bool {
    spec.association.as_ref().is_some_and(|at| mode(at) == AssociationName::Signal)
}

fn mode(spec: &AssociationSpec) -> AssociationName {
    spec.mode().value.0
}

/// What cells and stations do about association.
pub fn association(
    context: &Context<'_>,
    cells: &[CellPlan],
) -> Result<Option<AssociationPlan>, Problem> {
    let Some(at) = &context.spec.association else { return Ok(None) };
    if cells.iter().all(|cell| cell.access_point.is_none()) {
        return Err(at.problem("no cell has an access point; allowed: a cell with access_point"));
    }
    let elements = elements(context, at)?;
    let interval = at_least(Some(&at.beacon_interval()), Span::ZERO, Span::millis(1))?;
    let beacons = match mode(at) {
        AssociationName::Signal => true,
        AssociationName::Static => at.beacon_interval.is_some(),
        AssociationName::Ns2 => false,
    };
    if !beacons {
        return Ok(None);
    }
    let count = cells.iter().filter(|cell| cell.access_point.is_some()).count() as u64;
    let mut before = 0;
    let access_point = |(cell, &elements): (&CellPlan, &Elements)| {
        cell.access_point?;
        let offset = Span(interval.0 / count * before);
        before += 1;
        Some(AccessPointConfig { beacon_interval: interval, offset, elements })
    };
    let access_points = cells.iter().zip(&elements).map(access_point).collect();
    let first = cells.iter().position(|cell| cell.access_point.is_some()).unwrap_or(0);
    let stations = (mode(at) == AssociationName::Signal)
        .then(|| stations(at, cells, elements[first], interval))
        .transpose()?;
    Ok(Some(AssociationPlan { access_points, stations }))
}

/// By cell.
fn elements(context: &Context<'_>, at: &At<AssociationSpec>) -> Result<Vec<Elements>, Problem> {
    let ssid_bytes = bounded(&at.ssid_bytes(), (0, 32))?;
    let of_cell = |cell: &At<crate::spec::CellSpec>| {
        let phy = cell.phy.as_ref().map(|phy| phy.value.settings.clone()).unwrap_or_default();
        let standard = context.overlays.settled(&phy).value.standard();
        Elements { ssid_bytes, ..Elements::of(standard) }
    };
    Ok(context.spec.cell.iter().map(of_cell).collect())
}

fn stations(
    at: &At<AssociationSpec>,
    cells: &[CellPlan],
    elements: Elements,
    interval: Span,
) -> Result<AssociationConfig, Problem> {
    let default = AssociationConfig::new(channels(at, cells)?, elements);
    let failed = at.failed_packets.as_ref();
    Ok(AssociationConfig {
        scan: scan(at, interval)?,
        switch_time: span(at.channel_switch_time.as_ref(), default.switch_time),
        authentication_timeout: at_least(
            at.authentication_timeout.as_ref(),
            default.authentication_timeout,
            Span::millis(1),
        )?,
        association_timeout: at_least(
            at.association_timeout.as_ref(),
            default.association_timeout,
            Span::millis(1),
        )?,
        attempts: count(at.attempts.as_ref(), default.attempts, (1, 100))?,
        missed_beacons: count(at.missed_beacons.as_ref(), default.missed_beacons, (2, 1000))?,
        failed_packets: failed.map(|_| count(failed, 1, (1, 1_000_000))).transpose()?,
        signal_weight: number(at.signal_weight.as_ref(), default.signal_weight, (0.001, 1.0))?,
        roam_below_dbm: at.roam_below.as_ref().map(|power| dbm_from_w(power.value.0)),
        hysteresis_db: number(at.hysteresis_db.as_ref(), default.hysteresis_db, (0.0, 100.0))?,
        rescan_interval: at_least(
            at.rescan_interval.as_ref(),
            default.rescan_interval,
            Span::millis(1),
        )?,
        ..default
    })
}

/// The channels to scan: those of the cells in the order of the file, unless others are named.
fn channels(at: &At<AssociationSpec>, cells: &[CellPlan]) -> Result<Vec<Channel>, Problem> {
    let mut found: Vec<Channel> = Vec::new();
    let of_cells = cells.iter().filter(|cell| cell.access_point.is_some());
    let named = at.channels.as_ref();
    let all = named.map_or_else(
        || of_cells.map(CellPlan::channel_number).collect(),
        |named| named.value.clone(),
    );
    for channel in all {
        if !found.contains(&channel) {
            found.push(channel);
        } else if let Some(named) = named {
            return Err(named.out_of_range(format!("channel {channel} twice; allowed: each once")));
        }
    }
    match named {
        Some(named) if found.is_empty() => {
            Err(named.out_of_range("no channel; allowed: one or more, such as [1, 6, 11]"))
        }
        _ => Ok(found),
    }
}

fn scan(at: &At<AssociationSpec>, interval: Span) -> Result<ScanConfig, Problem> {
    let passive = at.scan.as_ref().is_some_and(|scan| scan.value.0 == ScanName::Passive);
    let times = [&at.probe_delay, &at.min_channel_time, &at.max_channel_time];
    let stray = if passive { times.into_iter().flatten().next() } else { at.dwell.as_ref() };
    if let Some(stray) = stray {
        let other = if passive { "active" } else { "passive" };
        return Err(
            stray.out_of_range(format!("this is for scan = \"{other}\"; allowed: leave it out"))
        );
    }
    match ScanConfig::ACTIVE {
        ScanConfig::Active { probe_delay, min_channel_time, max_channel_time } if !passive => {
            let least = Span::micros(100);
            let least = at_least(at.min_channel_time.as_ref(), min_channel_time, least)?;
            let most = at_least(at.max_channel_time.as_ref(), max_channel_time.max(least), least)?;
            let probe_delay = span(at.probe_delay.as_ref(), probe_delay);
            Ok(ScanConfig::Active { probe_delay, min_channel_time: least, max_channel_time: most })
        }
        _ => {
            let dwell = at_least(at.dwell.as_ref(), Span(interval.0 / 10 * 11), interval)?;
            Ok(ScanConfig::Passive { dwell })
        }
    }
}

fn span(at: Option<&At<Duration>>, default: Span) -> Span {
    at.map_or(default, |at| at.value.0)
}

fn at_least(at: Option<&At<Duration>>, default: Span, least: Span) -> Result<Span, Problem> {
    match at {
        Some(at) if at.value.0 < least => {
            let least_ms = least.as_secs() * 1e3;
            Err(at.out_of_range(format!("too short; allowed: \"{least_ms} ms\" or more")))
        }
        _ => Ok(span(at, default)),
    }
}

fn count(at: Option<&At<u32>>, default: u32, (least, most): (u32, u32)) -> Result<u32, Problem> {
    let Some(at) = at else { return Ok(default) };
    if (least..=most).contains(&at.value) {
        return Ok(at.value);
    }
    Err(at.out_of_range(format!("{}; allowed: {least} to {most}", at.value)))
}
