//! The interfaces of stations that share something (a cell, a channel, a LAN), and what comes of what they do there.

use crate::{Arrival, DropReason, Fate};
use base::{PacketId, Span, StationId, Tally, Time};

/// The interfaces of stations as seen from their network layers. Each technology decides in its own way when they send.
pub trait Interfaces {
    /// Offers a packet to the queue of the first station for the second: true where it gets a congestion mark.
    ///
    /// # Errors
    /// Why the queue refuses it.
    fn offer(
        &mut self,
        now: Time,
        way: (StationId, StationId),
        arrival: &Arrival<'_>,
    ) -> Result<bool, DropReason>;

    /// Marks and drops that the disciplines of queues applied to waiting packets, in an offer or an event: take all before
    /// going on.
    fn fates(&mut self) -> &mut Vec<(StationId, PacketId, Fate)>;

    /// Packets that wait at a station behind the one in service, as far as a source that keeps it busy is to know.
    fn waiting(&self, station: StationId) -> usize;

    /// Forgets the counts so far: the warm-up is over at `now`.
    fn begin_measurement(&mut self, now: Time);
}

/// A station of an element in a report, or the element itself.
#[derive(Clone, Debug)]
pub struct Reported {
    /// The name of its cell or LAN.
    pub of: String,
    /// Its own.
    pub name: String,
    /// Packets lost at it, by reason.
    pub packets_lost: Tally,
    /// The end of the measured time.
    pub end: Time,
    /// Measured time, s.
    pub measured_s: f64,
}

impl Reported {
    /// A time as a share of the measured one.
    pub fn share(&self, time: Span) -> f64 {
        time.as_secs() / self.measured_s
    }
}

/// A station whose turn has ended, or at which a packet was lost outside of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The station.
    pub station: StationId,
    /// The packet that it gave up, and why.
    pub dropped: Option<(PacketId, DropReason)>,
}

/// Results of an event. The world passes them on and empties the lists, which keep their capacity. `M` is a station's
/// change of place in the network.
#[derive(Clone, Debug)]
pub struct Out<M = ()> {
    /// A packet and the station that now has it.
    pub arrived: Option<(PacketId, StationId)>,
    /// Packets that have come at once, and the stations that now have them.
    pub landed: Vec<(PacketId, StationId)>,
    /// A packet for all that has been sent; its fate is its sender's to decide.
    pub broadcast: Option<PacketId>,
    /// The stations that have decoded that packet.
    pub hearers: Vec<StationId>,
    /// Packets lost at a station outside of its turn.
    pub lost: Vec<(StationId, PacketId, DropReason)>,
    /// Stations that may have room for a further packet.
    pub ended: Vec<Ended>,
    /// Stations that changed their access point.
    pub moves: Vec<M>,
}

impl<M> Out<M> {
    /// True where everything has been carried on.
    pub fn is_empty(&self) -> bool {
        let packets = self.arrived.is_none() && self.broadcast.is_none() && self.lost.is_empty();
        packets
            && self.landed.is_empty()
            && self.hearers.is_empty()
            && self.ended.is_empty()
            && self.moves.is_empty()
    }
}

impl<M> Default for Out<M> {
    fn default() -> Out<M> {
        Out {
            arrived: None,
            landed: Vec::new(),
            broadcast: None,
            hearers: Vec::new(),
            lost: Vec::new(),
            ended: Vec::new(),
            moves: Vec::new(),
        }
    }
}
