//! A queue for each flow, served in turn (RFC 8290): deficit round robin in which flows that have just begun go first.
//!
//! | section | here |
//! |---|---|
//! | 4.1 | a flow's queue is found by a hash with a random salt; flows that collide share one |
//! | 4.1.2, 5.2.2 | where the whole is full, half the longest queue's packets go from its head, at most 64 |
//! | 4.2 | [`Flows::pop_from`]: the lists of new and old queues, and their deficits |
//! | 4.2 | each queue has its discipline: CoDel, which counts that queue's bytes alone |
//!
//! Several tins, which are served apart, may share the queues (Linux's mac80211 has one for each receiver): a queue belongs to
//! the tin that used it first, until it is empty. A flow of another tin that hashes to it gets the fallback queue of its tin.
//!
//! A queue takes memory from its first packet on: most of them never have one.

use super::codel::Codel;
use super::row::Row;
use crate::DropReason;
use crate::queue::keep::Keep;
pub(super) use crate::queue::manage::Open;
use crate::queue::manage::Site;
use crate::queue::waiting::{Arrival, Fate, Waiting, take};
use base::{Keyed, Options, Time, parameters};
use std::collections::VecDeque;

parameters! {
    flows = 1024.0, "queues among which flows are spread (RFC 8290 section 5.2.4)";
    quantum = 1500.0, in Bytes, "bytes that a queue sends in its turn (section 5.2.3: an MTU)";
}

/// Its source, its parameters and how it is asked.
pub(super) const ROW: Row = Row {
    source: "RFC 8290",
    limit: Some(10_240),
    parameters: &[Params::ALL, super::codel::Params::ALL],
    checks: &[check, super::codel::check],
    departs: true,
};

/// Checks the parameters.
pub(super) fn check(options: &Options) -> Result<(), &'static str> {
    let p = Params::new(options);
    if !(1.0..=65_536.0).contains(&p.flows) || p.flows.fract() != 0.0 {
        return Err("flows is a whole number of queues from 1 to 65536");
    }
    match p.quantum >= 1.0 {
        true => Ok(()),
        false => Err("a quantum of no bytes; allowed: \"1 B\" and more"),
    }
}

/// The place of a queue that has had no packets.
const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct Flow<T> {
    /// Its number: its hash, or behind all hashes that of the tin whose fallback it is.
    number: u32,
    packets: VecDeque<Waiting<T>>,
    bytes: u64,
    deficit: i64,
    /// The tin in one of whose lists it is.
    listed: Option<u32>,
    law: Codel,
}

/// Flows that are served together.
#[derive(Clone, Debug)]
struct Tin {
    number: u32,
    /// The place of its fallback queue.
    fallback: u32,
    new: VecDeque<u32>,
    old: VecDeque<u32>,
    packets: u32,
}

/// How many queues there are, and how they are served.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// Queues among which flows are spread.
    pub flows: usize,
    /// Bytes that each sends in its turn.
    pub quantum: i64,
    /// The most packets that a full queue loses at once.
    pub batch: usize,
}

impl Rules {
    /// Those of RFC 8290, with the batch of section 4.1.2 (Linux's).
    fn new(options: &Options) -> Rules {
        let p = Params::new(options);
        Rules { flows: (p.flows as usize).max(1), quantum: (p.quantum as i64).max(1), batch: 64 }
    }
}

/// The queues of all flows.
#[derive(Clone, Debug)]
pub(crate) struct Flows<T> {
    /// Those that have had packets: some of those among which flows are spread, and fallbacks of tins.
    flows: Vec<Flow<T>>,
    /// By hash: places among these.
    places: Vec<u32>,
    law: Codel,
    tins: Vec<Tin>,
    rules: Rules,
    salt: Keyed,
    packets: u32,
    bytes: u64,
}

impl<T: Copy> Flows<T> {
    /// Empty queues of RFC 8290, with a law of their own each, in one tin.
    pub fn new(site: &Site<'_>) -> Flows<T> {
        let mut flows = Flows::with(site, Rules::new(site.options), Codel::new(site));
        flows.add_tin(0);
        flows
    }

    /// Empty queues, with a `law` of their own each, without tins.
    pub fn with(site: &Site<'_>, rules: Rules, law: Codel) -> Flows<T> {
        Flows {
            flows: Vec::new(),
            places: vec![NONE; rules.flows],
            law,
            tins: Vec::new(),
            rules,
            salt: site.seed.keyed(site.purpose, site.owner),
            packets: 0,
            bytes: 0,
        }
    }

    /// Adds an empty tin with this number: they are told apart by their order from now on.
    pub fn add_tin(&mut self, number: u32) {
        let (new, old) = (VecDeque::new(), VecDeque::new());
        self.tins.push(Tin { number, fallback: NONE, new, old, packets: 0 });
    }

    /// Packets in a tin.
    pub fn in_tin(&self, tin: u32) -> u32 {
        self.tins[tin as usize].packets
    }

    /// Takes a packet in at the end of its flow.
    pub fn push_to(&mut self, tin: u32, arrival: &Arrival<'_>, waiting: Waiting<T>) {
        let hashed = (self.salt.word(arrival.conversation()) % self.rules.flows as u64) as usize;
        let at = self.queue_for(hashed, tin);
        let (flow, of) = (&mut self.flows[at as usize], &mut self.tins[tin as usize]);
        self.packets += 1;
        self.bytes += u64::from(waiting.bytes);
        of.packets += 1;
        flow.bytes += u64::from(waiting.bytes);
        flow.packets.push_back(waiting);
        if flow.listed.is_none() {
            (flow.listed, flow.deficit) = (Some(tin), self.rules.quantum);
            of.new.push_back(at);
        }
    }

