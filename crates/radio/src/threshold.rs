//! Reception by thresholds of power, as in ns-2 (`mac/wireless-phy.cc`, `mac/mac-802_11.cc`).

/// The three thresholds of a receiver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// From here on a frame can be decoded (RXThresh_), W.
    pub receive_w: f64,
    /// From here on the medium is felt to be taken (CSThresh_), W.
    pub sense_w: f64,
    /// Ratio of powers at which a frame under reception survives a weaker one (CPThresh_).
    pub capture_ratio: f64,
}

impl Thresholds {
    /// ns-2's 914 MHz WaveLAN: 250 m and 550 m over two-ray ground at 0.28183815 W, 10 dB of capture.
    pub const WAVELAN: Thresholds =
        Thresholds { receive_w: 3.652e-10, sense_w: 1.559e-11, capture_ratio: 10.0 };

    /// ns-2's transmit power beside [`Thresholds::WAVELAN`], W.
    pub const WAVELAN_TRANSMIT_W: f64 = 0.281_838_15;

    /// True where a frame under reception goes on undisturbed by a later one. The later one is lost in any case, also
    /// when it is much stronger: ns-2's receiver never changes over.
    pub fn captures(&self, first_w: f64, later_w: f64) -> bool {
        first_w / later_w >= self.capture_ratio
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_survives_what_is_weaker_by_the_capture_ratio() {
        let wavelan = Thresholds::WAVELAN;
        assert!(wavelan.captures(1e-9, 1e-10));
        assert!(!wavelan.captures(1e-9, 1.01e-10) && !wavelan.captures(1e-10, 1e-8));
    }
}
