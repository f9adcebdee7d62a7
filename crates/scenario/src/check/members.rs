//! Names of cells, and the stations in them, of either kind of cell.

use super::names::{Nodes, refuse_name};
use crate::at::{At, Problem};
use crate::spec::Stations;
use base::NodeId;

/// Returns the name of a cell, by its number among its kind; `is_taken` must not know it yet.
pub fn cell_name<T>(
    cell: &At<T>,
    said: Option<&At<String>>,
    (kind, number): (&str, usize),
    is_taken: impl Fn(&str) -> bool,
) -> Result<String, Problem> {
    let name = match said {
        Some(at) => {
            refuse_name(at)?;
            at.value.clone()
        }
        None if number == 0 => kind.to_owned(),
        None => format!("{kind}{}", number + 1),
    };
    if is_taken(&name) {
        let message = format!("a second cell \"{name}\"; give each cell its own name");
        return Err(said.map_or(cell.problem(&*message), |at| at.problem(&*message)));
    }
    Ok(name)
}

/// Adds stations to the members of a cell: those of a list, or a number of them, named by `stem` and a number.
pub fn join(
    members: &mut Vec<NodeId>,
    stations: &At<Stations>,
    stem: &str,
    nodes: &mut Nodes,
) -> Result<(), Problem> {
    match &stations.value {
        Stations::Count(count) => {
            for i in 1..=*count {
                let name = format!("{stem}{i}");
                refuse_member(stations, &name, members, nodes)?;
                if nodes.has(&name) {
                    let message = format!(
                        "there is a node \"{name}\" already; name this cell's stations by a list"
                    );
                    return Err(stations.problem(message));
                }
                members.push(nodes.make(&name));
            }
        }
        Stations::Names(names) => {
            for name in names {
                refuse_member(name, name, members, nodes)?;
                members.push(nodes.make_at(name)?);
            }
        }
    }
    Ok(())
}

fn refuse_member<T>(
    at: &At<T>,
    name: &str,
    members: &[NodeId],
    nodes: &Nodes,
) -> Result<(), Problem> {
    // Members are searched only where some node has the name at all.
    if nodes.has(name) && members.iter().any(|&member| nodes.name(member) == name) {
        let message = format!("\"{name}\" is in this cell already; name each station once");
        return Err(at.problem(message));
    }
    Ok(())
}
