//! Shortcuts for most collisions: data that begin at one instant, of which no addressee decodes its own, or one that answers
//! when all others have ended. All else is played.

use super::Medium;
use super::hazards::Met;
use super::receiver::{Fate, Hold, Lock, Reception};
use crate::exchange::{Frame, Sequence};
use crate::frames::Kind;
use crate::rates::{RateRef, Rates};
use base::{StationId, Time};
use radio::noise::sinr;

/// More than what rounding can change of a ratio.
const MARGIN: f64 = 1e-9;

/// What a glance at a collision tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glance {
    /// No addressee decodes its frame.
    Lost,
    /// The addressee of the frame of this number decodes it, and its answer is the last that is heard.
    Answered(usize),
    /// It takes a play.
    Unclear,
}

/// The last collision that nobody answered, and working memory.
#[derive(Clone, Debug)]
pub struct Collision {
    frames: Vec<Frame>,
    ends: Vec<Time>,
    /// By station: the strongest of several powers, the second, and the sum, W.
    best_w: Vec<f32>,
    second_w: Vec<f32>,
    total_w: Vec<f64>,
    /// By station: the ratio of the strongest to all else.
    ratios: Vec<f64>,
    /// By station: all bits where it has decoded no frame.
    missed: Vec<u32>,
    /// The bits of each of the frames, or those that all have.
    met: Vec<Met>,
    /// The SINR below which no station decodes the strongest of them, and that from which on each does.
    bounds: (f64, f64),
    /// The form of the frames for which the two hold, where all have the same.
    form: Option<Form>,
}

/// The durations and the bits of data frames that have this in common are the same.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Form {
    kind: Kind,
    rates: RateRef,
    basic: bool,
    sent_bits: u64,
}

impl Form {
    fn of(frame: &Frame) -> Form {
        let &Frame { kind, rates, basic, sent_bits, .. } = frame;
        Form { kind, rates, basic, sent_bits }
    }
}

/// A ratio at which nothing is decoded.
const DEAF: f64 = -1.0;

impl Collision {
    /// Makes the memory for a number of stations.
    pub fn new(stations: usize) -> Collision {
        Collision {
            frames: Vec::new(),
            ends: Vec::new(),
            best_w: vec![0.0; stations],
            second_w: vec![0.0; stations],
            total_w: vec![0.0; stations],
            ratios: vec![0.0; stations],
            missed: vec![0; stations],
            met: Vec::new(),
            bounds: (0.0, 0.0),
            form: None,
        }
    }

    /// Looks at data frames that begin together on a free air.
    pub fn look(&mut self, medium: &mut Medium, frames: &[Frame], rates: &Rates) -> Glance {
        let mut answered = None;
        self.find_bounds(medium, frames, rates);
        for (i, frame) in frames.iter().enumerate() {
            let to = frame.to;
            let is_deaf = frames.iter().any(|other| other.from == to);
            if is_deaf || frames[..i].iter().any(|other| other.to == to) {
                continue;
            }
            let decoded = if medium.levels.bit_by_bit {
                self.decoded_by_ratio(medium, to, frames, rates)
            } else {
                self.decoded(medium, to, frames, rates)
            };
            if let Some(own) = decoded.filter(|&which| frames[which].to == to)
                && answered.replace(own).is_some()
            {
                return Glance::Unclear;
            }
        }
        let end = frames.iter().map(Frame::end).max().unwrap_or(Time::ZERO);
        let Some(own) = answered else {
            self.frames.clear();
            self.frames.extend_from_slice(frames);
            return Glance::Lost;
        };
        let ack = Sequence::ack(rates.timing(frames[own].rates), &frames[own]);
        let is_last = end <= ack.start && frames.iter().all(|frame| frame.nav <= ack.end());
        if is_last { Glance::Answered(own) } else { Glance::Unclear }
    }

