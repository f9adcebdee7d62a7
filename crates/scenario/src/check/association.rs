//! Association: which stations look for an access point, and how they scan.

use super::context::Context;
use crate::at::{At, Problem};
use crate::overlays::Settled;
use crate::spec::AssociationSpec;
use base::Span;
use wifi::Channel;
use wifi::mlme::{
    AccessPointConfig, AssociationConfig, AssociationName, AssociationSettings, Elements, ScanName,
};
use world::{AssociationPlan, CellPlan};

/// Returns true where stations change their channel.
pub fn roams(context: &Context<'_>) -> bool {
    let settled =
        context.spec.association.as_ref().map(|at| context.overlays.settled(&at.settings));
    settled.is_some_and(|settled| settled.value.mode == AssociationName::Signal)
}

/// Plans association for all cells and stations.
pub fn association(
    context: &Context<'_>,
    cells: &[CellPlan],
) -> Result<Option<AssociationPlan>, Problem> {
    let Some(at) = &context.spec.association else { return Ok(None) };
    if cells.iter().all(|cell| cell.access_point.is_none()) {
        return Err(at.problem("no cell has an access point; allowed: a cell with access_point"));
    }
    let settled = context.overlays.settled(&at.settings);
    let AssociationSettings { mode, beacon_interval: interval, ssid_bytes, .. } = settled.value;
    let elements = elements(context, ssid_bytes);
    let beacons = match mode {
        AssociationName::Signal => true,
        AssociationName::Static => settled.at(&["beacon_interval"]).is_some(),
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
    let stations = (mode == AssociationName::Signal)
        .then(|| stations(at, &settled, cells, elements[first]))
        .transpose()?;
    Ok(Some(AssociationPlan { access_points, stations }))
}

/// Returns the elements of management frames, by cell.
fn elements(context: &Context<'_>, ssid_bytes: u32) -> Vec<Elements> {
    let of_cell = |cell: &At<crate::spec::CellSpec>| {
        let phy = cell.phy.as_ref().map(|phy| phy.value.settings.clone()).unwrap_or_default();
        let standard = context.overlays.settled(&phy).value.standard();
        Elements { ssid_bytes, ..Elements::of(standard) }
    };
    context.spec.cell.iter().map(of_cell).collect()
}

fn stations(
    at: &At<AssociationSpec>,
    settled: &Settled<AssociationSettings>,
    cells: &[CellPlan],
    elements: Elements,
) -> Result<AssociationConfig, Problem> {
    let mut settings = settled.value;
    refuse_stray(at, settings.scan)?;
    let (interval, least) = (settings.beacon_interval, settings.min_channel_time);
    if let Some(at) = settled.at(&["dwell"]).filter(|_| settings.dwell < Some(interval)) {
        return Err(too_short(at, interval));
    }
    match settled.at(&["max_channel_time"]).filter(|_| settings.max_channel_time < least) {
        Some(at) => return Err(too_short(at, least)),
        None => settings.max_channel_time = settings.max_channel_time.max(least),
    }
    Ok(settings.station(channels(at, cells)?, elements))
}

fn too_short<T>(at: &At<T>, least: Span) -> Problem {
    at.out_of_range(format!("too short; allowed: \"{} ms\" or more", least.as_secs() * 1e3))
}

/// Refuses keys of the other kind of scan.
fn refuse_stray(at: &AssociationSpec, scan: ScanName) -> Result<(), Problem> {
    let (keys, other): (&[&str], _) = match scan {
        ScanName::Passive => (&["probe_delay", "min_channel_time", "max_channel_time"], "active"),
        ScanName::Active => (&["dwell"], "passive"),
    };
    let stray = keys.iter().find_map(|key| at.settings.at(key));
    stray.map_or(Ok(()), |at| {
        Err(at.out_of_range(format!("this is for scan = \"{other}\"; allowed: leave it out")))
    })
}

/// Returns the channels to scan: those of the cells in the order of the file, unless others are named.
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
