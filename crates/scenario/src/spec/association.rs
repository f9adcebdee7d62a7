//! Beacons, scanning, association.

use crate::at::At;
use crate::radio_units::Power;
use crate::units::Duration;
use crate::word::Word;
use base::named;
use schemars::JsonSchema;
use serde::Deserialize;

named! {
    /// How stations find their access point.
    pub enum AssociationName, "association mode" {
        Static = "static": "they belong to their cell's for ever; beacons only if beacon_interval is given",
        Signal = "signal": "they scan, authenticate and associate with the strongest, and leave it when they lose it",
        Ns2 = "ns2": "no beacons, no scan, no association: frames pass to whoever is in reach on the channel (ns-2)",
    }
    /// How a station looks for access points.
    pub enum ScanName, "scan" {
        Active = "active": "it asks on each channel, and waits for answers (802.11-2020, 11.1.4.3)",
        Passive = "passive": "it listens on each channel for beacons (802.11-2020, 11.1.4.2)",
    }
}

/// How stations find their access point. All cells with an access_point are one network; stations go from one to another.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AssociationSpec {
    /// How stations find their access point. Default: "signal".
    pub mode: Option<Word<AssociationName>>,
    /// Between two beacons of an access point; the first ones are spread over it. Default: "102.4 ms" (100 TU).
    pub beacon_interval: Option<At<Duration>>,
    /// How a station looks for access points. Default: "active".
    pub scan: Option<At<Word<ScanName>>>,
    /// The channels on which it looks, in this order. Default: those of the cells.
    pub channels: Option<At<Vec<u32>>>,
    /// passive: how long it listens on each channel; at least the beacon interval. Default: a tenth more than that.
    pub dwell: Option<At<Duration>>,
    /// active: how long it listens before it asks. Default: "50 us" (ns-3).
    pub probe_delay: Option<At<Duration>>,
    /// active: how long it waits where it hears nobody. Default: "20 ms" (as cards do: Mishra, Shin and Arbaugh 2003).
    pub min_channel_time: Option<At<Duration>>,
    /// active: how long it waits where it hears somebody. Default: "40 ms".
    pub max_channel_time: Option<At<Duration>>,
    /// How long a change of channel leaves it deaf. Default: "250 us" (ns-3).
    pub channel_switch_time: Option<At<Duration>>,
    /// How long it waits for an answer when it authenticates. Default: "200 ms" (Linux).
    pub authentication_timeout: Option<At<Duration>>,
    /// How long it waits for an answer when it associates. Default: "200 ms" (Linux).
    pub association_timeout: Option<At<Duration>>,
    /// How often it asks for either. Default: 3 (Linux).
    pub attempts: Option<At<u32>>,
    /// How many beacon intervals without a beacon end an association. Default: 7 (Linux).
    pub missed_beacons: Option<At<u32>>,
    /// How many packets given up in a row end an association. Default: they do not count.
    pub failed_packets: Option<At<u32>>,
    /// The weight of a new beacon in the mean signal, which is over dBm. Default: 0.1875 (Linux).
    pub signal_weight: Option<At<f64>>,
    /// A mean signal below this lets a station look for a better access point. Default: only a lost one does.
    pub roam_below: Option<At<Power>>,
    /// How much stronger another access point must be, dB. Default: 6.
    pub hysteresis_db: Option<At<f64>>,
    /// Between a scan that found nothing better and the next. Default: "1 s".
    pub rescan_interval: Option<At<Duration>>,
    /// Length of the network's name (SSID), which is in most management frames. Default: 7.
    pub ssid_bytes: Option<At<u32>>,
}
