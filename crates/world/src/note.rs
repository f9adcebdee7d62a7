//! What probes are told. Notes are made only where a probe is on, and never change a run.

use crate::cuts::CutCause;
use crate::world::World;
use base::{CellId, FlowId, LinkId, StationId, Time};
use engine::Probe;
use net::{Direction, DropReason, Header, Packet, Transit};
use transport::tcp::Snapshot;
use wifi::{Heard, Sent};

/// Something that happened.
#[derive(Clone, Copy, Debug)]
pub enum Note {
    /// A packet was taken by a wired link's queue.
    WireIn {
        /// The link.
        link: LinkId,
        /// The packet, marked where the queue does so.
        packet: Packet,
        /// How it passes the link.
        transit: Transit,
    },
    /// A frame goes on the air, now or within the exchange that has just begun.
    FrameSent {
        /// The element of the air; its stations are numbered through its cells.
        cell: CellId,
        /// The frame.
        frame: Sent,
        /// The packet that enters service with it.
        packet: Option<Packet>,
    },
    /// A frame was heard, or will be within the exchange that has just begun.
    FrameHeard {
        /// The element of the air; its stations are numbered through its cells.
        cell: CellId,
        /// Whose last frame, by whom and how well.
        heard: Heard,
    },
    /// A packet was offered to a wired link, taken or not.
    WireQueue {
        /// The link.
        link: LinkId,
        /// Packets that wait afterwards, without the one being sent.
        packets: u32,
    },
    /// A packet was offered to a station, or an exchange of its ended.
    StationQueue {
        /// The element of the air: the place of its cells in [`crate::AirMap::elements`].
        cell: CellId,
        /// The station, numbered through the cells of the element.
        station: StationId,
        /// Packets that wait afterwards, without the one in service.
        packets: u32,
    },
    /// A packet left its transport.
    Sent {
        /// The packet's flow.
        flow: FlowId,
        /// Its direction.
        direction: Direction,
        /// Its transport header.
        header: Header,
    },
    /// A packet reached its transport.
    Delivered {
        /// The packet's flow.
        flow: FlowId,
        /// Its direction.
        direction: Direction,
        /// Its transport header.
        header: Header,
    },
    /// A packet was lost.
    Dropped {
        /// The packet's flow.
        flow: FlowId,
        /// Its direction.
        direction: Direction,
        /// Its transport header.
        header: Header,
        /// Why.
        reason: DropReason,
    },
    /// A TCP sender cut its window; [`Note::Tcp`] follows.
    WindowCut {
        /// The flow.
        flow: FlowId,
        /// What the cut goes back to.
        cause: CutCause,
    },
    /// A TCP sender took a segment or a timeout.
    Tcp {
        /// The flow.
        flow: FlowId,
        /// Its state afterwards.
        state: Snapshot,
    },
}

impl World {
    /// Tells a probe how many packets wait at a station.
    #[inline]
    pub(crate) fn note_station<P: Probe<Note>>(
        &self,
        now: Time,
        cell: CellId,
        station: StationId,
        probe: &mut P,
    ) {
        probe.record(now, || {
            let packets = self.cells[cell.index()].air.waiting(station) as u32;
            Note::StationQueue { cell, station, packets }
        });
    }
}
