//! Output of transports that the network has not taken yet.

use base::FlowId;
use net::{Direction, Segment, Socket};
use transport::tcp::OptionSize;

/// The parts of a packet's size, beside the payload.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Framing {
    /// IP and TCP header, bytes.
    pub header_bytes: u32,
    /// The way in which the options' bytes count.
    pub options: OptionSize,
}

/// Segments, in the order in which they were said.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outbox {
    /// An end of a connection appends what it says.
    pub segments: Vec<Segment>,
    /// The properties shared by all segments up to a place among `segments`.
    batches: Vec<Batch>,
    /// The numbers of each that were taken.
    taken: (usize, usize),
}

/// Segments of one end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batch {
    pub flow: FlowId,
    pub direction: Direction,
    pub socket: Socket,
    pub framing: Framing,
    /// One past its last segment.
    upto: usize,
}

impl Outbox {
    /// Those since the last batch are these.
    #[inline]
    pub fn address(
        &mut self,
        (flow, direction): (FlowId, Direction),
        socket: Socket,
        framing: Framing,
    ) {
        let upto = self.segments.len();
        if upto > 0 {
            self.batches.push(Batch { flow, direction, socket, framing, upto });
        }
    }

    /// True where there is nothing to take.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// Takes the next segment.
    #[inline]
    pub fn next(&mut self) -> Option<(&Batch, &Segment)> {
        let (segment, batch) = &mut self.taken;
        if *segment == self.segments.len() {
            self.segments.clear();
            self.batches.clear();
            self.taken = (0, 0);
            return None;
        }
        while self.batches[*batch].upto == *segment {
            *batch += 1;
        }
        *segment += 1;
        Some((&self.batches[*batch], &self.segments[*segment - 1]))
    }
}
