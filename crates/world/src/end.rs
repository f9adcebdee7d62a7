//! The ends of a connection.

use net::Direction;

/// An end of a connection. The data of a flow go from its source to its sink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Its packets go forward.
    Source = 0,
    /// Its packets go back.
    Sink = 1,
}

impl End {
    /// The opposite end.
    #[inline]
    pub fn other(self) -> End {
        match self {
            End::Source => End::Sink,
            End::Sink => End::Source,
        }
    }

    /// The direction of its packets.
    #[inline]
    pub fn direction(self) -> Direction {
        match self {
            End::Source => Direction::Forward,
            End::Sink => Direction::Reverse,
        }
    }

    /// The end that packets going this way come from.
    #[inline]
    pub fn sending(direction: Direction) -> End {
        match direction {
            Direction::Forward => End::Source,
            Direction::Reverse => End::Sink,
        }
    }

    /// The end that packets going this way come to.
    #[inline]
    pub fn receiving(direction: Direction) -> End {
        End::sending(direction).other()
    }
}
