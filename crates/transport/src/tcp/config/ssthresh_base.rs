//! The quantity that a loss halves, and how its half becomes the window.

use crate::tcp::window::Cut;
use base::named;

named! {
    /// The quantity that a loss halves for the slow-start threshold.
    pub enum SsthreshBase, "base of the threshold" {
        FlightSize = "flight": "data in flight (RFC 5681 equation 4)",
        Cwnd = "cwnd": "cwnd, used or not, as Linux's laws take it",
        WholeCwnd = "whole_cwnd": "the same in whole segments, rounded down (Linux's integers)",
            ///
            /// RFC 6675's pipe; without SACK as data in flight.
        Pipe = "pipe": "what is in the network: neither SACKed nor lost (ns-3)",
            ///
            /// min(cwnd, receiver's window), halved and rounded down; cwnd keeps the fraction that the threshold loses.
        Window = "window": "the window that may be used (ns-2)",
            ///
            /// Its default before 2006 and in its test suites since.
        WholeWindow = "whole_window": "the same, with cwnd rounded down too (ns-2 with precisionReduce_ off)",
    }
}

impl SsthreshBase {
    /// True where the threshold is rounded down to whole segments.
    pub fn is_whole(self) -> bool {
        matches!(self, SsthreshBase::Window | SsthreshBase::WholeWindow | SsthreshBase::WholeCwnd)
    }

    /// Returns the window that a cut leaves.
    pub fn cut(self) -> Cut {
        match self {
            SsthreshBase::FlightSize
            | SsthreshBase::Pipe
            | SsthreshBase::Cwnd
            | SsthreshBase::WholeCwnd => Cut::Threshold,
            SsthreshBase::Window => Cut::Asked,
            SsthreshBase::WholeWindow => Cut::WholeAsked,
        }
    }
}
