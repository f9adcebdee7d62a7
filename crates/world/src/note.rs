//! What probes are told. Notes are made only where a probe is on, and never change a run.

use crate::cuts::CutCause;
use base::{FlowId, LinkId};
use net::{Direction, DropReason, Header};
use transport::tcp::Snapshot;

/// Something that happened.
#[derive(Clone, Copy, Debug)]
pub enum Note {
    /// A packet was taken by a wired link's queue.
    WireIn {
        /// The link.
        link: LinkId,
        /// The packet's flow.
        flow: FlowId,
        /// Its direction.
        direction: Direction,
        /// Its transport header.
        header: Header,
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
