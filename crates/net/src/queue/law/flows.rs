//! A queue for each flow, served in turn (RFC 8290): deficit round robin in which flows that have just begun go first.
//!
//! | section | here |
//! |---|---|
//! | 4.1 | a flow's queue is found by a hash with a random salt; flows that collide share one |
//! | 4.1.2, 5.2.2 | where the whole is full, half the longest queue's packets go from its head, at most 64 |
//! | 4.2 | [`Flows::pop`]: the lists of new and old queues, and their deficits |
//! | 4.2 | each queue has its discipline: CoDel, which counts that queue's bytes alone |

use super::codel::Codel;
use super::row::Row;
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
fn check(options: &Options) -> Result<(), &'static str> {
    let p = Params::new(options);
    if !(1.0..=65_536.0).contains(&p.flows) || p.flows.fract() != 0.0 {
        return Err("flows is a whole number of queues from 1 to 65536");
    }
    match p.quantum >= 1.0 {
        true => Ok(()),
        false => Err("a quantum of no bytes; allowed: \"1 B\" and more"),
    }
}

/// Section 4.1.2: the most packets that a full queue loses at once (Linux).
const BATCH: usize = 64;

#[derive(Clone, Debug)]
struct Flow<T> {
    packets: VecDeque<Waiting<T>>,
    bytes: u64,
    deficit: i64,
    /// True if it is in one of the lists.
    listed: bool,
    law: Codel,
}

/// The queues of all flows.
#[derive(Clone, Debug)]
pub(crate) struct Flows<T> {
    flows: Vec<Flow<T>>,
    new: VecDeque<u32>,
    old: VecDeque<u32>,
    quantum: i64,
    salt: Keyed,
    packets: u32,
    bytes: u64,
}

impl<T: Copy> Flows<T> {
    /// Empty queues, with a law of their own each.
    pub fn new(site: &Site<'_>) -> Flows<T> {
        let p = Params::new(site.options);
        let flow = || Flow {
            packets: VecDeque::new(),
            bytes: 0,
            deficit: 0,
            listed: false,
            law: Codel::new(site),
        };
        Flows {
            flows: std::iter::repeat_with(flow).take((p.flows as usize).max(1)).collect(),
            new: VecDeque::new(),
            old: VecDeque::new(),
            quantum: (p.quantum as i64).max(1),
            salt: site.seed.keyed(site.purpose, site.owner),
            packets: 0,
            bytes: 0,
        }
    }

    /// Half of the longest queue goes, from its head.
    fn cut(&mut self, mut gone: impl FnMut(Waiting<T>)) {
        let longest = self.flows.iter_mut().max_by_key(|flow| flow.bytes);
        let Some(flow) = longest else { return };
        let count = flow.packets.len().div_ceil(2).min(BATCH);
        for waiting in flow.packets.drain(..count) {
            flow.bytes -= u64::from(waiting.bytes);
            self.bytes -= u64::from(waiting.bytes);
            self.packets -= 1;
            gone(waiting);
        }
    }
}

impl<T: Copy> Keep<T> for Flows<T> {
    /// Among flows the longest makes room, whoever comes.
    fn push(
        &mut self,
        _now: Time,
        arrival: &Arrival<'_>,
        waiting: Waiting<T>,
        is_full: bool,
        gone: impl FnMut(Waiting<T>),
    ) -> bool {
        let at = (self.salt.word(arrival.conversation()) % self.flows.len() as u64) as u32;
        let flow = &mut self.flows[at as usize];
        self.packets += 1;
        self.bytes += u64::from(waiting.bytes);
        flow.bytes += u64::from(waiting.bytes);
        flow.packets.push_back(waiting);
        if !flow.listed {
            (flow.listed, flow.deficit) = (true, self.quantum);
            self.new.push_back(at);
        }
        if is_full {
            self.cut(gone);
        }
        true
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
        for flow in &mut self.flows {
            flow.packets.retain(|waiting| !goes(waiting));
            flow.bytes = flow.packets.iter().map(|waiting| u64::from(waiting.bytes)).sum();
            packets += flow.packets.len() as u32;
            bytes += flow.bytes;
        }
        (self.packets, self.bytes) = (packets, bytes);
    }

    fn pop(&mut self, now: Time, mut fate: impl FnMut(Waiting<T>, Fate)) -> Option<Waiting<T>> {
        loop {
            let (is_new, at) = match self.new.front() {
                Some(&at) => (true, at),
                None => (false, *self.old.front()?),
            };
            let flow = &mut self.flows[at as usize];
            let list = if is_new { &mut self.new } else { &mut self.old };
            if flow.deficit <= 0 {
                flow.deficit += self.quantum;
                list.pop_front();
                self.old.push_back(at);
                continue;
            }
            let (before, bytes) = (flow.packets.len(), flow.bytes);
            let next = flow.pop(now, &mut fate);
            self.packets -= (before - flow.packets.len()) as u32;
            self.bytes -= bytes - flow.bytes;
            if next.is_some() {
                return next;
            }
            // A new queue that is empty goes behind the old ones, so that it cannot begin anew at once and starve them.
            list.pop_front();
            if is_new && !self.old.is_empty() {
                self.old.push_back(at);
            } else {
                flow.listed = false;
            }
        }
    }
}

impl<T: Copy> Flow<T> {
    fn pop(&mut self, now: Time, fate: &mut impl FnMut(Waiting<T>, Fate)) -> Option<Waiting<T>> {
        let next = take(now, &mut self.packets, &mut self.bytes, &mut self.law, fate)?;
        self.deficit -= i64::from(next.bytes);
        Some(next)
    }
}
