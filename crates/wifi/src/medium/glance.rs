//! Shortcuts for most bystanders and most episodes: frames that came alone, or several that began at one instant, where the
//! powers alone decide whether any was decoded. All other cases go through [`super::ear`].

use super::Medium;
use super::bits;
use super::bystanders::{Episode, Heard};
use super::clusters::Clusters;
use super::node::Node;
use super::receiver::{Hold, Reception};
use base::{StationId, Time};
use radio::noise::sinr;

/// More than what rounding can change of a ratio.
const MARGIN: f64 = 1e-9;

/// The frames of an episode that a bystander has decoded.
#[derive(Clone, Copy)]
enum Understood {
    /// All frames.
    All,
    /// These, as bits; `errored` if it could not decode the last frame that it followed.
    Some { frames: u32, errored: bool },
}

impl Medium {
    /// Updates the members of an episode that is over for which a shortcut applies; returns the others.
    pub(super) fn tell_at_a_glance(
        &mut self,
        (word, stations): (usize, u64),
        episode: &Episode,
    ) -> u64 {
        let mut clusters = std::mem::take(&mut self.clusters);
        let mut others = 0;
        if clusters.read(&episode.frames) {
            self.find_hopeless(&mut clusters, &episode.frames);
            for at in bits::stations(word, stations) {
                match self.understand(at, &clusters, &episode.frames) {
                    Some(understood) => self.take_in(at, &clusters, &episode.frames, understood),
                    None => others |= bits::of_word(word, at),
                }
            }
        } else {
            others = stations;
        }
        self.clusters = clusters;
        others
    }

    /// Up to which SINR each frame that did not come alone is lost: by the bits that were sent before any of its rivals ended.
    fn find_hopeless(&mut self, clusters: &mut Clusters, frames: &[Heard]) {
        clusters.lost_up_to.clear();
        if clusters.is_plain || !self.levels.bit_by_bit {
            return;
        }
        for cluster in &clusters.list {
            let rivals = &frames[cluster.frames.0..cluster.frames.1];
            let first_end = rivals.iter().map(|heard| heard.frame.end()).min();
            for Heard { frame, .. } in rivals {
                let bits_from = frame.start + frame.plcp;
                let (until, end) = (first_end.unwrap_or(bits_from).max(bits_from), frame.end());
                let share = until.since(bits_from).0 as f64 / end.since(bits_from).0.max(1) as f64;
                let bits = frame.sent_bits as f64 * share;
                let modulation = frame.modulation(&self.rates);
                clusters
                    .lost_up_to
                    .push(self.hazards.lost_up_to(modulation, bits * (1.0 - MARGIN)));
            }
        }
    }

    /// `None`: it takes more than a glance.
    #[inline(always)] // for all bystanders
    fn understand(
        &self,
        at: StationId,
        clusters: &Clusters,
        frames: &[Heard],
    ) -> Option<Understood> {
        let is_sure = |heard: &Heard| self.links.still_w(heard.frame.from, at) >= heard.sure_w;
        if clusters.is_plain && frames.iter().all(is_sure) {
            return Some(Understood::All);
        }
        self.understand_some(at, clusters, frames)
    }

    fn understand_some(
        &self,
        at: StationId,
        clusters: &Clusters,
        all: &[Heard],
    ) -> Option<Understood> {
        let (mut frames, mut errored) = (0, false);
        for cluster in &clusters.list {
            let first = cluster.frames.0;
            let decoded = match &all[first..cluster.frames.1] {
                [heard] => {
                    let is_decoded = self.links.still_w(heard.frame.from, at) >= heard.sure_w;
                    if !is_decoded && self.levels.bit_by_bit {
                        return None;
                    }
                    is_decoded.then_some(first)
                }
                several => {
                    let lost_up_to = |i| clusters.lost_up_to.get(first + i).copied().unwrap_or(0.0);
                    self.understand_one(at, several, lost_up_to)?.map(|i| first + i)
                }
            };
            errored = decoded.is_none();
            frames |= decoded.map_or(0, |frame| 1 << frame);
        }
        Some(Understood::Some { frames, errored })
    }

    /// Finds the one of several simultaneous frames that is decoded.
    fn understand_one(
        &self,
        at: StationId,
        several: &[Heard],
        lost_up_to: impl Fn(usize) -> f64,
    ) -> Option<Option<usize>> {
        let (mut best, mut hold, mut others_w) = (0, None::<Hold>, 0.0);
        for (i, heard) in several.iter().enumerate() {
            let power_w = self.links.still_w(heard.frame.from, at);
            if !self.levels.are_followed(power_w) {
                return None;
            }
            let preamble = heard.frame.preamble();
            let Some(present) = &mut hold else {
                hold = Some(Hold::first(preamble, power_w, (&self.levels, false)));
                continue;
            };
            let met = present.meet(heard.frame.start, power_w, &self.reception);
            present.spoiled |= met.spoils;
            if met.takes_over {
                others_w += present.power_w;
                (best, hold) = (i, Some(present.after(preamble, power_w, met.alone)));
            } else {
                others_w += power_w;
            }
        }
        let hold = hold?;
        let Reception::Sinr(config) = &self.reception else {
            return Some((!hold.spoiled).then_some(best));
        };
        let ratio = sinr(hold.power_w, others_w, config.noise_w);
        let heard = &several[best];
        if hold.spoiled || ratio < lost_up_to(best) * (1.0 - MARGIN) {
            return Some(None);
        }
        (ratio >= heard.sure_w / config.noise_w * (1.0 + MARGIN)).then_some(Some(best))
    }

    /// A bystander has heard an episode to its end, and counts slots again.
    #[inline(always)] // for all bystanders
    fn take_in(&mut self, at: StationId, clusters: &Clusters, frames: &[Heard], told: Understood) {
        let (node, rest) = (&mut self.nodes[at.index()], &mut self.stations[at.index()]);
        node.stop_slots(clusters.start, || rest.draw_backoff());
        match told {
            Understood::All if !clusters.has_rts && node.nav_reset == Time::NEVER => {
                (node.errored, node.nav) = (false, node.nav.max(clusters.nav));
            }
            Understood::All => {
                node.errored = false;
                overhear(node, clusters, frames, u32::MAX);
            }
            Understood::Some { frames: decoded, errored } => {
                node.errored = errored;
                overhear(node, clusters, frames, decoded);
            }
        }
        node.counter.resume(node.space_ends(clusters.end));
        self.starts.set(at, node.counter.start(node.slot));
    }
}

/// Keeps the reservations of those frames that have been decoded.
fn overhear(node: &mut Node, clusters: &Clusters, frames: &[Heard], decoded: u32) {
    for cluster in &clusters.list {
        node.hear_somebody(cluster.start);
        let (first, end) = cluster.frames;
        for (i, Heard { frame, .. }) in (first..end).zip(&frames[first..end]) {
            if decoded >> i & 1 == 1 {
                node.overhear(frame, frame.end());
            }
        }
    }
}
