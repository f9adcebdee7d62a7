//! Shortcuts for most collisions: data that begin at one instant, of which no addressee decodes its own, or one that answers
//! when all others have ended. All else is played.

use super::Medium;
use super::hazards::Met;
use super::receiver::{Fate, Hold, Lock, Reception};
use crate::exchange::{Frame, Sequence};
use crate::rates::Rates;
use base::{Span, StationId, Time};
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
    /// By station: the strongest of several powers, the second, and their sum, W; [`DEAF_W`] in place of the strongest at one
    /// that sends itself.
    best_w: Vec<f64>,
    second_w: Vec<f64>,
    total_w: Vec<f64>,
    /// By station: the number of the strongest frame, a float as all that is worked out beside it.
    best: Vec<f64>,
    /// By frame: its bits.
    met: Vec<Met>,
}

/// No power: it captures nothing.
const DEAF_W: f64 = -1.0;

impl Collision {
    /// Makes the memory for so many stations.
    pub fn new(stations: usize) -> Collision {
        let none = || vec![0.0; stations];
        Collision {
            frames: Vec::new(),
            ends: Vec::new(),
            best_w: none(),
            second_w: none(),
            total_w: none(),
            best: none(),
            met: Vec::new(),
        }
    }

    /// Looks at data frames that begin together on a free air.
    pub fn look(&mut self, medium: &mut Medium, frames: &[Frame], rates: &Rates) -> Glance {
        let mut answered = None;
        for (i, frame) in frames.iter().enumerate() {
            let to = frame.to;
            let is_deaf = frames.iter().any(|other| other.from == to);
            if is_deaf || frames[..i].iter().any(|other| other.to == to) {
                continue;
            }
            let decoded = self.decoded(medium, to, frames, rates);
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

    /// Calls `told`, after [`Glance::Lost`] and where those who have decoded a frame do not wait as long as those who have not,
    /// with each of them, and with the end of the reservation that binds it.
    pub fn each_captured(
        &mut self,
        medium: &mut Medium,
        (end, difs, after_error): (Time, Span, Span),
        rates: &Rates,
        told: impl FnMut(StationId, Time),
    ) {
        let waits_alike = |frame: &Frame| end.max(frame.nav) + difs == end + after_error;
        if !self.frames.iter().all(waits_alike) {
            self.each_decoded(medium, rates, told);
        }
    }

    /// Calls `told` with each station that has decoded one of the last frames, and with the end of its reservation.
    pub fn each_decoded(
        &mut self,
        medium: &mut Medium,
        rates: &Rates,
        mut told: impl FnMut(StationId, Time),
    ) {
        let frames = std::mem::take(&mut self.frames);
        if frames.is_empty() {
            return;
        }
        self.compare_powers(medium, &frames);
        let (lost, sure) = self.bounds(medium, &frames, rates);
        for k in 0..self.best_w.len() {
            let at = StationId(k as u32);
            let best_w = self.best_w[k];
            let decoded = match &medium.reception {
                Reception::Thresholds(of) => of.captures(best_w, self.second_w[k]),
                Reception::Sinr(config) => {
                    let ratio = sinr(best_w, self.total_w[k] - best_w, config.noise_w);
                    ratio >= lost
                        && (ratio >= sure || self.survives(medium, at, ratio, (&frames, rates)))
                }
            };
            if decoded {
                told(at, frames[self.best[k] as usize].nav);
            }
        }
        self.frames = frames;
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
        let best = self.best[at.index()] as usize;
        let unit = medium.nodes[at.index()].errors.unit(frames[best].start.0);
        let survives = medium.hazards.survives(&self.met[best], ratio, unit);
        survives.unwrap_or_else(|| self.decoded(medium, at, frames, rates).is_some())
    }

    /// Works out the strongest power at each station, the second, and the sum.
    fn compare_powers(&mut self, medium: &Medium, frames: &[Frame]) {
        let Collision { best_w, second_w, total_w, best, .. } = self;
        let n = best_w.len();
        best_w.copy_from_slice(medium.links.row(frames[0].from));
        total_w.copy_from_slice(best_w);
        second_w.fill(0.0);
        best.fill(0.0);
        for (i, frame) in frames.iter().enumerate().skip(1) {
            let row = &medium.links.row(frame.from)[..n];
            let (best_w, second_w) = (&mut best_w[..n], &mut second_w[..n]);
            let (total_w, best) = (&mut total_w[..n], &mut best[..n]);
            for k in 0..n {
                let (w, b) = (row[k], best_w[k]);
                let low = if w < b { w } else { b };
                second_w[k] = if low > second_w[k] { low } else { second_w[k] };
                best_w[k] = if w > b { w } else { b };
                best[k] = if w > b { i as f64 } else { best[k] };
                total_w[k] += w;
            }
        }
        for frame in frames {
            best_w[frame.from.index()] = DEAF_W;
        }
    }

    /// Works out the SINR below which no station decodes the strongest of these frames, and from which on each does.
    fn bounds(&mut self, medium: &mut Medium, frames: &[Frame], rates: &Rates) -> (f64, f64) {
        self.met.clear();
        if !medium.levels.bit_by_bit {
            return (0.0, 0.0);
        }
        let first_end = frames.iter().map(Frame::end).min().unwrap_or(Time::ZERO);
        let (mut lost, mut sure) = (f64::INFINITY, 0.0_f64);
        for frame in frames {
            let bits_from = frame.start + frame.plcp;
            let until = first_end.max(bits_from).since(bits_from).0 as f64;
            let share = until / frame.end().since(bits_from).0.max(1) as f64;
            let all = frame.sent_bits as f64;
            let least = all * share * (1.0 - MARGIN);
            let modulation = frame.modulation(rates);
            self.met.push(Met { modulation, least, all });
            lost = lost.min(medium.hazards.lost_up_to(modulation, least));
            sure = sure.max(medium.hazards.clear_from(modulation));
        }
        (lost * (1.0 - MARGIN), sure * (1.0 + MARGIN))
    }

    /// Forgets it.
    pub fn clear(&mut self) {
        self.frames.clear();
    }
}
