//! Places, and what happens to power between them.

use super::{MobilitySpec, WaypointSpec};
use crate::at::At;
use crate::radio_units::{Frequency, Length, Power};
use crate::spec::{QueueSpec, RetryLimit, Rts};
use crate::units::BitRate;
use crate::value::{NoTable, Value, values};
use crate::word::Word;
use base::named;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use wifi::rate::RateChoice;

named! {
    /// How mean power falls with distance.
    pub enum PathLossName, "path loss" {
        Friis = "friis": "free space: 20 dB a decade",
        TwoRay = "two_ray": "free space up to the crossover, then 40 dB a decade; antennas at 1.5 m (ns-2)",
        LogDistance = "log_distance": "a loss at a reference distance, then 10 times the exponent in dB a decade",
    }
    /// What moves around the nodes does to power.
    pub enum FadingName, "fading" {
        Rayleigh = "rayleigh": "no direct path",
        Rician = "rician": "a direct path, k_factor times as strong as all others together",
    }
    /// When a frame is decoded.
    pub enum ReceptionName, "reception" {
        Thresholds = "thresholds": "where it is strong enough, and everything else weaker by the capture ratio (ns-2)",
        Sinr = "sinr": "bit by bit, by signal over interference and noise",
    }
}

/// Who hears whom how strongly. All cells with a place in it share it where their channel_number is the same.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MediumSpec {
    /// How mean power falls with distance. Default: "log_distance" ("two_ray" with ns-2's conventions).
    pub path_loss: Option<Word<PathLossName>>,
    /// Carrier. Default: "2.412 GHz" ("914 MHz" with ns-2's conventions).
    pub frequency: Option<At<Frequency>>,
    /// log_distance: the exponent. Default: 3.
    pub exponent: Option<At<f64>>,
    /// log_distance: the reference distance. Default: "1 m".
    pub reference: Option<At<Length>>,
    /// log_distance: loss at the reference distance, dB. Default: that of free space.
    pub reference_loss_db: Option<At<f64>>,
    /// Standard deviation of log-normal shadowing, dB. Default: none.
    pub shadowing_db: Option<At<f64>>,
    /// Way over which shadowing's correlation falls by e. Default: none, a new draw for each frame and receiver (ns-2).
    pub shadowing_distance: Option<At<Length>>,
    /// Fading in blocks of the coherence time. Default: none.
    pub fading: Option<Word<FadingName>>,
    /// rician: direct over scattered power, a ratio. Default: 4.
    pub k_factor: Option<At<f64>>,
    /// Doppler shift by what moves around nodes at rest, Hz. Default: 5.
    pub doppler_hz: Option<At<f64>>,
    /// Transmit power with antenna gains. Default: "16.0206 dBm" ("0.28183815 W" with ns-2's conventions).
    pub tx_power: Option<At<Power>>,
    /// When a frame is decoded. Default: "sinr" ("thresholds" with ns-2's conventions).
    pub reception: Option<At<Word<ReceptionName>>>,
    /// From here on a frame is followed, or decoded. Default: "-101 dBm" (sinr), "-82 dBm" (thresholds; 802.11-2020,
    /// 17.3.10.2), "3.652e-10 W" with ns-2's conventions.
    pub rx_threshold: Option<At<Power>>,
    /// From here on the medium is felt to be taken; at most rx_threshold. Default: rx_threshold ("1.559e-11 W" with
    /// ns-2's conventions).
    pub cs_threshold: Option<At<Power>>,
    /// thresholds: a frame survives others that are so much weaker, dB. sinr: a frame so much stronger takes the receiver
    /// over from one in its preamble. Default: 10 (thresholds), none (sinr).
    pub capture_db: Option<At<f64>>,
    /// sinr: noise of the receiver above thermal noise, dB. Default: 7.
    pub noise_figure_db: Option<At<f64>>,
}

/// What is a node's own: place, rate, limits, queue.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NodeSpec {
    /// A node that a link or a cell names; a star stands for any text.
    pub name: At<String>,
    /// East, north and, if not zero, up, metres: [10, 0].
    pub position: Option<At<Vec<f64>>>,
    /// Metres a second, east, north and up, from time zero on. Default: at rest.
    pub velocity: Option<At<Vec<f64>>>,
    /// Where it goes, one place after the other, from its position on; it rests at the last.
    #[serde(default)]
    pub waypoints: Vec<At<WaypointSpec>>,
    /// A rule by which it moves, in the place of position, velocity and waypoints.
    pub mobility: Option<At<MobilitySpec>>,
    /// Rate of data frames between this station and its access point. Default: the cell's.
    pub rate: Option<At<BitRate>>,
    /// How the rate of data frames between this station and its access point is chosen. Default: as in the cell.
    pub rate_control: Option<At<Word<RateChoice>>>,
    /// Its aCWmin, slots. Default: the cell's.
    pub cw_min: Option<At<u32>>,
    /// Its aCWmax, slots. Default: the cell's.
    pub cw_max: Option<At<u32>>,
    /// When RTS/CTS precede what it sends. Default: as in the cell.
    pub rts: Option<At<Rts>>,
    /// Its limit for RTS frames and data up to the RTS threshold, or "none". Default: the cell's.
    pub short_retry_limit: Option<At<RetryLimit>>,
    /// Its limit for data above the RTS threshold, or "none". Default: the cell's.
    pub long_retry_limit: Option<At<RetryLimit>>,
    /// Both of its limits at once.
    pub retry_limit: Option<At<RetryLimit>>,
    /// Its interface queue. Default: the cell's.
    pub queue: Option<At<QueueSpec>>,
}

/// Where a cell's stations are, in one line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Placement {
    /// On a circle around the centre, evenly; the access point stands in the centre. Radius in metres.
    Circle(f64),
    /// On a line to the east, so far from one to the next, metres; the access point comes first.
    Line(f64),
}

impl Value for Placement {
    const ALLOWED: &'static str = "\"circle\" or \"line\" and a length, such as \"circle 10 m\"";
    type Table = NoTable;

    fn from_text(text: &str) -> Result<Self, String> {
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