    /// Finds which of several frames that began together a station, which sends none of them, decodes.
    fn decoded(
        &mut self,
        medium: &mut Medium,
        at: StationId,
        frames: &[Frame],
        rates: &Rates,
    ) -> Option<usize> {
        let Medium { links, levels, reception, hazards, nodes, .. } = medium;
        let power_w = |frame: &Frame| links.still_w(frame.from, at);
        let (mut best, first) = (0, &frames[0]);
        let mut hold = Hold::first(first.preamble(), power_w(first), (levels, false));
        for (i, frame) in frames.iter().enumerate().skip(1) {
            let met = hold.meet(frame.start, power_w(frame), reception);
            hold.spoiled |= met.spoils;
            if met.takes_over {
                (best, hold) = (i, hold.after(frame.preamble(), power_w(frame), met.alone));
            }
        }
        let Reception::Sinr(config) = &*reception else { return (!hold.spoiled).then_some(best) };
        let own = &frames[best];
        let mut lock = Lock::new((best as u16, own), at, hold);
        let modulation = own.modulation(rates);
        let ends = &mut self.ends;
        ends.clear();
        ends.extend(frames.iter().map(Frame::end).filter(|&end| end < own.end()));
        ends.push(own.end());
        ends.sort_unstable();
        for &end in &*ends {
            if lock.is_behind(end) && !lock.is_lost() {
                let others = frames.iter().enumerate();
                let others = others.filter(|&(i, other)| i != best && other.end() >= end);
                let interference_w = || others.map(|(_, other)| power_w(other)).sum();
                lock.count(end, (own, interference_w), (config, hazards, modulation));
            }
        }
        (lock.fate(nodes[at.index()].errors, own) == Fate::Decoded).then_some(best)
    }

    /// The same bit by bit, by bounds where these tell.
    fn decoded_by_ratio(
        &mut self,
        medium: &mut Medium,
        at: StationId,
        frames: &[Frame],
        rates: &Rates,
    ) -> Option<usize> {
        let Reception::Sinr(config) = &medium.reception else { return None };
        let best = strongest(medium, frames, at);
        let best_w = medium.links.still_w(frames[best].from, at);
        let total_w: f64 = frames.iter().map(|frame| medium.links.still_w(frame.from, at)).sum();
        let ratio = sinr(best_w, total_w - best_w, config.noise_w);
        self.survives(medium, at, ratio, (frames, rates)).then_some(best)
    }

    /// Returns when those who have decoded one of the last frames count slots again, by a rule for the reservation that binds
    /// them, where that is the same for all frames.
    pub fn common_start(&self, after: impl Fn(Time) -> Time) -> Option<Time> {
        let first = after(self.frames.first()?.nav);
        self.frames.iter().all(|frame| after(frame.nav) == first).then_some(first)
    }

    /// Calls `told` with each station that has decoded one of the last frames, and with the end of its reservation.
    pub fn each_decoded(
        &mut self,
        medium: &mut Medium,
        rates: &Rates,
        mut told: impl FnMut(StationId, Time),
    ) {
        let mut missed = std::mem::take(&mut self.missed);
        self.mark_missed(medium, rates, &mut missed);
        let decoded = missed.iter().enumerate().filter(|(_, missed)| **missed == 0);
        let have_one_end = self.frames.windows(2).all(|two| two[0].nav == two[1].nav);
        for at in decoded.map(|(k, _)| StationId(k as u32)) {
            let which = if have_one_end { 0 } else { strongest(medium, &self.frames, at) };
            told(at, self.frames[which].nav);
        }
        self.missed = missed;
    }

    /// Marks with all bits, in the place of each station, those that have decoded none of the last frames, and clears the
    /// others.
    pub fn mark_missed(&mut self, medium: &mut Medium, rates: &Rates, missed: &mut [u32]) {
        let frames = std::mem::take(&mut self.frames);
        if frames.is_empty() {
            missed.fill(u32::MAX);
        } else if medium.levels.bit_by_bit {
            self.mark_by_ratio(medium, (&frames, rates), missed);
        } else {
            self.mark_by_power(medium, &frames, missed);
        }
        self.frames = frames;
    }

    fn mark_by_power(&mut self, medium: &Medium, frames: &[Frame], missed: &mut [u32]) {
        let Reception::Thresholds(thresholds) = &medium.reception else { return };
        let Collision { best_w, second_w, .. } = self;
        best_w.copy_from_slice(medium.links.row(frames[0].from));
        second_w.fill(0.0);
        for frame in &frames[1..] {
            let powers_w = medium.links.row(frame.from);
            for ((best_w, second_w), w) in best_w.iter_mut().zip(&mut *second_w).zip(powers_w) {
                let low_w = if w < best_w { *w } else { *best_w };
                *second_w = if low_w > *second_w { low_w } else { *second_w };
                *best_w = if w > best_w { *w } else { *best_w };
            }
        }
        let powers_w = best_w.iter().zip(second_w);
        for (missed, (best_w, second_w)) in missed.iter_mut().zip(powers_w) {
            let (best_w, second_w) = (f64::from(*best_w), f64::from(*second_w));
            *missed = if thresholds.captures(best_w, second_w) { 0 } else { u32::MAX };
        }
        // Whoever sends hears nothing.
        frames.iter().for_each(|frame| missed[frame.from.index()] = u32::MAX);
    }

