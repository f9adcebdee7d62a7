//! Clusters: their members, their radios, and the features with which they cannot be combined.

use crate::at::{At, Problem};
use crate::nearest::unknown;
use crate::spec::{ClustersSpec, RoutingName, RoutingSpec, ScenarioSpec};
use base::{Span, Time};
use world::{ClustersPlan, Plan};

/// Returns the clusters of a plan; `None` where stations are in none.
pub fn clusters(
    at: &At<RoutingSpec>,
    spec: &ScenarioSpec,
    plan: &Plan,
) -> Result<Option<ClustersPlan>, Problem> {
    let kind = at.kind.as_ref().filter(|kind| kind.value.0 == RoutingName::Clusters);
    let Some(kind) = kind else {
        let message = "this is for kind = \"clusters\"";
        return at.clusters.as_ref().map_or(Ok(None), |at| Err(at.problem(message)));
    };
    refuse(spec).map_or(Ok(()), |why| Err(kind.problem(why)))?;
    let default = ClustersSpec::default();
    let said = at.clusters.as_ref().map_or(&default, |at| &at.value);
    if plan.cells.is_empty() {
        return Err(kind.problem("there is no cell whose stations could be in clusters"));
    }
    let members = said.cell.as_ref().map_or(Ok(0), |name| cell(name, plan))?;
    if plan.cells[members].access_point.is_some() {
        let message = "the cell of the members has an access point; allowed: an ad hoc cell";
        return Err(said
            .cell
            .as_ref()
            .map_or(kind.out_of_range(message), |at| at.out_of_range(message)));
    }
    let interval = said.interval();
    if interval.value.0 > Span::ZERO && interval.value.0 < Span::millis(1) {
        return Err(interval.out_of_range("allowed: \"0 s\", or \"1 ms\" and more"));
    }
    Ok(Some(ClustersPlan {
        organisation: said.organisation().value.0,
        election: said.election().value.0,
        radius_m: said.radius().value.0,
        range_m: said.range().value.0,
        interval: interval.value.0,
        members,
        head_cells: head_cells(said, members, plan)?,
        error_per_extra_head: said.error_per_extra_head().value.0,
        head_fails_at: said.head_fails_at.as_ref().map(|at| Time::ZERO + at.value.0),
    }))
}

fn cell(name: &At<String>, plan: &Plan) -> Result<usize, Problem> {
    let known: Vec<&str> = plan.cells.iter().map(|cell| cell.name.as_str()).collect();
    let found = known.iter().position(|known| *known == name.value);
    found.ok_or_else(|| name.problem(unknown("cell", name, &known)))
}

fn head_cells(said: &ClustersSpec, members: usize, plan: &Plan) -> Result<Vec<usize>, Problem> {
    let mut cells = Vec::new();
    for name in said.head_cells.iter().flat_map(|at| &at.value) {
        let found = cell(name, plan)?;
        if found == members || cells.contains(&found) {
            return Err(name.problem(
                "this cell is named already, or is that of the members; name each other cell once",
            ));
        }
        if plan.cells[found].stations != plan.cells[members].stations {
            let said = "every station may become clusterhead, so this cell needs the stations of the members' cell, in the same order";
            return Err(name.problem(said));
        }
        if plan.cells[found].access_point.is_some() {
            return Err(name.out_of_range("it has an access point; allowed: an ad hoc cell"));
        }
        cells.push(found);
    }
    Ok(cells)
}

/// Returns the reason why clusters do not fit this scenario, if there is one.
fn refuse(spec: &ScenarioSpec) -> Option<&'static str> {
    if spec.medium.is_none() {
        return Some("clusters need positions; add a [medium], empty if its defaults will do");
    }
    if spec.association.is_some() || spec.mobile_ip.is_some() {
        return Some("clusters need an ad hoc network; leave out [association] and [mobile_ip]");
    }
    if !spec.route.is_empty() {
        return Some("clusters decide the routes; leave out [[route]]");
    }
    None
}
