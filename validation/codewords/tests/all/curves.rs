//! What `radio` ships, beside what is simulated here, what theory allows and what others have found.

use codewords::{
    Code, Frame, HIGHEST_MCS, ITERATIONS, Link, MinSum, SHARE, Sent, least_db, ns3_db, thresholds,
};
use radio::noise::ratio_from_db;
use radio::{BitCode, CodeRate, Constellation, ErrorModel, Modulation, Word};
use wifi::phy::MCS;

fn lost(constellation: Constellation, code: CodeRate, word: Word, snr_db: f64) -> f64 {
    let modulation = Modulation::Ofdm { constellation, code: BitCode::ldpc(code, word) };
    let data = code.data_of(u64::from(word.bits()));
    1.0 - ErrorModel::Nist.packet_success(modulation, ratio_from_db(snr_db), data)
}

/// Where this share of words is lost by the shipped curve, dB.
fn shipped_at((constellation, code, word): (Constellation, CodeRate, Word), share: f64) -> f64 {
    let steps = (-400..5_000).map(|step| f64::from(step) / 100.0);
    let found = steps.into_iter().find(|&db| lost(constellation, code, word, db) < share);
    found.expect("some ratio is enough")
}

/// Within four deviations of chance and 0.05 dB of the curve.
#[test]
fn words_are_lost_as_the_shipped_curves_say() {
    for (constellation, code, word) in [
        (Constellation::Bpsk, CodeRate::Half, Word::Long),
        (Constellation::Qpsk, CodeRate::Half, Word::Short),
        (Constellation::Qam16, CodeRate::ThreeQuarters, Word::Middle),
        (Constellation::Qam64, CodeRate::TwoThirds, Word::Long),
        (Constellation::Qam256, CodeRate::FiveSixths, Word::Short),
        (Constellation::Qam1024, CodeRate::FiveSixths, Word::Long),
    ] {
        let simulated = Code::new(word.bits() as usize, code);
        let decoder = Box::new(MinSum::new(&simulated, ITERATIONS));
        let mut link = Link::new((&simulated, decoder), constellation, Sent::default(), 7);
        for (share, words) in [(0.8, 300), (0.3, 300), (0.02, 1_000)] {
            let db = shipped_at((constellation, code, word), share);
            let found = link.lost(db, 0, words) as f64 / words as f64;
            let chance = 4.0 * (share * (1.0 - share) / words as f64).sqrt();
            let most = lost(constellation, code, word, db - 0.05) + chance;
            let least = lost(constellation, code, word, db + 0.05) - chance;
            let what = format!("{constellation:?} {code:?} {word:?} at {db:.2} dB");
            assert!((least..most).contains(&found), "{what}: {found} for {share}");
        }
    }
}

/// No code does better than the capacity allows, and words of 1944 bits come through within 3 dB of it; longer words lose less.
#[test]
fn curves_are_near_capacity_and_not_beyond() {
    for (constellation, rate) in MCS {
        let limit = least_db(constellation, rate);
        let at = Word::ALL.map(|word| shipped_at((constellation, rate, word), 0.01));
        assert!(at[0] > at[1] && at[1] > at[2], "{constellation:?} {rate:?}: {at:?}");
        let above = at[2] - limit;
        assert!((1.0..3.0).contains(&above), "{constellation:?} {rate:?}: {limit} {at:?}");
    }
}

#[test]
fn ldpc_needs_less_than_the_convolutional_code() {
    for mcs in 0..=HIGHEST_MCS {
        let frame = Frame::new(mcs, 1458);
        let gain = frame.convolutional_at(SHARE) - frame.shipped_at(SHARE);
        assert!((1.0..3.0).contains(&gain), "MCS {mcs}: {gain}");
    }
}

/// ns-3's links need up to 0.7 dB more.
#[test]
fn simulated_links_of_ns_3_are_near() {
    for mcs in 0..=HIGHEST_MCS {
        let differs = ns3_db(mcs) - Frame::new(mcs, 1458).shipped_at(SHARE);
        assert!((0.0..0.7).contains(&differs), "MCS {mcs}: {differs}");
    }
}

#[test]
fn the_documentation_has_the_table() {
    let page = include_str!("../../../../docs/model/aggregation.md");
    assert!(
        page.contains(&thresholds()),
        "write it into docs/model/aggregation.md:\n{}",
        thresholds()
    );
}
