//! A frame that is alone on the air, by thresholds of power.
//!
//! Nearly every frame begins on a free air and ends before another begins. All that it does to a station then follows from
//! whether it is sensed there, and whether it is decoded: two bits, in place of the frame's state at each receiver. Where
//! another begins meanwhile, that state is made up, and both go on as any frames do.

use super::bits;
use super::frame::Slot;
use super::receiver::{Fate, Hold, Lock, Reception};
use super::{Happened, Medium};
use crate::exchange::Frame;
use crate::frames::Kind;
use crate::witness::Witness;
use base::{StationId, Time};

/// The frame that is alone on the air, if there is one, and where it is heard.
#[derive(Clone, Debug)]
pub struct Solitude {
    slot: Option<Slot>,
    heard: Hearers,
    /// By station: its power there, W.
    power_w: Vec<f64>,
}

/// The stations at which a frame is heard, as bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hearers {
    sensed: u64,
    decoded: u64,
}

impl Solitude {
    /// No frame is alone among these stations.
    pub fn new(stations: usize) -> Solitude {
        Solitude { slot: None, heard: Hearers::default(), power_w: vec![0.0; stations] }
    }

    /// Takes where a frame is heard, if it is the one that is alone.
    #[inline]
    pub fn take_if_of(&mut self, slot: Slot) -> Option<Hearers> {
        self.slot.take_if(|alone| *alone == slot).map(|_| self.heard)
    }

    /// Returns true if a frame is alone on the air and a station will decode it.
    pub fn is_decoded_at(&self, station: StationId) -> bool {
        self.slot.is_some() && bits::has(&[self.heard.decoded], station)
    }
}

impl Medium {
    /// Returns true if a frame that begins is alone, and its effects are known from powers.
    #[inline]
    pub(super) fn may_be_alone(&self, frame: &Frame, is_witnessed: bool) -> bool {
        self.frames.are_none()
            && !is_witnessed
            && frame.kind != Kind::Group
            && self.nodes.len() <= bits::WORD
            && matches!(self.reception, Reception::Thresholds(_))
            && self.bystanders.is_none()
            && self.is_one_channel
            && self.managers.is_empty()
            && self.errors.is_none()
    }

    /// Begins a frame on a free air.
    pub(super) fn begin_alone(&mut self, (slot, frame): (Slot, &Frame)) {
        let mut heard = Hearers::default();
        for to in bits::stations(0, self.links.near(frame.from)[0]) {
            let power_w = self.links.power_w(frame.from, to, frame.start);
            self.solitude.power_w[to.index()] = power_w;
            if power_w < self.levels.sense_w {
                continue;
            }
            heard.sensed |= bits::of_word(0, to);
            if power_w >= self.levels.receive_w {
                heard.decoded |= bits::of_word(0, to);
            } else if frame.to == to {
                self.blame_weakness(to, slot, frame.start);
            }
            self.sense_first(to, frame.from, frame.start);
        }
        (self.solitude.slot, self.solitude.heard) = (Some(slot), heard);
    }

    /// Ends a frame that was alone from its start; returns true if its addressee has decoded it.
    pub(super) fn end_alone<W: Witness>(
        &mut self,
        (slot, frame): (Slot, &Frame),
        heard: Hearers,
        (now, witness): (Time, &mut W),
        happened: &mut Happened,
    ) -> bool {
        for at in bits::stations(0, heard.sensed) {
            let decoded = bits::has(&[heard.decoded], at);
            let fate = if decoded { Fate::Decoded } else { Fate::Interference };
            let noticed = decoded.then(|| self.solitude.power_w[at.index()]);
            self.conclude_hearing(
                at,
                (slot, frame),
                (Some(fate), noticed),
                (now, witness),
                happened,
            );
        }
        bits::has(&[heard.decoded], frame.to)
    }

    /// Another frame begins, or a station leaves: the one that was alone goes on as any other.
    pub(super) fn end_solitude(&mut self) {
        let Some(slot) = self.solitude.slot.take() else { return };
        let Some(&frame) = self.frames.get(slot) else { return };
        for at in bits::stations(0, self.solitude.heard.sensed) {
            let power_w = self.solitude.power_w[at.index()];
            self.frames.tell(slot, at, power_w);
            let hold = Hold::first(frame.preamble(), power_w, (&self.levels, false));
            let node = &mut self.nodes[at.index()];
            (node.sensed, node.noticed) = (1, true);
            node.lock = Some(Lock::new((slot, &frame), at, hold));
        }
    }
}
