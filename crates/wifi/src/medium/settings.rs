//! Settings of a medium: power on its way and at receivers.

use super::links::Propagation;
use super::receiver::{Reception, SinrConfig};
use base::{Hertz, Maybe, Metres, Watts, named, settings};
use radio::noise::{noise_w, ratio_from_db, w_from_dbm};
use radio::propagation::{FadingConfig, LIGHT_M_PER_S, LogDistance, PathLoss, ShadowingConfig};
use radio::{ErrorModel, Thresholds};

named! {
    /// Fall of mean power with distance.
    pub enum PathLossName, "path loss" {
        Friis = "friis": "free space: 20 dB a decade",
        TwoRay = "two_ray": "free space up to the crossover, then 40 dB a decade; antennas at 1.5 m (ns-2)",
        LogDistance = "log_distance": "a loss at a reference distance, then 10 times the exponent in dB a decade",
    }
    /// Effect on power of what moves around the nodes.
    pub enum FadingName, "fading" {
        Rayleigh = "rayleigh": "without a direct path",
        Rician = "rician": "with a direct path, k_factor times as strong as all others together",
    }
    /// Rule by which a frame is decoded.
    pub enum ReceptionName, "reception" {
        Thresholds = "thresholds": "when it is strong enough and all others are weaker by the capture ratio (ns-2)",
        Sinr = "sinr": "bit errors are drawn from the ratio of the signal to interference and noise",
    }
}

settings! {
    /// Propagation and reception.
    #[derive(Clone, Debug, PartialEq)]
    pub struct MediumSettings {
        /// How mean power falls with distance.
        path_loss: PathLossName = PathLossName::LogDistance, "path_loss";
        /// The carrier frequency.
        frequency_hz: Option<f64> as Maybe<Hertz> = None => "\"5.18 GHz\" for 802.11n, 802.11ac and 802.11ax in the 5 GHz band (channel 36), else \"2.412 GHz\" (channel 1)", "frequency";
        /// The speed of light in m/s, which makes wavelengths from frequencies.
        light_m_per_s: f64 = LIGHT_M_PER_S, "speed_of_light", 1e8..=1e9;
        /// The standard deviation of log-normal shadowing in dB.
        shadowing_db: Option<f64> as Maybe<f64> = None => "none", "shadowing_db", Some(0.0)..=Some(30.0);
        /// The distance travelled over which the correlation of shadowing falls to 1/e, 10 cm or more.
        shadowing_m: Option<f64> as Maybe<Metres> = None => "shadowing is drawn anew for each frame and receiver, as in ns-2", "shadowing_distance", Some(0.1)..;
        /// The kind of fading. It is constant within a coherence time and independent from one to the next.
        fading: Option<FadingName> as Maybe<FadingName> = None => "none", "fading";
        /// With rician: the power of the direct path divided by that of all others, as a ratio (not in dB).
        k_factor: f64 = 4.0, "k_factor", 0.0..=1000.0;
        /// The Doppler shift in Hz that surroundings in motion cause between nodes at rest.
        doppler_hz: f64 = 5.0, "doppler_hz", 0.0..=1e4;
        /// The transmit power, antenna gains included.
        transmit_w: f64 as Watts = w_from_dbm(16.0206), "tx_power";
        /// When a frame is decoded.
        reception: ReceptionName = ReceptionName::Sinr, "reception";
        /// The least power at which a receiver follows a frame (sinr) or decodes it (thresholds).
        receive_w: Option<f64> as Maybe<Watts> = None => "with sinr \"-101 dBm\", with thresholds `least_rx_power`", "rx_threshold";
        /// With thresholds: the least power at which a receiver decodes a frame where `rx_threshold` is left out
        /// (802.11-2020, 17.3.10.2).
        least_w: f64 as Watts = w_from_dbm(-82.0), "least_rx_power";
        /// The least power at which a station senses the medium as busy. It is at most `rx_threshold`.
        sense_w: Option<f64> as Maybe<Watts> = None => "rx_threshold", "cs_threshold";
        /// The capture ratio in dB. With thresholds a frame survives later ones that are weaker by so much. With
        /// sinr a frame that is stronger by so much takes the receiver over from a frame in its preamble.
        capture_db: Option<f64> as Maybe<f64> = None => "with thresholds 10, with sinr none", "capture_db", Some(0.0)..=Some(100.0);
        /// With sinr: how bits of OFDM behind the convolutional code are lost by the ratio of a subcarrier. Code words of LDPC
        /// have curves of their own.
        error_model: Option<ErrorModel> as Maybe<ErrorModel> = None => "\"soft\" for 802.11n, 802.11ac and 802.11ax, else \"nist\"", "error_model";
        /// With sinr: the noise figure of the receiver, which is its noise above thermal noise, in dB.
        noise_figure_db: f64 = 7.0, "noise_figure_db", 0.0..=100.0;
        /// With log_distance: the loss.
        nested log_distance: LogDistance;
    }
}

