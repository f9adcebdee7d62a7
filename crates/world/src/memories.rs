//! What hosts remember of their paths, for endpoints that pick their variant: as Linux keeps `tcp_metrics` by destination.
//!
//! A memory belongs to one host and one peer; all flows between the two share it.

use crate::flow::Endpoints;
use crate::lanes::{SINK, SOURCE};
use crate::plan::{FlowPlan, Plan, TransportPlan};
use crate::world::World;
use apps::AppConfig;
use base::{FlowId, NodeId, Span, Time};
use transport::tcp::auto::{Measured, News, PathMemory};

/// Host and peer.
type Pair = (NodeId, NodeId);

/// The memories of all hosts that have endpoints which pick their variant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memories {
    /// By pair, sorted.
    of: Vec<(Pair, PathMemory)>,
    /// By pair and number: flows whose one connection may go on for ever and so does not come to tell. Sorted.
    lasting: Vec<(Pair, FlowId)>,
}

impl Memories {
    /// Nothing is remembered yet.
    pub fn new(plan: &Plan) -> Memories {
        let mut memories = Memories::default();
        for (flow, number) in plan.flows.iter().zip(0..) {
            if policy_of(flow).is_none() {
                continue;
            }
            let (there, back) = ((flow.from, flow.to), (flow.to, flow.from));
            memories.of.push((there, PathMemory::default()));
            match flow.app {
                AppConfig::Web(_) => memories.of.push((back, PathMemory::default())),
                _ => memories.lasting.push((there, FlowId(number))),
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

    fn get(&mut self, pair: Pair) -> Option<&mut PathMemory> {
        let place = self.of.binary_search_by_key(&pair, |&(pair, _)| pair).ok()?;
        Some(&mut self.of[place].1)
    }

    fn recalled(&self, pair: Pair) -> PathMemory {
        let place = self.of.binary_search_by_key(&pair, |&(pair, _)| pair);
        place.map(|place| self.of[place].1).unwrap_or_default()
    }

    fn lasting(&self, pair: Pair) -> impl Iterator<Item = FlowId> {
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

impl World {
    /// Host and peer of an end of a flow, and for how long the host remembers; `None` where it picks nothing.
    fn rememberer(&self, flow: FlowId, end: usize) -> Option<(Pair, Span)> {
        let plan = &self.plan.flows[flow.index()];
        let forget_after = policy_of(plan)?.forget_after;
        let pair = if end == SOURCE { (plan.from, plan.to) } else { (plan.to, plan.from) };
        Some((pair, forget_after))
    }

    fn remember(&mut self, now: Time, (pair, forget_after): (Pair, Span), news: &News) {
        if let Some(memory) = self.memories.get(pair) {
            memory.merge(now, news, forget_after);
        }
    }

    /// What the host of a flow's end knows of its path at this moment; `None` where that end picks nothing.
    fn memory_of(&mut self, now: Time, flow: FlowId, end: usize) -> Option<PathMemory> {
        let (pair, forget_after) = self.rememberer(flow, end)?;
        let lasting: Vec<FlowId> = self.memories.lasting(pair).collect();
        for other in lasting {
            let news = self.connection(other).and_then(|tcp| tcp.sender.report(now));
            if let Some(news) = news {
                self.remember(now, (pair, forget_after), &news);
            }
        }
        self.memories.get(pair).copied()
    }

    /// What the host that a flow comes from knows of the path now; nothing changes by it.
    pub(crate) fn known_of(&self, plan: &FlowPlan, forget_after: Span) -> Measured {
        let (now, pair) = (self.now(), (plan.from, plan.to));
        let mut memory = self.memories.recalled(pair);
        for other in self.memories.lasting(pair) {
            if let Endpoints::Tcp(tcp) = &self.flows[other.index()].endpoints
                && let Some(news) = tcp.sender.clone().report(now)
            {
                memory.merge(now, &news, forget_after);
            }
        }
        memory.measured(now, (None, None), forget_after)
    }

    /// Tells the sender of a flow's one connection, which begins, of its path.
    pub(crate) fn recall_for_flow(&mut self, now: Time, flow: FlowId) {
        if let Some(memory) = self.memory_of(now, flow, SOURCE)
            && let Some(tcp) = self.connection(flow)
        {
            tcp.sender.recall(&memory);
        }
    }

    /// Tells the ends of a lane's connection, which begins or has something to send, of their paths.
    pub(crate) fn recall_for_lane(&mut self, now: Time, lane: usize) {
        if self.memories.is_empty() {
            return;
        }
        let flow = self.lanes[lane].flow();
        for end in [SOURCE, SINK] {
            self.listen_to_lane(now, (lane, end));
            if let Some(memory) = self.memory_of(now, flow, end) {
                self.lanes[lane].sender(end).recall(&memory);
            }
        }
    }

    /// Hears what an end of a lane has measured and picked.
    pub(crate) fn listen_to_lane(&mut self, now: Time, (lane, end): (usize, usize)) {
        let flow = self.lanes[lane].flow();
        let sender = self.lanes[lane].sender(end);
        if !sender.chooses() {
            return;
        }
        let (news, choices) = (sender.take_news(), sender.take_choices());
        if end == SOURCE {
            let log = &mut self.flows[flow.index()].choices;
            choices.into_iter().for_each(|choice| log.push(choice));
        }
        if let (Some(news), Some(of)) = (news, self.rememberer(flow, end)) {
            self.remember(now, of, &news);
        }
    }
}
