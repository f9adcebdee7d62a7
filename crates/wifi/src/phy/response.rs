//! Rate of a CTS, ACK or BlockAck response (802.11-2020, 10.6.6.5).
//!
//! The primary rate: the fastest basic rate that is not faster than the frame answered and that its sender is sure to
//! understand; where no basic rate is so slow, the fastest mandatory rate of that kind.

use super::Mode;
use super::dsss::DsssRate;
use super::modern::Modern;
use super::ofdm::{Ofdm, OfdmKind, Width};
use super::standard::Standard;
use base::Rate;
use radio::{CodeRate, Constellation};

/// The usual basic rates: 1 and 2 Mbit/s (802.11, 802.11b), 6, 12 and 24 Mbit/s (802.11a, pure 802.11g; a half or a
/// quarter of it in narrow channels), 1, 2, 5.5 and 11 Mbit/s (802.11g and later beside 802.11b).
pub fn basic_modes(standard: Standard) -> Vec<Mode> {
    let mut modes = standard.modes();
    modes.retain(|mode| match mode {
        Mode::Dsss(mode) => {
            matches!(standard, Standard::ErpMixed(_)) || mode.rate <= DsssRate::Mbps2
        }
        Mode::Ofdm(mode) => !matches!(standard, Standard::ErpMixed(_)) && is_mandatory(*mode),
        Mode::Modern(_) => false,
    });
    if let Standard::Modern(line) = standard {
        // All stations know these: those of 802.11b DSSS alone, those of 802.11a and 802.11g OFDM.
        modes = line.older_modes();
        modes.retain(|mode| match mode {
            Mode::Dsss(_) => line.beside_dsss,
            Mode::Ofdm(mode) => !line.beside_dsss && is_mandatory(*mode),
            Mode::Modern(_) => false,
        });
    }
    modes
}

/// The mode of the control frame that answers a frame sent in `received`, among the `basic` modes of the cell.
/// HT and later frames count by their non-HT reference rate and are answered in OFDM, or in ERP-OFDM at 2.4 GHz.
pub fn response_mode(received: Mode, basic: &[Mode]) -> Mode {
    let limit = reference_rate(received);
    let fits = |mode: &&Mode| mode.rate() <= limit && understands(received, **mode);
    match basic.iter().filter(fits).max_by_key(|mode| mode.rate()) {
        Some(&mode) => mode,
        None => fastest_mandatory(received, limit),
    }
}

/// The rate by which answers are chosen: the frame's own, or its non-HT reference rate (802.11-2020, 10.6.11).
fn reference_rate(mode: Mode) -> Rate {
    let Mode::Modern(modern) = mode else { return mode.rate() };
    let (constellation, code) = modern.scheme();
    let mbps = match (constellation, code) {
        (Constellation::Bpsk, CodeRate::Half) => 6,
        (Constellation::Bpsk, _) => 9,
        (Constellation::Qpsk, CodeRate::Half) => 12,
        (Constellation::Qpsk, _) => 18,
        (Constellation::Qam16, CodeRate::Half) => 24,
        (Constellation::Qam16, _) => 36,
        (Constellation::Qam64, CodeRate::Half | CodeRate::TwoThirds) => 48,
        _ => 54,
    };
    Rate(mbps * 1_000_000)
}

/// True where the sender of a frame in `received` surely understands `answer`: DSSS is answered in DSSS or CCK,
/// ERP-OFDM in any mode of 802.11g, OFDM in OFDM of the same width.
fn understands(received: Mode, answer: Mode) -> bool {
    match (received, answer) {
        (Mode::Dsss(received), Mode::Dsss(answer)) => {
            answer.rate <= DsssRate::Mbps2 || received.rate > DsssRate::Mbps2
        }
        (Mode::Ofdm(received), Mode::Dsss(_)) => received.kind() == OfdmKind::Erp,
        (Mode::Ofdm(received), Mode::Ofdm(answer)) => {
            received.kind() == answer.kind() && received.width() == answer.width()
        }
        (Mode::Modern(received), Mode::Ofdm(answer)) => answer.kind() == kind_below(received),
        (Mode::Modern(received), Mode::Dsss(_)) => kind_below(received) == OfdmKind::Erp,
        (_, Mode::Modern(_)) | (Mode::Dsss(_), Mode::Ofdm(_)) => false,
    }
}

