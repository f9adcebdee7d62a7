//! Cells with access categories that share a channel with others.

use super::association;
use super::context::Context;
use crate::at::Problem;
use world::CellPlan;

/// Refuses cells with access categories on a channel with cells that have none.
pub fn refuse_mixed(context: &Context<'_>, cells: &[CellPlan]) -> Result<(), Problem> {
    for (at, plan) in context.spec.cell.iter().zip(cells) {
        if plan.qos.is_none() {
            continue;
        }
        let channel = plan.channel_number();
        let mut others = cells.iter().filter(|other| other.qos.is_none());
        let roams = association::roams(context);
        let meets = |other: &&CellPlan| roams || other.channel_number() == channel;
        if let Some(other) = others.find(meets) {
            const NONE: &str = "has no access categories; cells with access categories (802.11n, 802.11ac, 802.11ax, [qos])";
            let message = match roams {
                true => format!(
                    "\"{}\" {NONE} share stations that roam only with such cells: give that one a [qos] table, or leave [association] out",
                    other.name
                ),
                false => format!(
                    "\"{}\" is on the same channel and {NONE} share a channel only with such cells: give that one a [qos] table, or one of them another channel_number",
                    other.name
                ),
            };
            let said = at.channel_number.as_ref().map(|channel| channel.problem(&message));
            return Err(said.unwrap_or_else(|| at.problem(message)));
        }
    }
    Ok(())
}