/// Carrier frequency where none is given: channel 1.
pub const LOWER_HZ: f64 = 2.412e9;

/// The same in the 5 GHz band: channel 36.
pub const UPPER_HZ: f64 = 5.18e9;

/// The power from which on a receiver notices a frame by its signal, dBm.
const DETECTED_DBM: f64 = -101.0;

/// The capture ratio of thresholds, dB.
const CAPTURE_DB: f64 = 10.0;

/// Width of the channel over which noise counts, Hz: the receiver's with DSSS, the channel's with OFDM alike.
pub(crate) const BANDWIDTH_HZ: f64 = 22e6;

impl MediumSettings {
    /// Returns path loss, shadowing and fading, for a cell whose carrier is usually at this frequency.
    pub fn propagation(&self, usual_hz: f64) -> Propagation {
        let wavelength_m = self.light_m_per_s / self.frequency_hz.unwrap_or(usual_hz);
        let path_loss = match self.path_loss {
            PathLossName::Friis => PathLoss::Friis { wavelength_m, system_loss: 1.0 },
            PathLossName::TwoRay => {
                PathLoss::TwoRayGround { wavelength_m, system_loss: 1.0, antenna_m: 1.5 }
            }
            PathLossName::LogDistance => self.log_distance.at(wavelength_m),
        };
        let shadowing = match (self.shadowing_db, self.shadowing_m) {
            (None | Some(0.0), _) => ShadowingConfig::Off,
            (Some(sigma_db), None) => ShadowingConfig::Fresh { sigma_db },
            (Some(sigma_db), Some(distance_m)) => {
                ShadowingConfig::Correlated { sigma_db, distance_m, time: None }
            }
        };
        let fading = |name| {
            let k_factor = if name == FadingName::Rician { self.k_factor } else { 0.0 };
            FadingConfig { k_factor, wavelength_m, doppler_hz: self.doppler_hz }
        };
        Propagation { path_loss, shadowing, fading: self.fading.map(fading) }
    }

    /// Returns the least power of a frame that a receiver follows or decodes, W.
    pub fn received_w(&self) -> f64 {
        self.receive_w.unwrap_or_else(|| match self.reception {
            ReceptionName::Thresholds => self.least_w,
            ReceptionName::Sinr => w_from_dbm(DETECTED_DBM),
        })
    }

    /// Returns reception by its model, for a cell whose bits are usually lost by this one. What is decoded is also sensed.
    pub fn reception(&self, usual: ErrorModel) -> Reception {
        let receive_w = self.received_w();
        let sense_w = self.sense_w.unwrap_or(receive_w).min(receive_w);
        match self.reception {
            ReceptionName::Thresholds => {
                let capture_ratio = ratio_from_db(self.capture_db.unwrap_or(CAPTURE_DB));
                Reception::Thresholds(Thresholds { receive_w, sense_w, capture_ratio })
            }
            ReceptionName::Sinr => Reception::Sinr(SinrConfig {
                detect_w: receive_w,
                sense_w,
                noise_w: noise_w(BANDWIDTH_HZ, self.noise_figure_db),
                model: self.error_model.unwrap_or(usual),
                capture_ratio: self.capture_db.map(ratio_from_db),
            }),
        }
    }
}
