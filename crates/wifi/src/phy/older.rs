//! The modes of older standards that stations of 802.11n and later have too.

use super::Mode;
use super::dsss::{Dsss, DsssRate};
use super::modern::Line;
use super::ofdm::{Ofdm, OfdmKind, Width};

impl Line {
    /// The modes of older stations in the same band, which these stations have too, slowest first: OFDM, and in the 2.4 GHz
    /// band DSSS and CCK (802.11-2020, 19.1.1).
    pub fn older_modes(self) -> Vec<Mode> {
        let kind = if self.at_2_4_ghz { OfdmKind::Erp } else { OfdmKind::Ofdm };
        let dsss = |rate| Mode::Dsss(Dsss { rate, preamble: self.preamble });
        let dsss = DsssRate::ALL.into_iter().filter(|_| self.at_2_4_ghz).map(dsss);
        let ofdm = Ofdm::all(kind, Width::Mhz20).into_iter().map(Mode::Ofdm);
        let mut modes: Vec<Mode> = dsss.chain(ofdm).collect();
        modes.sort_by_key(|mode| mode.rate());
        modes
    }
}
