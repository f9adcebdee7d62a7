//! Signal to noise between the base station and each subscriber station, and the burst profile that it allows.

use crate::phy::{Coding, Mcs};
use base::{Named, Time};
use radio::mobility::Mobility;
use radio::noise::db_from_ratio;
use radio::propagation::PathLoss;

/// Places of stations, and the loss of power with distance.
#[derive(Clone, Debug)]
pub struct SignalConfig {
    /// Mean path loss.
    pub path_loss: PathLoss,
    /// The base station's power with antenna gains, W.
    pub base_w: f64,
    /// Transmit power of subscriber stations, W.
    pub station_w: f64,
    /// Noise in the channel's bandwidth, W.
    pub noise_w: f64,
    /// Burst profiles follow the signal; else they are as configured.
    pub adaptive: bool,
    /// By so much the signal must be above what a profile needs for it to be chosen, dB.
    pub margin_db: f64,
    /// The base station's place first, then the subscriber stations'.
    pub places: Vec<Mobility>,
}

/// Places and signals at work.
#[derive(Clone, Debug)]
pub struct Signal {
    config: SignalConfig,
    /// Nobody moves.
    is_at_rest: bool,
}

impl Signal {
    /// Before the first frame.
    pub fn new(config: &SignalConfig) -> Signal {
        let rests = |place: &Mobility| match place {
            Mobility::Track(track) => {
                let legs = track.legs();
                legs.len() == 1 && legs[0].velocity.squared() == 0.0
            }
            Mobility::RandomWaypoint(_) => false,
        };
        Signal { is_at_rest: config.places.iter().all(rests), config: config.clone() }
    }

    /// True where burst profiles have to be looked at in this frame.
    pub fn changes(&self, is_first: bool) -> bool {
        is_first || !self.is_at_rest
    }

    /// Sets the burst profiles of a frame and the stations out of reach in it: of the downlink, then of the uplink.
    pub fn set(
        &mut self,
        now: Time,
        down: (&mut [Coding], &mut [bool]),
        up: (&mut [Coding], &mut [bool]),
    ) {
        let SignalConfig { path_loss, base_w, station_w, noise_w, adaptive, margin_db, places } =
            &mut self.config;
        let [base, stations @ ..] = places.as_mut_slice() else { return };
        let (here, is_there) = (base.position(now), base.is_present(now));
        let sides = down.0.iter_mut().zip(down.1).zip(up.0.iter_mut().zip(up.1));
        for (place, (down, up)) in stations.iter_mut().zip(sides) {
            let gain = path_loss.gain(here, place.position(now));
            let is_heard = is_there && place.is_present(now);
            for ((coding, deaf), power) in [(down, *base_w), (up, *station_w)] {
                let snr_db = db_from_ratio(power * gain / *noise_w);
                if *adaptive {
                    coding.mcs = fastest(snr_db - *margin_db);
                }
                *deaf = !is_heard || snr_db < coding.mcs.needed_snr_db();
            }
        }
    }
}

/// The fastest burst profile that this signal carries; the most robust where it carries none.
fn fastest(snr_db: f64) -> Mcs {
    let carried = Mcs::ALL.iter().rev().find(|mcs| mcs.needed_snr_db() <= snr_db);
    carried.copied().unwrap_or(Mcs::Bpsk12)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profile_is_the_fastest_that_the_signal_carries() {
        for (snr_db, mcs) in [
            (-3.0, Mcs::Bpsk12),
            (9.3, Mcs::Bpsk12),
            (9.4, Mcs::Qpsk12),
            (18.1, Mcs::Qam16R12),
            (24.4, Mcs::Qam64R34),
            (60.0, Mcs::Qam64R34),
        ] {
            assert_eq!(fastest(snr_db), mcs, "{snr_db} dB");
        }
    }
}
