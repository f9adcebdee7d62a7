//! Points, noise and decoders.

use codewords::{CONSTELLATIONS, Code, Decode, ITERATIONS, Link, MinSum, Sent, SumProduct};
use radio::{CodeRate, Constellation, Word};

fn decoders(code: &Code) -> [Box<dyn Decode>; 2] {
    [Box::new(MinSum::new(code, ITERATIONS)), Box::new(SumProduct::new(code, ITERATIONS))]
}

#[test]
fn without_noise_all_words_come_and_in_noise_none_does() {
    for (constellation, name) in CONSTELLATIONS {
        for rate in CodeRate::ALL {
            for word in Word::ALL {
                let code = Code::new(word.bits() as usize, rate);
                let decoder = Box::new(MinSum::new(&code, ITERATIONS));
                let mut link = Link::new((&code, decoder), constellation, Sent::default(), 1);
                assert_eq!(link.lost(60.0, 0, 3), 0, "{name} {rate:?} {word:?}");
                assert_eq!(link.lost(-10.0, 0, 3), 3, "{name} {rate:?} {word:?}");
            }
        }
    }
}

/// A few wrong bits at the strength of all others: wherever they are, they are found.
#[test]
fn decoders_find_wrong_bits() {
    for rate in CodeRate::ALL {
        let code = Code::new(1944, rate);
        let data: Vec<u8> = (0..code.data()).map(|i| (i * i % 7 % 2) as u8).collect();
        let word = code.encode(&data);
        let told: Vec<f32> = word.iter().map(|&bit| if bit == 0 { 4.0 } else { -4.0 }).collect();
        for mut decoder in decoders(&code) {
            for first in (0..1944).step_by(97) {
                let mut known = told.clone();
                for wrong in [first, (first + 700) % 1944, (first + 1111) % 1944] {
                    known[wrong] = -known[wrong];
                }
                assert_ne!(known, told);
                assert_eq!(decoder.decode(&known), word, "{rate:?} {first}");
            }
        }
    }
}

/// Bits that are not sent are found as well, and known zeros help.
#[test]
fn punctured_words_come_and_shortened_ones_come_sooner() {
    let code = Code::new(648, CodeRate::Half);
    let lost = |sent: Sent, snr_db: f64| {
        let decoder = Box::new(MinSum::new(&code, ITERATIONS));
        Link::new((&code, decoder), Constellation::Qam16, sent, 1).lost(snr_db, 0, 300)
    };
    let (whole, punctured) = (Sent::default(), Sent { shortened: 0, punctured: 30 });
    let shortened = Sent { shortened: 150, punctured: 0 };
    assert_eq!(lost(punctured, 12.0), 0);
    let [all, fewer, known] = [whole, punctured, shortened].map(|sent| lost(sent, 6.5));
    assert!(fewer > all + 20 && known + 20 < all, "{fewer} {all} {known}");
}

/// BPSK is one dimension of QPSK, which has twice the power in both: within four deviations of the difference.
#[test]
fn bpsk_is_half_of_qpsk() {
    let code = Code::new(648, CodeRate::ThreeQuarters);
    let lost = |constellation, snr_db| {
        let decoder = Box::new(MinSum::new(&code, ITERATIONS));
        let mut link = Link::new((&code, decoder), constellation, Sent::default(), 1);
        link.lost(snr_db, 0, 2_000) as f64
    };
    let bpsk = lost(Constellation::Bpsk, 1.0);
    let qpsk = lost(Constellation::Qpsk, 1.0 + 10.0 * 2.0_f64.log10());
    assert!((100.0..1_900.0).contains(&bpsk), "{bpsk}");
    assert!((bpsk - qpsk).abs() < 4.0 * (2.0 * bpsk).sqrt(), "{bpsk} {qpsk}");
}
