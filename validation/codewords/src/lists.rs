//! What is simulated: constellations, rates and lengths in the order of the table of `radio`.

use radio::{CodeRate, Constellation};

/// Constellations that have curves of their own: BPSK is QPSK at half the power.
pub const CONSTELLATIONS: [(Constellation, &str); 6] = [
    (Constellation::Qpsk, "QPSK"),
    (Constellation::Qam16, "16-QAM"),
    (Constellation::Qam64, "64-QAM"),
    (Constellation::Qam256, "256-QAM"),
    (Constellation::Qam1024, "1024-QAM"),
    (Constellation::Qam4096, "4096-QAM"),
];

/// The rates.
pub const RATES: [CodeRate; 4] =
    [CodeRate::Half, CodeRate::TwoThirds, CodeRate::ThreeQuarters, CodeRate::FiveSixths];
