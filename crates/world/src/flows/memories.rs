//! Memories of hosts about their paths, for endpoints that pick their variant: as Linux keeps `tcp_metrics`
//! by destination.
//!
//! A memory belongs to one host and one peer; all flows between the two share it.

use crate::end::End;
use crate::plan::{FlowPlan, TransportPlan};
use apps::AppConfig;
use base::{FlowId, NodeId, Span, Time};
use transport::tcp::auto::{News, PathMemory};

/// Host and peer.
pub(super) type Pair = (NodeId, NodeId);

/// The memories of all hosts that have endpoints which pick their variant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memories {
    /// By pair, sorted.
    of: Vec<(Pair, PathMemory)>,
    /// By pair and number: flows whose one connection may go on for ever and so does not come to tell. Sorted.
    lasting: Vec<(Pair, FlowId)>,
    /// By flow: its ends, and for how long their hosts remember; `None` where it picks nothing. Empty where none does.
    ends: Vec<Option<(Pair, Span)>>,
}

impl Memories {
    /// Nothing is remembered yet.
    pub fn new(flows: &[FlowPlan]) -> Memories {
        let mut memories = Memories::default();
        for (number, flow) in flows.iter().enumerate() {
            let Some(policy) = policy_of(flow) else { continue };
            let (there, back) = ((flow.from, flow.to), (flow.to, flow.from));
            memories.ends.resize(flows.len(), None);
            memories.ends[number] = Some((there, policy.forget_after));
            memories.of.push((there, PathMemory::default()));
            match flow.app {
                AppConfig::Web(_) => memories.of.push((back, PathMemory::default())),
                _ => memories.lasting.push((there, FlowId(number as u32))),
            }
        }
        memories.of.sort_by_key(|&(pair, _)| pair);
        memories.of.dedup_by_key(|&mut (pair, _)| pair);
        memories.lasting.sort();
        memories
    }

    /// True where no endpoint of the world picks its variant.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// Host and peer of an end of a flow, and for how long the host remembers; `None` where it picks nothing.
    pub fn of_end(&self, flow: FlowId, end: End) -> Option<(Pair, Span)> {
        let &((from, to), forget_after) = self.ends.get(flow.index())?.as_ref()?;
        let pair = if end == End::Source { (from, to) } else { (to, from) };
        Some((pair, forget_after))
    }

    pub fn remember(&mut self, now: Time, (pair, forget_after): (Pair, Span), news: &News) {
        if let Some(memory) = self.get(pair) {
            memory.merge(now, news, forget_after);
        }
    }

    pub fn get(&mut self, pair: Pair) -> Option<&mut PathMemory> {
        let place = self.of.binary_search_by_key(&pair, |&(pair, _)| pair).ok()?;
        Some(&mut self.of[place].1)
    }

    pub fn recalled(&self, pair: Pair) -> PathMemory {
        let place = self.of.binary_search_by_key(&pair, |&(pair, _)| pair);
        place.map(|place| self.of[place].1).unwrap_or_default()
    }

    pub fn lasting(&self, pair: Pair) -> impl Iterator<Item = FlowId> {
        let first = self.lasting.partition_point(|&(of, _)| of < pair);
        let same = self.lasting[first..].iter().take_while(move |&&(of, _)| of == pair);
        same.map(|&(_, flow)| flow)
    }
}

fn policy_of(flow: &FlowPlan) -> Option<&transport::tcp::auto::Policy> {
    match &flow.transport {
        TransportPlan::Tcp { policy, .. } => policy.as_deref(),
        TransportPlan::Udp { .. } => None,
    }
}
