//! Laws from outside, such as classes in Python: their names beside lasthop's own.

use crate::at::{At, Problem};
use crate::nearest::unknown;
use crate::spec::{LawKey, Outside, ProxySpec, ScenarioSpec, TcpSpec};
use base::Named;
use transport::tcp::LawName;

/// A law from outside, before it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownLaw {
    /// The name for `tcp.law`.
    pub name: String,
    /// Whether it models the path; its connections then have RACK-TLP where the file names no recovery.
    pub model_based: bool,
}

/// The laws from outside; a law's place in the list is its number in plans.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Laws {
    /// The names for `tcp.law` beside lasthop's own laws.
    pub known: Vec<KnownLaw>,
    /// The law of every TCP connection, where the scenario names none of them.
    pub everywhere: Option<u32>,
}

impl Laws {
    /// Finds the laws from outside that a scenario names, or puts the law for all connections everywhere.
    pub(crate) fn resolve(&self, spec: &mut ScenarioSpec) -> Result<(), Problem> {
        let mut found = false;
        for tcp in tables(spec) {
            tcp.outside = self.named(tcp)?;
            found |= tcp.outside.is_some();
        }
        let Some(number) = self.everywhere.filter(|_| !found) else { return Ok(()) };
        let Some(outside) = self.outside(number as usize) else { return Ok(()) };
        for flow in &mut spec.flow {
            let empty = || At { value: TcpSpec::default(), place: 0..0 };
            flow.value.tcp.get_or_insert_with(empty);
        }
        for tcp in tables(spec) {
            tcp.outside = Some(outside.clone());
        }
        Ok(())
    }

    /// Returns the law at this place.
    fn outside(&self, place: usize) -> Option<Outside> {
        let KnownLaw { name, model_based } = self.known.get(place)?.clone();
        Some(Outside { number: place as u32, name, model_based })
    }

    /// Returns the law from outside that this table names.
    fn named(&self, tcp: &TcpSpec) -> Result<Option<Outside>, Problem> {
        let Some(At { value: LawKey::Other(name), .. }) = &tcp.law else { return Ok(None) };
        if let Some(place) = self.known.iter().position(|known| known.name == *name) {
            return Ok(self.outside(place));
        }
        let own = LawName::names().into_iter();
        let known: Vec<&str> = own.chain(self.known.iter().map(|law| law.name.as_str())).collect();
        let message = unknown("TCP law", name, &known);
        tcp.law.as_ref().map_or(Ok(None), |at| Err(at.problem(message)))
    }
}

/// Returns the top-level table, each flow's own, and those of legs over the air.
fn tables(spec: &mut ScenarioSpec) -> impl Iterator<Item = &mut TcpSpec> {
    let flows = spec.flow.iter_mut().filter_map(|flow| flow.value.tcp.as_mut());
    let legs = spec.proxy.iter_mut().filter_map(|proxy| match &mut proxy.value {
        ProxySpec::Split(table) => table.tcp.as_mut(),
        ProxySpec::Snoop(_) | ProxySpec::Mtcp(_) => None,
    });
    spec.tcp.as_mut().into_iter().chain(flows).chain(legs).map(|at| &mut at.value)
}
