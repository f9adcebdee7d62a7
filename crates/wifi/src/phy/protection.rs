//! Protection of OFDM frames from stations that only know DSSS: CTS-to-self (802.11-2020, 10.27).

use super::airtime::Airtime;
use crate::frames::CTS_BYTES;
use base::Span;

/// A CTS addressed to its own sender, in a mode that all understand, a SIFS before the frame that it protects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CtsToSelf {
    /// The CTS itself, preamble included.
    pub cts: Span,
    /// Between the CTS and the protected frame.
    pub sifs: Span,
}

impl CtsToSelf {
    /// Sent with the durations of `mode`, usually the basic rate of the slowest neighbour.
    pub fn new(mode: Airtime, sifs: Span) -> CtsToSelf {
        CtsToSelf { cts: mode.of_bytes(CTS_BYTES), sifs }
    }

    /// How much later the protected frame begins.
    pub fn delay(&self) -> Span {
        self.cts + self.sifs
    }

    /// What the CTS's Duration field announces: a SIFS, the data, a SIFS and the ACK (802.11-2020, 9.3.1.3).
    pub fn nav(&self, data: Span, ack: Span) -> Span {
        self.sifs + data + self.sifs + ack
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phy::{Preamble, Standard};
    use base::Rate;

    /// By hand: a CTS at 11 Mbit/s takes 192 + ceil(112 / 11) = 203 us with the long preamble, 107 with the short.
    #[test]
    fn cts_to_self_costs_a_cts_and_a_sifs() {
        for (preamble, us) in [(Preamble::Long, 203), (Preamble::Short, 107)] {
            let standard = Standard::ErpMixed(preamble);
            let sifs = standard.characteristics().sifs;
            let mode = standard.mode(Rate(11_000_000)).expect("of the set");
            let cts = CtsToSelf::new(mode.airtime(), sifs);
            assert_eq!(cts.delay(), Span::micros(us + 10));
            let (data, ack) = (Span::micros(254), Span::micros(34));
            assert_eq!(cts.nav(data, ack), Span::micros(10 + 254 + 10 + 34));
        }
    }
}
