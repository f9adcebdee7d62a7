//! The fate of a frame at each receiver when it ends; of one with MPDUs, that of each: see [`super::parts`].

use super::edca::{Edca, Seat};
use super::frame::Slot;
use super::parts::{Bit, Course, Part, noise_share};
use super::receiver::{Fate, Lock, Reception};
use super::{Happened, Medium};
use crate::exchange::Frame;
use crate::qos::Places;
use crate::witness::Witness;
use base::{StationId, Time};
use radio::noise::sinr;

impl Medium {
    /// Counts the hazard so far of the frame that a station listens to.
    #[inline(always)]
    pub(super) fn count_hazard(&mut self, at: StationId, now: Time) {
        let lock = &self.nodes[at.index()].lock;
        if self.counts_hazards && lock.as_ref().is_some_and(|lock| lock.is_behind(now)) {
            self.count_bits(at, now);
        }
    }

    fn count_bits(&mut self, at: StationId, now: Time) {
        if self.edca.is_some() && self.count_piece(at, now) {
            return;
        }
        let Reception::Sinr(config) = &self.reception else { return };
        let Some(lock) = &mut self.nodes[at.index()].lock else { return };
        let Some(frame) = self.frames.get(lock.slot) else { return };
        let slot = lock.slot;
        let interference_w = || self.frames.interference_w(slot, at);
        let modulation = frame.modulation(&self.rates);
        lock.count(now, (frame, interference_w), (config, &mut self.hazards, modulation));
    }

    /// Notes what has disturbed the frame that a station listens to, where that has MPDUs.
    #[cold]
    fn count_piece(&mut self, at: StationId, now: Time) -> bool {
        let Medium { edca, nodes, frames, levels, .. } = self;
        let (Some(edca), Some(lock)) = (edca, &mut nodes[at.index()].lock) else { return false };
        let slot = lock.slot;
        let has_parts = frames.get(slot).is_some_and(|frame| edca.is_in_parts(frame));
        if has_parts {
            edca.note_piece(at, lock, now, || frames.disturbance(slot, at, levels.sense_w));
        }
        has_parts
    }

    /// A frame with MPDUs ends: decides which of them its addressee has, and reports them.
    pub(super) fn settle_parts<W: Witness>(&mut self, slot: Slot, frame: &Frame, witness: &mut W) {
        let (at, now) = (frame.to, frame.end());
        let is_first = !self.hands_up_each(frame);
        let Some(edca) = &mut self.edca else { return };
        let course = &mut edca.seats[frame.from.index()].course;
        if is_first {
            course.begin();
        }
        let decided = course.decided;
        self.list_parts(frame);
        self.count_hazard(at, now);
        let lock = self.lock_on(slot, at);
        let fate = lock.map(|lock| self.decode_for_addressee(&lock, frame, usize::MAX));
        let Some(edca) = &mut self.edca else { return };
        edca.parts.fate = fate;
        let Seat { begun, course, .. } = &mut edca.seats[frame.from.index()];
        if let Some(begun) = begun {
            begun.come = course.come.len() as u32;
        }
        if witness.is_listening() {
            self.report_parts(frame, (decided, usize::MAX), witness);
        }
    }

    /// The reception of a frame at a station, where that listens to it.
    pub(super) fn lock_on(&self, slot: Slot, at: StationId) -> Option<Lock> {
        let lock = self.nodes[at.index()].lock.filter(|lock| lock.slot == slot);
        lock.filter(|_| self.frames.power_w(slot, at) >= self.levels.sense_w)
    }

    /// Reports MPDUs of a frame on which it is decided, from one up to another.
    pub(super) fn report_parts<W: Witness>(
        &self,
        frame: &Frame,
        (first, end): (usize, usize),
        witness: &mut W,
    ) {
        let Some((edca, begun)) = self.exchange_of(frame.from) else { return };
        let (course, each) = (&edca.seats[frame.from.index()].course, self.hands_up_each(frame));
        let parts = edca.parts.all.iter().enumerate();
        for (place, Part { number, bytes, span, .. }) in parts.take(end).skip(first) {
            let is_lost = !course.come.contains(number);
            // Lost on a channel that all share, it is lost for all.
            let for_all = course.hits.get(place) == Some(&true);
            let fate = (if each { span.1 } else { frame.end() }, is_lost, for_all);
            edca.stations.report_mpdu(begun, (*number, *bytes), fate, witness);
        }
    }

    /// Lists the MPDUs of a frame with their times.
    pub(super) fn list_parts(&mut self, frame: &Frame) {
        let Medium { edca, rates, .. } = self;
        let Some(Edca { stations, seats, parts, .. }) = edca.as_deref_mut() else { return };
        let Some(begun) = &seats[frame.from.index()].begun else { return };
        if parts.of.replace((frame.from, frame.start)) == Some((frame.from, frame.start)) {
            return;
        }
        let mut places = Places::new(frame, begun.bytes);
        let window = stations.function(begun.contender).window();
        let aloft = window.into_iter().flat_map(|window| window.aloft());
        parts.all.clear();
        parts.is_shared = self.errors.as_ref().is_some_and(|channels| channels.len() == 1);
        parts.words = rates.rung(frame.rates).phy.data.payload.words(frame.bits);
        let words = parts.words.as_ref();
        let part = |mpdu: (u64, u32)| {
            let span = places.next(mpdu.1);
            Part::new(mpdu, places.sent(), span, words)
        };
        parts.all.extend(aloft.map(part));
    }

