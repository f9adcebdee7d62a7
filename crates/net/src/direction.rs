//! The two directions of a flow.

/// Direction of a packet along its flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the flow's source to its sink.
    Forward,
    /// From the sink back to the source: acknowledgements.
    Reverse,
}
