//! Storage of the packets behind a door: one line, or several that a discipline serves in an order of its own.

use super::keep::Keep;
use super::law::cake::Cake;
use super::law::dual::Dual;
use super::law::flows::Flows;
use super::law::{AnyLaw, Discipline, mac80211};
use super::manage::Site;
use super::waiting::{Arrival, Fate, Waiting, take};
use crate::DropReason;
use base::Time;
use std::collections::VecDeque;

/// Several lines, by their discipline. Its tag is read for each packet, so it has a byte of its own, and flows are told apart by
/// one look at it.
#[derive(Clone, Debug)]
#[repr(u8)]
pub(super) enum Apart<T> {
    Flows(Flows<T>),
    Classed(Classed<T>),
}

/// Lines for classes of packets.
#[derive(Clone, Debug)]
#[repr(u8)]
pub(super) enum Classed<T> {
    Dual(Dual<T>),
    Cake(Cake<T>),
}

/// Asks whichever it is.
macro_rules! apart {
    ($apart:expr, $kept:ident => $value:expr) => {
        match $apart {
            Apart::Flows($kept) => $value,
            Apart::Classed(Classed::Dual($kept)) => $value,
            Apart::Classed(Classed::Cake($kept)) => $value,
        }
    };
}

impl<T: Copy> Apart<T> {
    fn opens(&self) -> Time {
        match self {
            Apart::Classed(Classed::Cake(cake)) => cake.opens(),
            _ => Time::ZERO,
        }
    }
}

impl<T: Copy> Keep<T> for Apart<T> {
    #[inline(always)]
    fn push(
        &mut self,
        now: Time,
        arrival: &Arrival<'_>,
        waiting: Waiting<T>,
        is_full: bool,
        gone: impl FnMut(Waiting<T>, DropReason),
    ) -> bool {
        apart!(self, kept => kept.push(now, arrival, waiting, is_full, gone))
    }

    #[inline(always)]
    fn pop(&mut self, now: Time, fate: impl FnMut(Waiting<T>, Fate)) -> Option<Waiting<T>> {
        apart!(self, kept => kept.pop(now, fate))
    }

    #[inline(always)]
    fn backlog(&self) -> (u32, u64) {
        apart!(self, kept => kept.backlog())
    }

    fn each(&self, each: impl FnMut(&Waiting<T>)) {
        apart!(self, kept => kept.each(each));
    }

    fn each_mut(&mut self, each: impl FnMut(&mut Waiting<T>)) {
        apart!(self, kept => kept.each_mut(each));
    }

    fn take_out(&mut self, now: Time, goes: impl FnMut(&Waiting<T>) -> bool) {
        apart!(self, kept => kept.take_out(now, goes));
    }
}

/// Storage of packets behind the door.
#[derive(Clone, Debug)]
pub(super) enum Store<T> {
    /// First in, first out; their bytes.
    Line(VecDeque<Waiting<T>>, u64),
    /// Several lines.
    Apart(Box<Apart<T>>),
}

impl<T: Copy> Store<T> {
    /// The empty store of a discipline.
    pub fn new(discipline: Discipline, site: &Site<'_>) -> Store<T> {
        match discipline {
            Discipline::FqCodel => Store::Apart(Box::new(Apart::Flows(Flows::new(site)))),
            Discipline::Mac80211 => {
                let mut flows = mac80211::flows(site).0;
                flows.add_tin(0);
                Store::Apart(Box::new(Apart::Flows(flows)))
            }
            Discipline::DualPi2 => {
                Store::Apart(Box::new(Apart::Classed(Classed::Dual(Dual::new(site)))))
            }
            Discipline::Cake => {
                Store::Apart(Box::new(Apart::Classed(Classed::Cake(Cake::new(site)))))
            }
            Discipline::DropTail | Discipline::Red | Discipline::Codel | Discipline::Pie => {
                Store::Line(VecDeque::new(), 0)
            }
        }
    }

    /// The packet whose turn it is by the door's law, or the discipline's; `fate` hears of drops and marks.
    #[inline(always)]
    pub fn pop(
        &mut self,
        now: Time,
        law: &mut AnyLaw,
        mut fate: impl FnMut(Waiting<T>, Fate),
    ) -> Option<Waiting<T>> {
        match self {
            Store::Line(line, bytes) => take(now, line, bytes, law, &mut fate),
            Store::Apart(apart) => apart.pop(now, fate),
        }
    }

    /// Time from which a shaper lets the next packet go.
    #[inline(always)]
    pub fn opens(&self) -> Time {
        match self {
            Store::Apart(apart) => apart.opens(),
            Store::Line(..) => Time::ZERO,
        }
    }

    /// Packets that wait, and their bytes.
    #[inline(always)]
    pub fn backlog(&self) -> (u32, u64) {
        match self {
            Store::Line(line, bytes) => (line.len() as u32, *bytes),
            Store::Apart(apart) => apart.backlog(),
        }
    }

    /// Calls `each` for every packet.
    pub fn each(&self, each: impl FnMut(&Waiting<T>)) {
        match self {
            Store::Line(line, _) => line.iter().for_each(each),
            Store::Apart(apart) => apart.each(each),
        }
    }

    /// Calls `each` for every packet.
    pub fn each_mut(&mut self, each: impl FnMut(&mut Waiting<T>)) {
        match self {
            Store::Line(line, _) => line.iter_mut().for_each(each),
            Store::Apart(apart) => apart.each_mut(each),
        }
    }

    /// Takes out those that `goes` names.
    pub fn take_out(&mut self, now: Time, mut goes: impl FnMut(&Waiting<T>) -> bool) {
        match self {
            Store::Line(line, bytes) => {
                line.retain(|waiting| !goes(waiting));
                *bytes = line.iter().map(|waiting| u64::from(waiting.bytes)).sum();
            }
            Store::Apart(apart) => apart.take_out(now, goes),
        }
    }
}
