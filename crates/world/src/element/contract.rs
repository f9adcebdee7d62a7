//! The contract between the world and the elements that stations share. A technology is a file beside this one and a line in
//! each list of [`super::air`].

use super::report::{Reports, Survey};
use crate::cx::{Cx, Noting};
use crate::event::Event;
use crate::note::Note;
use base::{CellId, FlowId, PacketId, StationId, Time};
use engine::Phase;
use net::{Interfaces, Pool};

pub(crate) use crate::event::Due;

/// The results of an event. They are passed on in the order of the fields; decisions of disciplines
/// ([`Interfaces::fates`]) come before packets that are lost.
pub(crate) type Out = net::Out<wifi::Move>;

/// The part of the output that an event has used: most have no more than one packet that arrives.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Came {
    /// Nothing, and its next turn is where it was.
    Nothing,
    /// This packet has come to this station, and its next turn is where it was.
    Arrived(PacketId, StationId),
    /// Turns have ended, as the output has it, and nothing else; its next turn may be another.
    Ended,
    /// There may be output, also from its next turn.
    More,
}

/// An element of the network at work.
pub(crate) trait Contract: Interfaces {
    /// Returns when its next turn begins ([`Due::Start`]), as far as is known. Asked after each offer and each event, which can
    /// change it.
    fn due(&mut self, desk: &mut Desk<'_, impl Noting>) -> Time;

    /// Returns the phase of an instant in which its turns begin.
    fn start_phase(&self) -> Phase {
        Phase::Contention
    }

    /// Puts in the agenda what else it waits for, when an event has been carried on, and before the first.
    fn settle(&mut self, _desk: &mut Desk<'_, impl Noting>) {}

    /// Does what is due now.
    fn handle(&mut self, due: Due, desk: &mut Desk<'_, impl Noting>, out: &mut Out) -> Came;

    /// Returns the number of the queue in which a packet from the first station to the second waits, and its length.
    fn queue(&self, (from, _): (StationId, StationId)) -> (usize, usize) {
        (from.index(), self.waiting(from))
    }

    /// Returns the number of packets that a flow that keeps its station busy has to add, if each of them keeps many and `coming`
    /// are on their way to the queue.
    fn lacking(&self, _way: (StationId, StationId), _flow: FlowId, _coming: usize) -> usize {
        0
    }

    /// Adds what was measured of a part of it. The run is over, and what only its work needs may go.
    fn report(&mut self, of: &Survey<'_>, into: &mut Reports);
}

/// Lets an element wake itself later, and tell probes, while the world asks it something.
pub(crate) struct Desk<'a, P> {
    pub cx: Cx<'a, P>,
    /// The element.
    pub id: CellId,
    pub pool: &'a Pool,
    /// The end of the run.
    pub horizon: Time,
}

impl<P: Noting> Desk<'_, P> {
    #[inline(always)]
    pub fn now(&self) -> Time {
        self.cx.now
    }

    /// Puts a moment in the agenda.
    #[inline(always)]
    pub fn wake(&mut self, at: Time, phase: Phase, due: Due) {
        self.cx.schedule(at, phase, Event::of_element(self.id, due));
    }

    /// Tells the probe, if there is one; `note` is given the element.
    #[inline(always)]
    pub fn note(&mut self, note: impl FnOnce(CellId) -> Note) {
        let id = self.id;
        self.cx.note(|| note(id));
    }

    #[inline(always)]
    pub fn is_noting(&self) -> bool {
        self.cx.is_noting()
    }
}
