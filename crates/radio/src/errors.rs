//! From a signal-to-interference-and-noise ratio to the loss of bits and packets.
//!
//! Everything is a *hazard* a bit, -ln(probability that it survives), so that parts of a frame under different
//! interference add up, and a channel's budget can be spent by them.

mod biorthogonal;
mod dsss;
mod ldpc;
mod ofdm;
mod soft;
mod table;

pub use table::{HazardTable, HazardTables};

use crate::modulation::Modulation;
use base::named;

named! {
    /// Error model of OFDM behind the convolutional code. DSSS, CCK and LDPC have only one.
    #[derive(Default)]
    pub enum ErrorModel, "error model" {
        /// Pursley and Taipale 1987; validated by Miller, NIST 2003.
        #[default]
        Nist = "nist": "Chernoff's bound over the weights of the code, for hard decisions",
        /// Lacage and Henderson 2006.
        Yans = "yans": "the first two terms of the union bound, for hard decisions",
        /// Martinez et al. 2006.
        Soft = "soft": "the union bound for soft decisions, as receivers make them: 3 to 5 dB better, and within 0.2 dB of ns-3's tables",
    }
}

impl ErrorModel {
    /// Hazard of a bit at `sinr` (a ratio, over the receiver's 22 MHz with DSSS and CCK, over the channel with OFDM).
    /// Infinite where no bit survives. With LDPC it is that of a whole code word, spread over its bits of data.
    pub fn bit_hazard(self, modulation: Modulation, sinr: f64) -> f64 {
        match modulation {
            Modulation::Dbpsk => dsss::dbpsk(sinr),
            Modulation::Dqpsk => dsss::dqpsk(sinr),
            Modulation::Cck5_5 => dsss::cck5_5(sinr),
            Modulation::Cck11 => dsss::cck11(sinr),
            Modulation::Ofdm { constellation, code } => match (code.word(), self, code.rate()) {
                (Some(word), _, rate) => ldpc::ldpc(constellation, rate, word, sinr),
                (None, ErrorModel::Nist, rate) => ofdm::nist(constellation, rate, sinr),
                (None, ErrorModel::Yans, rate) => ofdm::yans(constellation, rate, sinr),
                (None, ErrorModel::Soft, rate) => soft::soft(constellation, rate, sinr),
            },
        }
    }

    /// Probability that a packet of `bits` survives at a constant `sinr`.
    pub fn packet_success(self, modulation: Modulation, sinr: f64, bits: u64) -> f64 {
        if bits == 0 {
            return 1.0;
        }
        libm::exp(-self.bit_hazard(modulation, sinr) * bits as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modulation::{BitCode, CodeRate, Constellation, Word};
    use crate::noise::ratio_from_db;

    const OFDM: [(Constellation, CodeRate); 8] = [
        (Constellation::Bpsk, CodeRate::Half),
        (Constellation::Bpsk, CodeRate::ThreeQuarters),
        (Constellation::Qpsk, CodeRate::Half),
        (Constellation::Qpsk, CodeRate::ThreeQuarters),
        (Constellation::Qam16, CodeRate::Half),
        (Constellation::Qam16, CodeRate::ThreeQuarters),
        (Constellation::Qam64, CodeRate::TwoThirds),
        (Constellation::Qam64, CodeRate::ThreeQuarters),
    ];

    fn all() -> Vec<Modulation> {
        use Modulation::{Cck5_5, Cck11, Dbpsk, Dqpsk};
        let ofdm = OFDM.map(|(constellation, code)| Modulation::Ofdm {
            constellation,
            code: BitCode::convolutional(code),
        });
        let ldpc = OFDM.into_iter().flat_map(|(constellation, code)| {
            Word::ALL
                .map(|word| Modulation::Ofdm { constellation, code: BitCode::ldpc(code, word) })
        });
        [vec![Dbpsk, Dqpsk, Cck5_5, Cck11], ofdm.to_vec(), ldpc.collect()].concat()
    }

    #[test]
    fn a_stronger_signal_never_loses_more() {
        for model in [ErrorModel::Nist, ErrorModel::Yans, ErrorModel::Soft] {
            for modulation in all() {
                let mut before = f64::INFINITY;
                for tenth_db in -200..400 {
                    let sinr = ratio_from_db(f64::from(tenth_db) / 10.0);
                    let hazard = model.bit_hazard(modulation, sinr);
                    assert!(
                        hazard >= 0.0 && hazard <= before,
                        "{model:?} {modulation:?} {tenth_db}"
                    );
                    before = hazard;
                }
                assert!(before < 1e-12, "{modulation:?} at 40 dB: {before}");
            }
        }
    }

    /// A few digits of ns-3's own error model tests, so that a clone alone checks each formula.
    #[test]
    fn packets_survive_as_in_the_references() {
        use Modulation::{Cck5_5, Cck11, Dbpsk, Dqpsk, Ofdm};
        let ofdm =
            |i: usize| Ofdm { constellation: OFDM[i].0, code: BitCode::convolutional(OFDM[i].1) };
        for (modulation, snr_db, bits, expected, tolerance) in [
            (Dbpsk, -4.447_721_4, 8624, 0.202, 0.005),
            (Dqpsk, 0.552_278_6, 8624, 0.519, 0.005),
            (Cck5_5, 3.552_278_6, 8624, 0.744, 0.005),
            (Cck11, 6.552_278_6, 8624, 0.739, 0.005),
            (ofdm(0), 4.0, 16_000, 0.885, 0.001),
            (ofdm(3), 9.5, 16_000, 0.623, 0.001),
            (ofdm(6), 21.0, 16_000, 0.649, 0.001),
            (ofdm(7), 22.0, 16_000, 0.410, 0.001),
        ] {
            let sinr = ratio_from_db(snr_db);
            let got = ErrorModel::Nist.packet_success(modulation, sinr, bits);
            assert!((got - expected).abs() < tolerance, "{modulation:?}: {got}");
        }
    }

    #[test]
    fn parts_of_a_frame_add_up() {
        let (model, modulation) = (ErrorModel::Nist, all()[5]);
        let at = |bits| model.packet_success(modulation, ratio_from_db(6.5), bits);
        assert!((at(400) * at(600) - at(1000)).abs() < 1e-12);
        assert_eq!(at(0), 1.0);
    }
}
