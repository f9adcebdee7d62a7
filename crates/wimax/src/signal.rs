//! Signal to noise between the base station and each subscriber station, and the burst profile that it allows.

use crate::phy::{Coding, Mcs};
use base::{Hertz, Named, Time, Watts, settings};
use radio::mobility::Mobility;
use radio::noise::{db_from_ratio, noise_w, w_from_dbm};
use radio::propagation::{LIGHT_M_PER_S, LogDistance, PathLoss};

settings! {
    /// Powers, their loss by a power law of distance, and noise.
    #[derive(Clone, Debug)]
    pub struct SignalSettings {
        /// True: at the start of each frame each station has the fastest burst profiles that its signal carries
        /// (802.16-2004, table 266), whatever profiles are given. False: the given profiles hold, and packets whose
        /// signal is too weak for them are lost.
        adaptive: bool = true, "adaptive";
        /// By how many dB the signal must be above what a profile needs for the profile to be chosen.
        margin_db: f64 = 0.0, "margin_db", 0.0..=100.0;
        /// The carrier frequency.
        frequency_hz: f64 as Hertz = 3.5e9, "frequency";
        /// The transmit power of the base station, antenna gains included.
        base_w: f64 as Watts = w_from_dbm(43.0), "base_power";
        /// The transmit power of subscriber stations, antenna gains included.
        station_w: f64 as Watts = w_from_dbm(38.0), "station_power";
        /// The noise figure of receivers, which is their noise above thermal noise in the bandwidth of the channel,
        /// in dB.
        noise_figure_db: f64 = 7.0, "noise_figure_db", 0.0..=100.0;
        /// Mean path loss.
        nested path_loss: LogDistance;
    }
}

/// Signals between stations in their places.
#[derive(Clone, Debug)]
pub struct SignalConfig {
    /// Powers, their loss and noise.
    pub settings: SignalSettings,
    /// The base station's place first, then the subscriber stations'.
    pub places: Vec<Mobility>,
}

/// Places and signals at work.
#[derive(Clone, Debug)]
pub struct Signal {
    settings: SignalSettings,
    path_loss: PathLoss,
    /// Noise in the channel's bandwidth, W.
    noise_w: f64,
    places: Vec<Mobility>,
    /// Nobody moves.
    is_at_rest: bool,
}

impl Signal {
    /// Creates it before the first frame, in a channel of this bandwidth.
    pub fn new(SignalConfig { settings, places }: &SignalConfig, bandwidth: u64) -> Signal {
        let rests = |place: &Mobility| match place {
            Mobility::Track(track) => {
                let legs = track.legs();
                legs.len() == 1 && legs[0].velocity.squared() == 0.0
            }
            Mobility::RandomWaypoint(_) => false,
        };
        Signal {
            path_loss: settings.path_loss.at(LIGHT_M_PER_S / settings.frequency_hz),
            noise_w: noise_w(bandwidth as f64, settings.noise_figure_db),
            is_at_rest: places.iter().all(rests),
            settings: settings.clone(),
            places: places.clone(),
        }
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
        let &SignalSettings { base_w, station_w, adaptive, margin_db, .. } = &self.settings;
        let [base, stations @ ..] = self.places.as_mut_slice() else { return };
        let (here, is_there) = (base.position(now), base.is_present(now));
        let sides = down.0.iter_mut().zip(down.1).zip(up.0.iter_mut().zip(up.1));
        for (place, (down, up)) in stations.iter_mut().zip(sides) {
            let gain = self.path_loss.gain(here, place.position(now));
            let is_heard = is_there && place.is_present(now);
            for ((coding, deaf), power) in [(down, base_w), (up, station_w)] {
                let snr_db = db_from_ratio(power * gain / self.noise_w);
                if adaptive {
                    coding.mcs = fastest(snr_db - margin_db);
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
