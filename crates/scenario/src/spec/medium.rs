//! What happens to power on its way, and where the stations of a cell are.

use crate::at::Reason;
use crate::radio_units::{Frequency, Length, Power};
use crate::table::{prose, table};
use crate::value::{NoTable, Value, values};
use crate::word::Word;
use base::named;
use schemars::{Schema, SchemaGenerator, json_schema};

named! {
    /// How mean power falls with distance.
    pub enum PathLossName, "path loss" {
        Friis = "friis": "free space: 20 dB a decade",
        TwoRay = "two_ray": "free space up to the crossover, then 40 dB a decade; antennas at 1.5 m (ns-2)",
        LogDistance = "log_distance": "a loss at a reference distance, then 10 times the exponent in dB a decade",
    }
    /// What moves around the nodes does to power.
    pub enum FadingName, "fading" {
        Rayleigh = "rayleigh": "without a direct path",
        Rician = "rician": "with a direct path, k_factor times as strong as all others together",
    }
    /// When a frame is decoded.
    pub enum ReceptionName, "reception" {
        Thresholds = "thresholds": "when it is strong enough and all others are weaker by the capture ratio (ns-2)",
        Sinr = "sinr": "bit errors are drawn from the ratio of the signal to interference and noise",
    }
}

table! {
    /// How strongly stations hear each other, by their places. All cells with the same `channel_number` share the
    /// medium.
    #[derive(Default)]
    pub struct MediumSpec {
        /// How mean power falls with distance.
        path_loss: Word<PathLossName> = "log_distance", ns2 "two_ray";
        /// The carrier frequency.
        frequency: Frequency = "2.412 GHz", ns2 "914 MHz";
        /// With log_distance: the exponent of distance, 0.1 to 10.
        exponent: f64 = 3;
        /// With log_distance: the reference distance.
        reference: Length = "1 m";
        /// With log_distance: the loss at the reference distance in dB.
        reference_loss_db: f64 = held prose("that of free space");
        /// The standard deviation of log-normal shadowing in dB, up to 30.
        shadowing_db: f64 = held prose("none");
        /// The distance travelled over which the correlation of shadowing falls to 1/e.
        shadowing_distance: Length = held prose("shadowing is drawn anew for each frame and receiver, as in ns-2");
        /// The kind of fading. It is constant within a coherence time and independent from one to the next.
        fading: Word<FadingName> = held prose("none");
        /// With rician: the power of the direct path divided by that of all others, as a ratio (not in dB).
        k_factor: f64 = 4;
        /// The Doppler shift in Hz that surroundings in motion cause between nodes at rest.
        doppler_hz: f64 = 5;
        /// The transmit power, antenna gains included.
        tx_power: Power = "16.0206 dBm", ns2 "0.28183815 W";
        /// When a frame is decoded.
        reception: Word<ReceptionName> = "sinr", ns2 "thresholds";
        /// The least power at which a receiver follows a frame (sinr) or decodes it (thresholds).
        rx_threshold: Power = held "-101 dBm", "thresholds" "-82 dBm", ns2 "3.652e-10 W" => "with thresholds that of 802.11-2020, 17.3.10.2";
        /// The least power at which a station senses the medium as busy. It is at most `rx_threshold`.
        cs_threshold: Power = held prose("rx_threshold"), ns2 "1.559e-11 W";
        /// The capture ratio in dB. With thresholds a frame survives later ones that are weaker by so much. With
        /// sinr a frame that is stronger by so much takes the receiver over from a frame in its preamble.
        capture_db: f64 = held prose("none"), "thresholds" 10;
        /// With sinr: the noise figure of the receiver, which is its noise above thermal noise, in dB.
        noise_figure_db: f64 = 7;
    }
}

/// Where a cell's stations are, in one line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Placement {
    /// On a circle, evenly, around the access point: where its [[node]] puts it, else in the origin. Radius in metres.
    Circle(f64),
    /// On a line to the east, so far from one to the next, metres; the access point comes first, where its [[node]] puts it.
    Line(f64),
}

impl Value for Placement {
    const ALLOWED: &'static str = "\"circle\" or \"line\" and a length, such as \"circle 10 m\"";
    type Table = NoTable;

    fn from_text(text: &str) -> Result<Self, Reason> {
        let (shape, length) = text.trim().split_once(' ').unwrap_or((text, ""));
        match shape {
            "circle" => Ok(Placement::Circle(Length::from_text(length)?.0)),
            "line" => Ok(Placement::Line(Length::from_text(length)?.0)),
            _ => Err(crate::value::refuse::<Self>(&format!("\"{text}\""))),
        }
    }
    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^(circle|line) ", "examples": ["circle 10 m"] })
    }
}

values!(Placement);