/// Mandatory rates: 1 and 2 Mbit/s of DSSS, all four of HR/DSSS, 6, 12 and 24 Mbit/s of OFDM (802.11-2020, clauses 15 to 18).
fn fastest_mandatory(received: Mode, limit: Rate) -> Mode {
    let fastest = |kind, width| {
        let modes = Ofdm::all(kind, width);
        let fits = |mode: &Ofdm| is_mandatory(*mode) && mode.rate() <= limit;
        Mode::Ofdm(modes.into_iter().rev().find(fits).unwrap_or(modes[0]))
    };
    match received {
        Mode::Dsss(mode) => Mode::Dsss(mode),
        Mode::Ofdm(mode) => fastest(mode.kind(), mode.width()),
        Mode::Modern(mode) => fastest(kind_below(mode), Width::Mhz20),
    }
}

fn kind_below(mode: Modern) -> OfdmKind {
    if mode.is_at_2_4_ghz() { OfdmKind::Erp } else { OfdmKind::Ofdm }
}

/// 6, 12 and 24 Mbit/s, scaled to the width.
fn is_mandatory(mode: Ofdm) -> bool {
    matches!(mode.rate().0 * mode.width().slowdown() / 1_000_000, 6 | 12 | 24) && mode.is_standard()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phy::{Generation, Line, Preamble, PreambleRule};
    use base::Span;

    fn answer(standard: Standard, data_kbps: u64) -> u64 {
        let data = standard.mode_or_outside(Rate(data_kbps * 1000)).unwrap();
        response_mode(data, &basic_modes(standard)).rate().0 / 1000
    }

    #[test]
    fn answers_come_at_the_fastest_basic_rate_not_above_the_frame() {
        let b = Standard::HrDsss(Preamble::Long);
        let rows = [(1000, 1000), (2000, 2000), (5500, 2000), (11_000, 2000)];
        assert!(rows.iter().all(|&(data, ack)| answer(b, data) == ack));
        for standard in [Standard::Ofdm(Width::Mhz20), Standard::Erp] {
            for (data, ack) in [(6, 6), (9, 6), (12, 12), (18, 12), (24, 24), (36, 24), (54, 24)] {
                assert_eq!(answer(standard, data * 1000), ack * 1000);
            }
        }
        // janevski2011: 20 Mbit/s is answered at 12.
        assert_eq!(answer(Standard::Erp, 20_000), 12_000);
        assert_eq!(answer(Standard::Ofdm(Width::Mhz10), 27_000), 12_000);
    }

    #[test]
    fn beside_802_11b_even_ofdm_is_answered_at_a_basic_rate() {
        let mixed = Standard::ErpMixed(Preamble::Long);
        assert_eq!(answer(mixed, 54_000), 11_000);
        assert_eq!(answer(mixed, 6000), 5500);
    }

    #[test]
    fn without_a_basic_rate_that_fits_the_fastest_mandatory_one_answers() {
        let standard = Standard::Ofdm(Width::Mhz20);
        let mode = |mbps: u64| standard.mode(Rate(mbps * 1_000_000)).unwrap();
        assert_eq!(response_mode(mode(18), &[mode(24)]), mode(12));
        assert_eq!(response_mode(mode(9), &[]), mode(6));
    }

    #[test]
    fn ht_frames_are_answered_by_their_reference_rate() {
        let basic = basic_modes(Standard::Ofdm(Width::Mhz20));
        for (mcs, mbps) in [(0, 6), (1, 12), (3, 24), (7, 24)] {
            let rule = PreambleRule::Standard;
            let mode = Modern::new(Generation::Ht, mcs, 1, 20, Span(800), rule).unwrap();
            let answer = response_mode(Mode::Modern(mode), &basic);
            assert_eq!(answer.rate(), Rate(mbps * 1_000_000));
        }
    }

    /// In kbit/s: frames of older stations in a cell of 802.11n at 2.4 GHz, and of its own with MCS 0 and 7. DSSS and CCK are answered
    /// in kind; beside 802.11b all are.
    #[test]
    fn older_frames_are_answered_in_the_older_format() {
        for (beside_dsss, expected) in [
            (false, [1000, 2000, 5500, 11_000, 6000, 6000, 12_000, 24_000, 24_000, 6000, 24_000]),
            (true, [1000, 2000, 5500, 11_000, 5500, 5500, 11_000, 11_000, 11_000, 5500, 11_000]),
        ] {
            let line = Line {
                generation: Generation::Ht,
                streams: 1,
                width_mhz: 20,
                guard: Span(800),
                rule: PreambleRule::Standard,
                coding: None,
                at_2_4_ghz: true,
                preamble: Preamble::Long,
                beside_dsss,
            };
            let standard = Standard::Modern(line);
            let data = [1000, 2000, 5500, 11_000, 6000, 9000, 12_000, 24_000, 54_000, 6500, 65_000];
            let answers = data.map(|kbps| answer(standard, kbps));
            assert_eq!(answers, expected, "{beside_dsss}");
        }
    }
}