    fn mark_by_ratio(
        &mut self,
        medium: &mut Medium,
        (frames, rates): (&[Frame], &Rates),
        missed: &mut [u32],
    ) {
        self.find_bounds(medium, frames, rates);
        self.work_out_ratios(medium, frames);
        let ratios = std::mem::take(&mut self.ratios);
        for (k, (missed, &ratio)) in missed.iter_mut().zip(&ratios).enumerate() {
            let survives = self.survives(medium, StationId(k as u32), ratio, (frames, rates));
            *missed = if survives { 0 } else { u32::MAX };
        }
        self.ratios = ratios;
    }

    /// Works out the ratio of the strongest power at each station to noise and others: of no use at one that sends itself.
    fn work_out_ratios(&mut self, medium: &Medium, frames: &[Frame]) {
        let Reception::Sinr(config) = &medium.reception else { return };
        let Collision { best_w, total_w, ratios, .. } = self;
        best_w.copy_from_slice(medium.links.row(frames[0].from));
        total_w.iter_mut().zip(&*best_w).for_each(|(total_w, w)| *total_w = f64::from(*w));
        for frame in &frames[1..] {
            let powers_w = medium.links.row(frame.from);
            for ((best_w, total_w), w) in best_w.iter_mut().zip(&mut *total_w).zip(powers_w) {
                *best_w = if w > best_w { *w } else { *best_w };
                *total_w += f64::from(*w);
            }
        }
        for ((ratio, best_w), total_w) in ratios.iter_mut().zip(best_w).zip(total_w) {
            let best_w = f64::from(*best_w);
            *ratio = sinr(best_w, *total_w - best_w, config.noise_w);
        }
        frames.iter().for_each(|frame| ratios[frame.from.index()] = DEAF);
    }

    /// Returns true if a station decodes the strongest frame: by bounds where these tell, otherwise bit by bit.
    #[inline]
    fn survives(
        &mut self,
        medium: &mut Medium,
        at: StationId,
        ratio: f64,
        (frames, rates): (&[Frame], &Rates),
    ) -> bool {
        let (lost, sure) = self.bounds;
        if ratio < lost {
            return false;
        }
        ratio >= sure || self.survives_between(medium, at, ratio, (frames, rates))
    }

    /// The same between the bounds.
    fn survives_between(
        &mut self,
        medium: &mut Medium,
        at: StationId,
        ratio: f64,
        (frames, rates): (&[Frame], &Rates),
    ) -> bool {
        let unit = medium.nodes[at.index()].errors.unit(frames[0].start.0);
        let met = match &self.met[..] {
            [common] => common,
            all => &all[strongest(medium, frames, at)],
        };
        let survives = medium.hazards.survives(met, ratio, unit);
        survives.unwrap_or_else(|| self.decoded(medium, at, frames, rates).is_some())
    }

    /// Works out the bounds of these frames, where bits are lost one by one.
    fn find_bounds(&mut self, medium: &mut Medium, frames: &[Frame], rates: &Rates) {
        let form = frames.first().map(Form::of);
        let are_alike = frames.iter().all(|frame| Some(Form::of(frame)) == form);
        if !medium.levels.bit_by_bit || (are_alike && form == self.form) {
            return;
        }
        self.form = form.filter(|_| are_alike);
        self.met.clear();
        let first_end = frames.iter().map(Frame::end).min().unwrap_or(Time::ZERO);
        let (mut lost, mut sure) = (f64::INFINITY, 0.0_f64);
        for frame in frames {
            let bits_from = frame.start + frame.plcp;
            let until = first_end.max(bits_from).since(bits_from).0 as f64;
            let share = until / frame.end().since(bits_from).0.max(1) as f64;
            let all = frame.sent_bits as f64;
            let least = all * share * (1.0 - MARGIN);
            let modulation = frame.modulation(rates);
            self.met.push(Met { table: medium.hazards.place_of(modulation), least, all });
            lost = lost.min(medium.hazards.lost_up_to(modulation, least));
            sure = sure.max(medium.hazards.clear_from(modulation));
        }
        if self.met.windows(2).all(|two| two[0] == two[1]) {
            self.met.truncate(1);
        }
        self.bounds = (lost * (1.0 - MARGIN), sure * (1.0 + MARGIN));
    }

    /// Forgets it.
    pub fn clear(&mut self) {
        self.frames.clear();
    }
}

/// Returns the number of the frame that is strongest at a station: the first of those that are equally strong.
fn strongest(medium: &Medium, frames: &[Frame], at: StationId) -> usize {
    let power_w = |i: usize| medium.links.still_w(frames[i].from, at);
    (1..frames.len()).fold(0, |best, i| if power_w(i) > power_w(best) { i } else { best })
}
