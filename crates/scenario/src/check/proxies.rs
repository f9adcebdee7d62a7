//! Proxies: which flows they have, and what comes of these.

mod find;
mod guards;
mod sides;
mod split;

use super::flows::Groups;
use super::names::Nodes;
use crate::at::Problem;
use crate::files::Files;
use crate::spec::{Conventions, ProxySpec, ScenarioSpec};
use find::{Wanted, find};
use world::Plan;

/// Puts the proxies into a plan whose flows are known.
pub fn proxies(
    spec: &ScenarioSpec,
    known: (Conventions, &Files),
    (nodes, groups): (&Nodes, &Groups),
    plan: &mut Plan,
) -> Result<(), Problem> {
    for proxy in &spec.proxy {
        match &proxy.value {
            ProxySpec::Split(table) => {
                let found = find(
                    Wanted { proxy, at: &table.at, flows: table.flows.as_ref(), mobiles: None },
                    (nodes, groups),
                    plan,
                )?;
                split::split(table, found, known, plan)?;
            }
            ProxySpec::Snoop(table) => {
                let found = find(
                    Wanted {
                        proxy,
                        at: &table.at,
                        flows: table.flows.as_ref(),
                        mobiles: table.mobiles.as_ref(),
                    },
                    (nodes, groups),
                    plan,
                )?;
                guards::snoop(table, found, plan)?;
            }
            ProxySpec::Mtcp(table) => {
                let found = find(
                    Wanted {
                        proxy,
                        at: &table.at,
                        flows: table.flows.as_ref(),
                        mobiles: table.mobiles.as_ref(),
                    },
                    (nodes, groups),
                    plan,
                )?;
                guards::mtcp(table, found, plan)?;
            }
        }
    }
    Ok(())
}