    /// Fate of a frame without MPDUs of its own at a station that has listened to it.
    #[inline]
    pub(super) fn fate_of_whole(&mut self, at: StationId, lock: &Lock, frame: &Frame) -> Fate {
        let fate = lock.fate(self.nodes[at.index()].errors, frame);
        // What power and others leave whole still has to pass the channel: the last to be asked, as in the cell.
        let mut loses = || self.errors.as_mut().is_some_and(|errors| errors.loses(frame, at));
        if fate == Fate::Decoded && loses() { Fate::Noise } else { fate }
    }

    /// Fate of a frame with MPDUs at a station that has listened to it: decoded where any of them is.
    pub(super) fn fate_of_parts(&mut self, at: StationId, lock: &Lock, frame: &Frame) -> Fate {
        if at == frame.to {
            let fate = self.edca.as_ref().and_then(|edca| edca.parts.fate);
            return fate.unwrap_or(Fate::Interference);
        }
        if let Err(fate) = self.decode_signal(at, lock, frame) {
            return fate;
        }
        let mut course = Course::default();
        for place in 0.. {
            let Some((number, fate)) = self.decode_part(place, at, frame) else { break };
            course.decide(number, fate);
            if fate == Fate::Decoded {
                break;
            }
        }
        course.fate
    }

    /// Decides which MPDUs the addressee of a frame decodes, of those up to `end` on which it is not decided. Returns the fate of the
    /// frame.
    pub(super) fn decode_for_addressee(&mut self, lock: &Lock, frame: &Frame, end: usize) -> Fate {
        if let Err(fate) = self.decode_signal(frame.to, lock, frame) {
            return fate;
        }
        loop {
            let Some(edca) = &mut self.edca else { return Fate::Interference };
            let Course { decided, fate, .. } = edca.seats[frame.from.index()].course;
            let next = (decided < end).then(|| self.decode_part(decided, frame.to, frame));
            let (Some(Some((number, own))), Some(edca)) = (next, &mut self.edca) else {
                return fate;
            };
            edca.seats[frame.from.index()].course.decide(number, own);
        }
    }

    /// The number of an MPDU and its fate at a station that has decoded the signal field; `None`: there are fewer.
    fn decode_part(&mut self, place: usize, at: StationId, frame: &Frame) -> Option<(u64, Fate)> {
        let Medium { edca, errors: channels, nodes, .. } = self;
        let Edca { seats, parts, .. } = edca.as_deref_mut()?;
        let number = parts.all.get(place)?.number;
        let hits = &mut seats[frame.from.index()].course.hits;
        let own = parts.fate_of_part(place, nodes[at.index()].errors);
        let is_hit = own == Fate::Decoded
            && channels
                .as_mut()
                .is_some_and(|all| parts.is_hit(place, hits, (frame.from, at), all));
        Some((number, if is_hit { Fate::Noise } else { own }))
    }

    /// Weighs what has disturbed a frame at a station. Where the signal field is not decoded there, that is the fate of all.
    fn decode_signal(&mut self, at: StationId, lock: &Lock, frame: &Frame) -> Result<(), Fate> {
        if lock.hold.hopeless {
            return Err(Fate::Interference);
        }
        self.weigh_pieces(at, lock, frame);
        let Medium { edca, nodes, rates, .. } = self;
        let Some(edca) = edca.as_deref_mut() else { return Err(Fate::Interference) };
        let is_modern = rates.mode(frame.rates).is_some();
        match edca.parts.fate_of_signal(frame, is_modern, nodes[at.index()].errors) {
            Fate::Decoded => Ok(()),
            fate => Err(fate),
        }
    }

    /// Works out the hazards of a bit in each piece of a frame at a station.
    fn weigh_pieces(&mut self, at: StationId, lock: &Lock, frame: &Frame) {
        let Medium { edca, rates, hazards, reception, .. } = self;
        let Some(Edca { seats, parts, .. }) = edca.as_deref_mut() else { return };
        let (rung, power_w) = (rates.rung(frame.rates), lock.hold.power_w);
        let coded = rung.modulations.data.in_words(parts.words.map(|words| words.length));
        parts.bits.clear();
        for &piece in &seats[at.index()].pieces {
            let (signal, data) = match reception {
                Reception::Thresholds(thresholds) => {
                    let is_whole =
                        piece.strongest_w == 0.0 || thresholds.captures(power_w, piece.strongest_w);
                    let lost = if is_whole { 0.0 } else { f64::INFINITY };
                    ((lost, 0.0), (lost, 0.0))
                }
                Reception::Sinr(config) => {
                    let mut both = |modulation, power_w, noise_w| {
                        let clean = hazards.of_bit(modulation, sinr(power_w, 0.0, noise_w));
                        let noisy = match piece.others_w > 0.0 {
                            true => {
                                hazards.of_bit(modulation, sinr(power_w, piece.others_w, noise_w))
                            }
                            false => clean,
                        };
                        (noisy, clean)
                    };
                    let noise_w = config.noise_w * noise_share(rung);
                    let data = both(coded, power_w, noise_w);
                    (both(rung.modulations.header(), power_w, config.noise_w), data)
                }
            };
            parts.bits.push(Bit { piece, signal, data });
        }
    }

    /// MPDUs have come to their addressee: what is in order goes up, and an answer is due.
    pub(super) fn take_parts(
        &mut self,
        at: StationId,
        frame: &Frame,
        now: Time,
        happened: &mut Happened,
    ) {
        let Some(edca) = &mut self.edca else { return };
        let Some(begun) = edca.seats[frame.from.index()].begun else { return };
        let before = happened.landed.len();
        let course = &edca.seats[frame.from.index()].course;
        let (numbers, up) =
            (course.come[course.up..].iter().copied(), |id, to| happened.landed.push((id, to)));
        edca.stations.function(begun.contender).receive(now, numbers, up);
        self.land(frame, now, before, happened);
        self.acknowledge(at, &begun, now);
    }
}
