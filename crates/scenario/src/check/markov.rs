//! A channel of any number of states.

use super::context::Context;
use super::states::{ber, sojourn};
use crate::at::{At, Problem};
use crate::spec::MarkovTable;
use crate::units::Probability;
use radio::{Chain, ChannelConfig, State};
use std::sync::Arc;

/// Returns the chain that the table declares.
pub fn markov(table: &MarkovTable, context: &Context<'_>) -> Result<ChannelConfig, Problem> {
    let count = table.mean.value.len();
    if !(2..=Chain::MOST_STATES).contains(&count) {
        let most = Chain::MOST_STATES;
        return Err(table
            .mean
            .out_of_range(format!("{count} states; allowed: 2 to {most}, one mean for each")));
    }
    let (ber, frame_loss) = errors(table, count)?;
    let next = next(table, count)?;
    let means = table.mean.value.iter().map(sojourn).collect::<Result<Vec<_>, _>>()?;
    let states = means.into_iter().zip(ber).zip(frame_loss).zip(next);
    let state = |(((mean, ber), frame_loss), next)| State { mean, ber, frame_loss, next };
    let sampling = context.overlays.settled(&table.rules).value.sampling;
    let chain = Chain { states: states.map(state).collect(), sampling };
    if let (Some(at), false) = (&table.next, chain.is_joined()) {
        return Err(at.problem(
            "some states are never reached, or never left; each state has to lead to each other, be it by others",
        ));
    }
    Ok(ChannelConfig::Markov(Arc::new(chain)))
}

/// Returns bit error rates and loss probabilities of frames, by state.
fn errors(table: &MarkovTable, count: usize) -> Result<(Vec<f64>, Vec<f64>), Problem> {
    let none = vec![0.0; count];
    match (&table.ber, &table.loss) {
        (Some(list), None) => {
            of_each(list, count, "bit error rate")?;
            Ok((list.value.iter().map(ber).collect::<Result<_, _>>()?, none))
        }
        (None, Some(list)) => {
            of_each(list, count, "probability of loss")?;
            Ok((none, list.value.iter().map(|at| at.value.0).collect()))
        }
        (Some(_), Some(at)) => Err(at.problem("ber and loss both set the errors; give one")),
        (None, None) => Err(table
            .mean
            .problem("mean needs ber or loss beside it, with one number for each state")),
    }
}

/// Returns, by state, the probabilities of those that follow it.
fn next(table: &MarkovTable, count: usize) -> Result<Vec<Vec<f64>>, Problem> {
    let Some(rows) = &table.next else {
        let row = |i: usize| -> Vec<f64> {
            let neighbours = (0..count).map(|j| f64::from(u8::from(j.abs_diff(i) == 1)));
            let neighbours: Vec<f64> = neighbours.collect();
            let sum: f64 = neighbours.iter().sum();
            neighbours.into_iter().map(|p| p / sum).collect()
        };
        return Ok((0..count).map(row).collect());
    };
    of_each(rows, count, "list of probabilities")?;
    rows.value.iter().enumerate().map(|(i, row)| following(row, i, count)).collect()
}

fn following(row: &At<Vec<At<Probability>>>, of: usize, count: usize) -> Result<Vec<f64>, Problem> {
    of_each(row, count, "probability")?;
    if let Some(own) = row.value.get(of).filter(|own| own.value.0 != 0.0) {
        return Err(own.out_of_range(format!(
            "state {} would follow itself; allowed: 0, and a longer mean for a state that lasts longer",
            of + 1
        )));
    }
    let sum: f64 = row.value.iter().map(|at| at.value.0).sum();
    if (sum - 1.0).abs() > 1e-6 {
        return Err(row.out_of_range(format!("the probabilities sum to {sum}; allowed: 1")));
    }
    Ok(row.value.iter().map(|at| at.value.0 / sum).collect())
}

/// Refuses a list without one value for each state.
fn of_each<T>(list: &At<Vec<T>>, states: usize, what: &str) -> Result<(), Problem> {
    let count = list.value.len();
    if count == states {
        return Ok(());
    }
    Err(list.out_of_range(format!(
        "{count} where `mean` lists {states} states; allowed: one {what} for each"
    )))
}