    /// The place of the queue of a flow of a tin.
    fn queue_for(&mut self, hashed: usize, tin: u32) -> u32 {
        let of = &mut self.tins[tin as usize];
        let known = self.flows.get(self.places[hashed] as usize).and_then(|flow| flow.listed);
        let (place, number) = match known.is_some_and(|other| other != tin) {
            true => (&mut of.fallback, self.rules.flows as u32 + of.number),
            false => (&mut self.places[hashed], hashed as u32),
        };
        if *place == NONE {
            *place = self.flows.len() as u32;
            self.flows.push(Flow::new(number, &self.law));
        }
        *place
    }

    /// Half of the longest queue goes, from its head, as far as a batch reaches.
    pub fn cut(&mut self, mut gone: impl FnMut(Waiting<T>)) {
        let listed = self.tins.iter().flat_map(|tin| tin.new.iter().chain(&tin.old));
        let length = |at: u32| (self.flows[at as usize].bytes, self.flows[at as usize].number);
        let Some(&longest) = listed.max_by_key(|&&at| length(at)) else { return };
        let flow = &mut self.flows[longest as usize];
        let count = flow.packets.len().div_ceil(2).min(self.rules.batch);
        if let Some(tin) = flow.listed {
            self.tins[tin as usize].packets -= count as u32;
        }
        for waiting in flow.packets.drain(..count) {
            flow.bytes -= u64::from(waiting.bytes);
            self.bytes -= u64::from(waiting.bytes);
            self.packets -= 1;
            gone(waiting);
        }
    }

    /// The packet whose turn it is in a tin.
    pub fn pop_from(
        &mut self,
        tin: u32,
        now: Time,
        mut fate: impl FnMut(Waiting<T>, Fate),
    ) -> Option<Waiting<T>> {
        let Tin { new, old, packets, .. } = &mut self.tins[tin as usize];
        loop {
            let (is_new, at) = match new.front() {
                Some(&at) => (true, at),
                None => (false, *old.front()?),
            };
            let flow = &mut self.flows[at as usize];
            let list = if is_new { &mut *new } else { &mut *old };
            if flow.deficit <= 0 {
                flow.deficit += self.rules.quantum;
                list.pop_front();
                old.push_back(at);
                continue;
            }
            let (before, bytes) = (flow.packets.len(), flow.bytes);
            let next = flow.pop(now, &mut fate);
            let gone = (before - flow.packets.len()) as u32;
            *packets -= gone;
            self.packets -= gone;
            self.bytes -= bytes - flow.bytes;
            if next.is_some() {
                return next;
            }
            // A new queue that is empty goes behind the old ones, so that it cannot begin anew at once and starve them.
            list.pop_front();
            if is_new && !old.is_empty() {
                old.push_back(at);
            } else {
                flow.listed = None;
            }
        }
    }
}

/// All in one tin.
impl<T: Copy> Keep<T> for Flows<T> {
    /// Among flows the longest makes room, whoever comes.
    fn push(
        &mut self,
        _now: Time,
        arrival: &Arrival<'_>,
        waiting: Waiting<T>,
        is_full: bool,
        mut gone: impl FnMut(Waiting<T>, DropReason),
    ) -> bool {
        self.push_to(0, arrival, waiting);
        if is_full {
            self.cut(|waiting| gone(waiting, DropReason::Queue));
        }
        true
    }

    fn pop(&mut self, now: Time, fate: impl FnMut(Waiting<T>, Fate)) -> Option<Waiting<T>> {
        self.pop_from(0, now, fate)
    }

    fn backlog(&self) -> (u32, u64) {
        (self.packets, self.bytes)
    }

    fn each(&self, each: impl FnMut(&Waiting<T>)) {
        self.flows.iter().flat_map(|flow| &flow.packets).for_each(each);
    }

    fn each_mut(&mut self, each: impl FnMut(&mut Waiting<T>)) {
        self.flows.iter_mut().flat_map(|flow| &mut flow.packets).for_each(each);
    }

    fn take_out(&mut self, _now: Time, mut goes: impl FnMut(&Waiting<T>) -> bool) {
        let (mut packets, mut bytes) = (0, 0);
        let mut in_order: Vec<&mut Flow<T>> = self.flows.iter_mut().collect();
        in_order.sort_unstable_by_key(|flow| flow.number);
        for flow in in_order {
            let before = flow.packets.len();
            flow.packets.retain(|waiting| !goes(waiting));
            if let Some(tin) = flow.listed {
                self.tins[tin as usize].packets -= (before - flow.packets.len()) as u32;
            }
            flow.bytes = flow.packets.iter().map(|waiting| u64::from(waiting.bytes)).sum();
            packets += flow.packets.len() as u32;
            bytes += flow.bytes;
        }
        (self.packets, self.bytes) = (packets, bytes);
    }
}

impl<T: Copy> Flow<T> {
    fn new(number: u32, law: &Codel) -> Flow<T> {
        let (packets, law) = (VecDeque::new(), law.clone());
        Flow { number, packets, bytes: 0, deficit: 0, listed: None, law }
    }

    fn pop(&mut self, now: Time, fate: &mut impl FnMut(Waiting<T>, Fate)) -> Option<Waiting<T>> {
        let next = take(now, &mut self.packets, &mut self.bytes, &mut self.law, fate)?;
        self.deficit -= i64::from(next.bytes);
        Some(next)
    }
}
