//! The two directions of a flow.

/// Which way a packet goes along its flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the flow's source to its sink.
    Forward,
    /// From the sink back to the source: acknowledgements.
    Reverse,
}
