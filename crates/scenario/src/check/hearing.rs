//! Cells with access categories that share a channel, or stations that roam, with others.

use super::association;
use super::context::Context;
use crate::at::{At, Problem};
use crate::spec::{CellSpec, QosSpec};
use wifi::qos::QosSettings;
use world::{CellPlan, QosPlan};

/// Cells without access categories beside some that have them: where stations roam their stations are as others without QoS; where
/// they only share a channel, that is refused.
pub fn settle_mixed(context: &Context<'_>, cells: &mut [CellPlan]) -> Result<(), Problem> {
    if cells.iter().all(|cell| cell.qos.is_none()) {
        return Ok(());
    }
    if !association::roams(context) {
        return refuse_mixed(context, cells);
    }
    let settings: QosSettings = context.overlays.settled(&QosSpec::default().settings).value;
    for (at, plan) in context.spec.cell.iter().zip(cells) {
        if plan.qos.is_none() {
            refuse_code(at)?;
            plan.qos = Some(QosPlan::without(settings, plan.stations.len()));
        }
    }
    Ok(())
}

/// All stations play by the rules of those with categories, which know no code of whole frames.
fn refuse_code(cell: &At<CellSpec>) -> Result<(), Problem> {
    let message = "a code of whole frames is not modelled where stations roam to cells with access categories (802.11n, 802.11ac, 802.11ax, [qos]); leave it out";
    cell.fec.as_ref().map_or(Ok(()), |at| Err(at.problem(message)))
}

/// Refuses cells with access categories on a channel with cells that have none.
fn refuse_mixed(context: &Context<'_>, cells: &[CellPlan]) -> Result<(), Problem> {
    for (at, plan) in context.spec.cell.iter().zip(cells) {
        if plan.qos.is_none() {
            continue;
        }
        let channel = plan.channel_number();
        let mut others = cells.iter().filter(|other| other.qos.is_none());
        if let Some(other) = others.find(|other| other.channel_number() == channel) {
            let message = format!(
                "\"{}\" is on the same channel and has no access categories; cells with access categories (802.11n, 802.11ac, 802.11ax, [qos]) share a channel only with such cells: give that one a [qos] table, or one of them another channel_number",
                other.name
            );
            let said = at.channel_number.as_ref().map(|channel| channel.problem(&message));
            return Err(said.unwrap_or_else(|| at.problem(message)));
        }
    }
    Ok(())
}
