//! From a standard and a rate to what a cell needs.

use super::Mode;
use super::response::{basic_modes, response_mode};
use super::standard::Standard;
use crate::PhyConfig;
use base::Span;

/// Bits of the SIGNAL field, the only header of OFDM that errors can hit (802.11-2020, 17.3.4).
const SIGNAL_BITS: u32 = 24;

impl PhyConfig {
    /// A cell of `standard` whose data go out in `data`. Control frames go out in `control`, or, where it is `None`, at
    /// the rate at which the standard answers `data` from its usual basic rates; EIFS assumes the slowest of these.
    ///
    /// `sense_time` is zero (docs/decisions/0002); [`Characteristics::cca_time`](super::Characteristics) has the
    /// standard's bound.
    pub fn of(standard: Standard, data: Mode, control: Option<Mode>) -> PhyConfig {
        let constants = standard.characteristics();
        let basic = basic_modes(standard);
        let control = control.unwrap_or_else(|| response_mode(data, &basic));
        let lowest = basic.first().copied().unwrap_or(control);
        PhyConfig {
            slot: constants.slot,
            sifs: constants.sifs,
            plcp_bits: match data {
                Mode::Dsss(mode) => mode.preamble().bits(),
                Mode::Ofdm(_) | Mode::Modern(_) => SIGNAL_BITS,
            },
            data: data.airtime(),
            control: control.airtime(),
            lowest: lowest.airtime(),
            cw_min: constants.cw_min,
            cw_max: constants.cw_max,
            sense_time: Span::ZERO,
            rx_start_delay: match (standard, control) {
                // The answer's, of which there are two kinds (802.11-2020, table 18-5).
                (Standard::Modern(_), Mode::Dsss(mode)) => mode.preamble().span(),
                _ => constants.rx_start_delay,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{BystanderRule, TimeoutRule};
    use crate::frames::Timing;
    use crate::phy::{Preamble, Width};
    use crate::test_support::standard_mac;
    use base::Rate;

    fn timing(standard: Standard, mbps: u64) -> Timing {
        let mode = standard.mode(Rate(mbps * 1_000_000)).unwrap();
        let mac = standard_mac(BystanderRule::Eifs, TimeoutRule::TimeoutThenDifs);
        Timing::new(&PhyConfig::of(standard, mode, None), &mac)
    }

    /// EIFS = SIFS + DIFS + ACK at the slowest basic rate: 364 us (802.11b), 94 us (802.11a)
    /// (IEEE 802.11-2020, 10.3.2.3.7).
    #[test]
    fn presets_give_the_waits_of_their_standard() {
        let b = timing(Standard::HrDsss(Preamble::Long), 11);
        assert_eq!((b.ack.airtime, b.after_error), (Span::micros(248), Span::micros(364)));
        let a = timing(Standard::Ofdm(Width::Mhz20), 54);
        assert_eq!((a.ack.airtime, a.after_error), (Span::micros(28), Span::micros(94)));
        let g = timing(Standard::Erp, 54);
        assert_eq!((g.ack.airtime, g.after_error), (Span::micros(34), Span::micros(88)));
        assert_eq!(a.after_timeout, Span::micros(45 + 34));
    }
}
