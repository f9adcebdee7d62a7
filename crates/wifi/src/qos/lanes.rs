//! The contention of stations with access functions of different spaces: a lane for each space and way of counting.
//!
//! All functions of a lane wait for the same inter-frame space, so each lane is a [`Contention`] of its own. What ends their
//! common waits and begins them anew is the same for all lanes.

use super::contender::Contender;
use crate::contention::{Contention, Onset};
use base::{Span, StationId, Time};

/// How a function waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// SIFS and AIFSN slots.
    pub space: Span,
    /// Boundaries of slots count its backoff down (EDCA), not idle slots (DCF).
    pub by_boundaries: bool,
}

#[derive(Clone, Debug)]
struct Lane {
    wait: Wait,
    contention: Contention,
}

/// The lanes of a cell.
#[derive(Clone, Debug)]
pub struct Lanes {
    lanes: Vec<Lane>,
    /// By contender: its lane.
    of: Vec<u8>,
    next_start: Time,
    slot: Span,
}

impl Lanes {
    /// All idle on a medium that has been idle for long; `waits` by contender.
    pub fn new(waits: &[Wait], cw_max: u32, slot: Span) -> Lanes {
        let mut kinds: Vec<Wait> = Vec::new();
        let of = waits.iter().map(|wait| {
            let place = kinds.iter().position(|kind| kind == wait).unwrap_or_else(|| {
                kinds.push(*wait);
                kinds.len() - 1
            });
            place as u8
        });
        let of = of.collect();
        let lane = |&wait| Lane { wait, contention: Contention::new(waits.len(), cw_max, slot) };
        Lanes { lanes: kinds.iter().map(lane).collect(), of, next_start: Time::NEVER, slot }
    }

    /// Time at which the next function begins if no other comes in between.
    pub fn next_start(&self) -> Time {
        self.next_start
    }

    fn lane(&mut self, of: Contender) -> &mut Contention {
        &mut self.lanes[usize::from(self.of[of.index()])].contention
    }

    /// True where it has no backoff to finish ([`Contention::is_finished`]).
    pub fn is_finished(&mut self, of: Contender, now: Time, idle: bool) -> bool {
        self.lane(of).is_finished(counter(of), now, idle)
    }

    /// A function whose frame finds the medium idle begins at the next boundary of a slot (802.11-2020, 10.23.2.4).
    pub fn draw_at_boundary(&mut self, of: Contender, now: Time) {
        let slot = self.slot;
        let lane = self.lane(of);
        let ends = lane.space_ends(counter(of));
        let start = ends + slot * now.since(ends).0.div_ceil(slot.0);
        lane.draw_from(counter(of), start, 0);
    }

    /// Gives it a backoff, to run from the end of its space.
    pub fn draw(&mut self, of: Contender, slots: u32) {
        self.lane(of).draw(counter(of), slots);
    }

    /// It has something to send when its backoff ends.
    pub fn arm(&mut self, of: Contender) {
        let lane = self.lane(of);
        lane.arm(counter(of));
        let next = lane.next_start();
        self.next_start = self.next_start.min(next);
    }

    /// Makes the medium busy at the next start: the functions that begin before they can sense it, the first ones first and
    /// by number. All of one station count the same slots, so that none begins while another has just begun.
    pub fn begin(&mut self, sense_time: Span, winners: &mut Vec<(StationId, Time)>) {
        let start = self.next_start;
        let horizon = start + Span(sense_time.0.max(1));
        for Lane { wait, contention } in &mut self.lanes {
            let onset = Onset { start, horizon };
            if wait.by_boundaries {
                contention.stop::<true>(onset, winners);
            } else {
                contention.stop::<false>(onset, winners);
            }
        }
        winners.sort_unstable_by_key(|&(contender, at)| (at, contender));
        self.next_start = Time::NEVER;
    }

    /// Another frame begins on a busy medium.
    pub fn begin_frame(&mut self) {
        self.lanes.iter_mut().for_each(|lane| lane.contention.begin_frame());
    }

    /// The medium is idle from `end` on: all wait for their spaces. Then come [`Lanes::hold_back`] and [`Lanes::settle`].
    pub fn resume(&mut self, end: Time) {
        for lane in &mut self.lanes {
            lane.contention.resume(end + lane.wait.space);
        }
    }

    /// A function's space begins at `end`, not when that of others does.
    pub fn hold_back(&mut self, of: Contender, end: Time) {
        let lane = &mut self.lanes[usize::from(self.of[of.index()])];
        lane.contention.wait_until(counter(of), end + lane.wait.space);
    }

    /// Works out the next start after [`Lanes::resume`].
    pub fn settle(&mut self) {
        self.next_start = Time::NEVER;
        for lane in &mut self.lanes {
            lane.contention.settle();
            self.next_start = self.next_start.min(lane.contention.next_start());
        }
    }
}

/// A contender as the lanes number those who count.
fn counter(of: Contender) -> StationId {
    StationId(of.0)
}
