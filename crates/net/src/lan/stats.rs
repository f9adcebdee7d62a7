//! What is counted of a LAN as a whole.

use base::Span;

/// Counts of a LAN since the measurement began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LanStats {
    /// For how long frames were on it that came through.
    pub carrying: Span,
    /// For how long stations sent that collided, each time from the first to the last of them.
    pub colliding: Span,
    /// Collisions, whoever took part.
    pub collisions: u64,
    /// Frames that came through while other stations waited with one.
    pub contested: u64,
    /// Number of such frames whose sender was not that of the one before.
    pub runs: u64,
}
