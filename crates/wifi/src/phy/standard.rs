//! Constants of a standard: slot, SIFS, contention windows, detection times, its modes.

use super::Mode;
use super::dsss::{Dsss, DsssRate, Preamble};
use super::modern::Line;
use super::ofdm::{Ofdm, OfdmKind, Width};
use base::{Rate, Span};

/// The PHYs that a cell can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    /// 802.11: 1 and 2 Mbit/s (clause 15).
    Dsss,
    /// 802.11b: 1 to 11 Mbit/s (clause 16).
    HrDsss(Preamble),
    /// 802.11a and its narrow channels (clause 17).
    Ofdm(Width),
    /// 802.11g among 802.11g only: short slots, OFDM basic rates (clause 18).
    Erp,
    /// 802.11g with 802.11b stations near: long slots, DSSS basic rates, protection (clause 18).
    ErpMixed(Preamble),
    /// 802.11n, 802.11ac or 802.11ax among stations of 802.11a and later (clauses 19, 21 and 27).
    Modern(Line),
}

/// Constants of a PHY.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Characteristics {
    /// aSlotTime.
    pub slot: Span,
    /// aSIFSTime.
    pub sifs: Span,
    /// aCWmin, slots.
    pub cw_min: u32,
    /// aCWmax, slots.
    pub cw_max: u32,
    /// aCCATime: how long it takes to notice a transmission, at most.
    pub cca_time: Span,
    /// aRxPHYStartDelay: from the start of a frame to the notice that one has begun.
    pub rx_start_delay: Span,
}

impl Standard {
    /// The constants (802.11-2020: 15.3.3, 16.3.3, 17.4.4, 18.5.4). The CCA times are the upper
    /// bounds "less than 15 us" and "less than 4 us".
    pub fn characteristics(self) -> Characteristics {
        let us = Span::micros;
        let dsss = |rx_start_delay| Characteristics {
            slot: us(20),
            sifs: us(10),
            cw_min: 31,
            cw_max: 1023,
            cca_time: us(15),
            rx_start_delay,
        };
        let ofdm = |slot, sifs, slowdown: u64| Characteristics {
            slot: us(slot),
            sifs: us(sifs),
            cw_min: 15,
            cw_max: 1023,
            cca_time: us(4 * slowdown),
            rx_start_delay: us(20 * slowdown),
        };
        match self {
            Standard::Dsss => dsss(us(192)),
            Standard::HrDsss(preamble) => dsss(preamble.span()),
            Standard::Ofdm(Width::Mhz20) => ofdm(9, 16, 1),
            Standard::Ofdm(Width::Mhz10) => ofdm(13, 32, 2),
            Standard::Ofdm(Width::Mhz5) => ofdm(21, 64, 4),
            Standard::Erp => ofdm(9, 10, 1),
            // As clause 17 at 5 GHz and clause 18 at 2.4 GHz (802.11-2020, table 19-25; 21.4.4; 802.11ax-2021, 27.4.4).
            Standard::Modern(line) if line.at_2_4_ghz => {
                // Beside 802.11b slots are long (802.11-2020, 10.16 and 18.5.4).
                ofdm(if line.beside_dsss { 20 } else { 9 }, 10, 1)
            }
            Standard::Modern(_) => ofdm(9, 16, 1),
            // aCWmin(1) = 15 holds for stations with an ERP rate among their operational rates.
            Standard::ErpMixed(preamble) => Characteristics { cw_min: 15, ..dsss(preamble.span()) },
        }
    }

    /// The mode with this rate; `None` where the standard has none. See [`Ofdm::outside_standard`] for others.
    pub fn mode(self, rate: Rate) -> Option<Mode> {
        let dsss =
            |preamble| DsssRate::from_rate(rate).map(|rate| Mode::Dsss(Dsss { rate, preamble }));
        let erp = || Ofdm::new(OfdmKind::Erp, rate, Width::Mhz20).map(Mode::Ofdm);
        match self {
            Standard::Dsss => dsss(Preamble::Long).filter(|mode| mode.rate().0 <= 2_000_000),
            Standard::HrDsss(preamble) => dsss(preamble),
            Standard::Ofdm(width) => Ofdm::new(OfdmKind::Ofdm, rate, width).map(Mode::Ofdm),
            Standard::Erp => erp(),
            Standard::ErpMixed(preamble) => dsss(preamble).or_else(erp),
            Standard::Modern(line) => {
                let mut all = line.modes().map(Mode::Modern).chain(line.older_modes());
                all.find(|mode| mode.rate() == rate)
            }
        }
    }

