//! Speech quality: the E-model of ITU-T G.107 with variable delay, loss and codec, and defaults for all else.

use base::{Span, named};

/// A codec, by the two numbers that ITU-T G.113 Appendix I has for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Codec {
    /// Equipment impairment factor without loss, 0 to 95.
    pub ie: f64,
    /// Packet-loss robustness factor, per cent; more than 0.
    pub bpl: f64,
}

named! {
    /// A codec, for opinion scores: Ie and Bpl of ITU-T G.113 Appendix I.
    pub enum KnownCodec, "codec" {
        G711 = "g711": "64 kbit/s without concealment of loss: Ie 0, Bpl 4.3",
        G711Plc = "g711_plc": "64 kbit/s with concealment (G.711 Appendix I): Ie 0, Bpl 25.1",
        G72632 = "g726_32": "ADPCM, 32 kbit/s: Ie 7; it has no published Bpl, so we take that of G.711 without concealment, 4.3",
        G729a = "g729a": "CS-ACELP, 8 kbit/s: Ie 11, Bpl 19",
        G7231 = "g723.1": "MP-MLQ, 6.3 kbit/s: Ie 15, Bpl 16.1",
        GsmEfr = "gsm_efr": "ACELP, 12.2 kbit/s: Ie 5, Bpl 10",
    }
}

impl KnownCodec {
    /// Its two numbers.
    pub fn codec(self) -> Codec {
        let (ie, bpl) = match self {
            KnownCodec::G711 => (0.0, 4.3),
            KnownCodec::G711Plc => (0.0, 25.1),
            KnownCodec::G72632 => (7.0, 4.3),
            KnownCodec::G729a => (11.0, 19.0),
            KnownCodec::G7231 => (15.0, 16.1),
            KnownCodec::GsmEfr => (5.0, 10.0),
        };
        Codec { ie, bpl }
    }
}

/// Ro, the signal-to-noise ratio, and Roe, that of the echo, with every default.
const RO: f64 = 94.77;
/// Is, the simultaneous impairment, set so that R is 93.2 without other impairments (G.107 clause 7.7).
const IS: f64 = 1.42;
/// TELR and WEPL, dB: the losses of the talker's echo and of the echo's echo.
const TELR: f64 = 65.0;
const WEPL: f64 = 110.0;

impl Codec {
    /// R, up to 93.2, for an absolute delay from mouth to ear and a share of lost packets that are lost independently of
    /// each other (BurstR = 1).
    pub fn rating(&self, delay: Span, lost: f64) -> f64 {
        let ppl = 100.0 * lost;
        let ie_eff = self.ie + (95.0 - self.ie) * ppl / (ppl + self.bpl);
        RO - IS - delay_impairment(delay.as_secs() * 1e3) - ie_eff
    }
}

/// Id at `ta` ms one way: G.107 equations 7-16 to 7-28, with the echo's path as long as that (T = Ta, Tr = 2 Ta).
fn delay_impairment(ta: f64) -> f64 {
    let root = |half: f64, under: f64| half + f64::sqrt(half * half + under);
    let terv = TELR - 40.0 * libm::log10((1.0 + ta / 10.0) / (1.0 + ta / 150.0))
        + 6.0 * libm::exp(-0.3 * ta * ta);
    let re = 80.0 + 2.5 * (terv - 14.0);
    let talker = (root((RO - re) / 2.0, 100.0) - 1.0) * (1.0 - libm::exp(-ta));
    let rle = 10.5 * (WEPL + 7.0) * libm::pow(2.0 * ta + 1.0, -0.25);
    let listener = root((RO - rle) / 2.0, 169.0);
    talker + listener + too_long(ta)
}

/// Idd, which is there without any echo, above 100 ms.
fn too_long(ta: f64) -> f64 {
    if ta <= 100.0 {
        return 0.0;
    }
    let x = libm::log2(ta / 100.0);
    let sixth = |x: f64| libm::pow(1.0 + libm::pow(x, 6.0), 1.0 / 6.0);
    25.0 * (sixth(x) - 3.0 * sixth(x / 3.0) + 2.0)
}

/// The mean opinion score that goes with R, 1 to 4.5 (G.107 Annex B).
pub fn opinion(rating: f64) -> f64 {
    match rating {
        r if r <= 0.0 => 1.0,
        r if r >= 100.0 => 4.5,
        // Below R = 6.5 the cubic is less than 1.
        r => (1.0 + 0.035 * r + 7e-6 * r * (r - 60.0) * (100.0 - r)).max(1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const G711: Codec = Codec { ie: 0.0, bpl: 4.3 };

    fn rating(codec: Codec, ms: u64, lost: f64) -> f64 {
        codec.rating(Span::millis(ms), lost)
    }

    /// G.107 clause 7.7: with all defaults R is 93.2, and the score 4.41.
    #[test]
    fn nothing_added_gives_93_2() {
        assert!((rating(G711, 0, 0.0) - 93.2).abs() < 0.01, "{}", rating(G711, 0, 0.0));
        assert!((opinion(93.2) - 4.41).abs() < 0.005);
    }

    /// Worked by hand from the equations, to a tenth: at 150 ms Idte 2.8, Idle 0.8, Idd 0.2; at 400 ms 5.8, 1.2 and 24.1.
    #[test]
    fn delay_takes_from_it() {
        for (ms, id) in [(150, 3.8), (400, 31.1)] {
            let found = 93.35 - rating(G711, ms, 0.0);
            assert!((found - id).abs() < 0.15, "{ms} ms: {found}");
        }
        let ratings: Vec<f64> = (0..60).map(|i| rating(G711, i * 20, 0.0)).collect();
        assert!(ratings.windows(2).all(|pair| pair[1] < pair[0]), "{ratings:?}");
    }

    /// G.729A's 11 and 19: at 5 % lost, 11 + 84 x 5 / 24 = 28.5.
    #[test]
    fn codec_and_loss_take_from_it() {
        let g729a = Codec { ie: 11.0, bpl: 19.0 };
        assert!((rating(G711, 0, 0.0) - rating(g729a, 0, 0.05) - 28.5).abs() < 1e-9);
        assert!((rating(G711, 0, 0.0) - rating(G711, 0, 1.0) - 95.0 * 100.0 / 104.3).abs() < 1e-9);
    }

    /// G.107 Annex B, table B.1: R of 90, 80, 70, 60 and 50; 80 gives 4.024, where the table has 4.03.
    #[test]
    fn scores_are_annex_bs() {
        for (r, mos) in [(90.0, 4.34), (80.0, 4.03), (70.0, 3.60), (60.0, 3.10), (50.0, 2.58)] {
            assert!((opinion(r) - mos).abs() < 0.007, "{r}: {}", opinion(r));
        }
        assert_eq!((opinion(-5.0), opinion(3.0), opinion(120.0)), (1.0, 1.0, 4.5));
    }
}
