//! What is simulated: constellations in the order of the table of `radio`.

use radio::Constellation;

/// Constellations that have curves of their own: BPSK is QPSK at half the power.
pub const CONSTELLATIONS: [(Constellation, &str); 6] = [
    (Constellation::Qpsk, "QPSK"),
    (Constellation::Qam16, "16-QAM"),
    (Constellation::Qam64, "64-QAM"),
    (Constellation::Qam256, "256-QAM"),
    (Constellation::Qam1024, "1024-QAM"),
    (Constellation::Qam4096, "4096-QAM"),
];