    /// A mode with any rate: the standard's where it has one, else by its rule for rates outside the set (bits at that
    /// rate with CCK's modulation for the DSSS PHYs are not possible and give `None`).
    pub fn mode_or_outside(self, rate: Rate) -> Option<Mode> {
        let outside = |kind, width| Ofdm::outside_standard(kind, rate, width).map(Mode::Ofdm);
        self.mode(rate).or_else(|| match self {
            Standard::Dsss | Standard::HrDsss(_) => None,
            Standard::Ofdm(width) => outside(OfdmKind::Ofdm, width),
            Standard::Erp | Standard::ErpMixed(_) => outside(OfdmKind::Erp, Width::Mhz20),
            Standard::Modern(_) => None,
        })
    }

    /// Every mode, slowest first; of 802.11n and later those of their own.
    pub fn modes(self) -> Vec<Mode> {
        let dsss = |preamble| DsssRate::ALL.map(|rate| Mode::Dsss(Dsss { rate, preamble }));
        let ofdm = |kind, width| Ofdm::all(kind, width).map(Mode::Ofdm).to_vec();
        let mut modes = match self {
            Standard::Dsss => dsss(Preamble::Long)[..2].to_vec(),
            Standard::HrDsss(preamble) => dsss(preamble).to_vec(),
            Standard::Ofdm(width) => ofdm(OfdmKind::Ofdm, width),
            Standard::Erp => ofdm(OfdmKind::Erp, Width::Mhz20),
            Standard::ErpMixed(preamble) => {
                [dsss(preamble).to_vec(), ofdm(OfdmKind::Erp, Width::Mhz20)].concat()
            }
            Standard::Modern(line) => line.modes().map(Mode::Modern).collect(),
        };
        modes.sort_by_key(|mode| mode.rate());
        modes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// DIFS and the timeout SIFS + slot + aRxPHYStartDelay (802.11-2020, 10.3.2.3.5 and 10.3.2.9).
    #[test]
    fn spaces_and_timeouts_are_those_of_the_tables() {
        for (standard, difs, timeout) in [
            (Standard::Dsss, 50, 222),
            (Standard::HrDsss(Preamble::Short), 50, 126),
            (Standard::Ofdm(Width::Mhz20), 34, 45),
            (Standard::Ofdm(Width::Mhz10), 58, 85),
            (Standard::Erp, 28, 39),
        ] {
            let c = standard.characteristics();
            assert_eq!(c.sifs + c.slot * 2, Span::micros(difs), "{standard:?}");
            assert_eq!(c.sifs + c.slot + c.rx_start_delay, Span::micros(timeout), "{standard:?}");
        }
    }

    #[test]
    fn each_standard_has_its_rates_and_no_others() {
        let rates = |standard: Standard| standard.modes().len();
        assert_eq!(rates(Standard::Dsss), 2);
        assert_eq!(rates(Standard::HrDsss(Preamble::Long)), 4);
        assert_eq!(rates(Standard::Ofdm(Width::Mhz20)), 8);
        assert_eq!(rates(Standard::ErpMixed(Preamble::Long)), 12);
        assert_eq!(Standard::Dsss.mode(Rate(11_000_000)), None);
        assert_eq!(Standard::Erp.mode(Rate(20_000_000)), None);
        assert!(Standard::Erp.mode_or_outside(Rate(20_000_000)).is_some());
        for standard in [Standard::Erp, Standard::Ofdm(Width::Mhz5)] {
            for mode in standard.modes() {
                assert_eq!(standard.mode(mode.rate()), Some(mode));
            }
        }
    }
}
