//! A bystander's reception of the frames of an episode, one after the other.

use super::Medium;
use super::bystanders::{Episode, Heard};
use super::receiver::{Fate, Hold, Lock, Reception};
use crate::exchange::Frame;
use base::{StationId, Time};

/// The signals that a bystander notices, and the frame that it decodes.
#[derive(Default)]
struct Ear {
    /// Frames on the air, noticed or not.
    on_air: u32,
    /// Frames that it notices.
    sensed: u32,
    grip: Option<Grip>,
    /// Time since which it notices no signal.
    idle_from: Time,
}

/// The frame that it listens to.
struct Grip {
    /// Index of the frame in its episode.
    frame: u8,
    hold: Hold,
    /// The number of the event with which it began.
    since: usize,
    /// True if another signal has interfered.
    disturbed: bool,
}

impl Medium {
    /// From this power on a frame is decoded where it is alone, W.
    pub(super) fn sure_w(&mut self, frame: &Frame) -> f64 {
        match &self.reception {
            Reception::Thresholds(_) => self.levels.receive_w,
            Reception::Sinr(config) => {
                let clear = self.hazards.clear_from(frame.modulation(&self.rates));
                // Above the product, so that the quotient is on the same side of it.
                let clear_w = clear * config.noise_w * (1.0 + 1e-12);
                // A station that does not sense a frame does not follow it, however clear it is.
                clear_w.max(self.levels.receive_w).max(self.levels.sense_w)
            }
        }
    }

    /// Updates a station with an episode, which may be over. The effects are those of [`Medium::reach`] and of ends of
    /// frames, except for slots: they stop once, as no station's slots can pass within a SIFS.
    #[inline]
    pub(super) fn catch_up(&mut self, at: StationId, episode: &Episode, is_over: bool) {
        let Some(first) = episode.frames.first() else { return };
        let (node, rest) = (&mut self.nodes[at.index()], &mut self.stations[at.index()]);
        node.stop_slots(first.frame.start, || rest.draw_backoff());
        let mut ear = Ear::default();
        for (number, event) in episode.events.iter().enumerate() {
            let Some(heard) = episode.frames.get(usize::from(event.frame)) else { continue };
            let power_w = self.links.power_w(heard.frame.from, at, heard.frame.start);
            if event.begins {
                self.begin_in_ear(at, &mut ear, (number, event.frame), (heard, power_w));
            } else {
                self.end_in_ear(at, &mut ear, (episode, number, event.frame), (heard, power_w));
            }
        }
        if !is_over {
            self.go_on_listening(at, &ear, episode);
        }
        if ear.sensed == 0 {
            let node = &mut self.nodes[at.index()];
            node.counter.resume(node.space_ends(ear.idle_from));
            self.starts.set(at, node.counter.start(node.slot));
        }
    }

    #[inline(always)]
    fn begin_in_ear(
        &mut self,
        at: StationId,
        ear: &mut Ear,
        (event, frame): (usize, u8),
        (heard, power_w): (&Heard, f64),
    ) {
        let (now, amid) = (heard.frame.start, ear.on_air > 0);
        ear.on_air += 1;
        if let Some(grip) = &mut ear.grip {
            grip.disturbed = true;
        }
        if power_w < self.levels.sense_w {
            return;
        }
        let others = ear.sensed > 0;
        ear.sensed += 1;
        if !others {
            self.nodes[at.index()].hear_somebody(now);
        }
        let hold = match &mut ear.grip {
            Some(Grip { hold, .. }) => {
                let met = hold.meet(now, power_w, &self.reception);
                hold.spoiled |= met.spoils;
                met.takes_over.then(|| hold.after(heard.frame.preamble(), power_w, met.alone))
            }
            None => (power_w >= self.levels.follow_w)
                .then(|| Hold::first(heard.frame.preamble(), power_w, (&self.levels, others))),
        };
        if let Some(hold) = hold {
            ear.grip = Some(Grip { frame, hold, since: event, disturbed: amid });
        }
    }

    #[inline(always)]
    fn end_in_ear(
        &mut self,
        at: StationId,
        ear: &mut Ear,
        (episode, event, frame): (&Episode, usize, u8),
        (heard, power_w): (&Heard, f64),
    ) {
        ear.on_air -= 1;
        if power_w < self.levels.sense_w {
            return;
        }
        ear.sensed -= 1;
        ear.idle_from = heard.frame.end();
        let Some(grip) = ear.grip.take_if(|grip| grip.frame == frame) else { return };
        let is_clear = !grip.disturbed && power_w >= heard.sure_w;
        let decoded = !grip.hold.spoiled
            && (is_clear || !self.levels.bit_by_bit || {
                let lock = self.listen_again(at, episode, (&grip, event + 1));
                lock.fate(self.nodes[at.index()].errors, &heard.frame) == Fate::Decoded
            });
        let node = &mut self.nodes[at.index()];
        node.errored = !decoded;
        if decoded {
            node.overhear(&heard.frame, ear.idle_from);
        }
    }

    /// The frame that a bystander listens to, with the hazard that it has counted from one event to before another.
    fn listen_again(
        &mut self,
        at: StationId,
        episode: &Episode,
        (grip, until): (&Grip, usize),
    ) -> Lock {
        let heard = &episode.frames[usize::from(grip.frame)];
        let mut lock = Lock::new((heard.slot, &heard.frame), at, grip.hold);
        let Reception::Sinr(config) = &self.reception else { return lock };
        let modulation = heard.frame.modulation(&self.rates);
        for event in &episode.events[grip.since + 1..until] {
            let other = &episode.frames[usize::from(event.frame)].frame;
            let now = if event.begins { other.start } else { other.end() };
            if !lock.is_behind(now) {
                continue;
            }
            let interference_w = || -> f64 {
                let others = event.on_air().iter().filter(|&&i| i != grip.frame);
                let sender = |&i: &u8| episode.frames[usize::from(i)].frame.from;
                others.map(|i| self.links.still_w(sender(i), at)).sum()
            };
            lock.count(
                now,
                (&heard.frame, interference_w),
                (config, &mut self.hazards, modulation),
            );
            if lock.is_lost() {
                break;
            }
        }
        lock
    }

    /// From here on the station hears what happens as it happens.
    fn go_on_listening(&mut self, at: StationId, ear: &Ear, episode: &Episode) {
        for heard in episode.frames.iter().filter(|heard| heard.is_on_air) {
            let power_w = self.links.power_w(heard.frame.from, at, heard.frame.start);
            self.frames.tell(heard.slot, at, power_w);
        }
        let grip = ear.grip.as_ref();
        let lock = grip.map(|grip| self.listen_again(at, episode, (grip, episode.events.len())));
        let node = &mut self.nodes[at.index()];
        (node.sensed, node.lock) = (ear.sensed, lock);
    }
}
