//! Beacons, scanning, association.

use crate::radio_units::Power;
use crate::table::{prose, table};
use crate::units::Duration;
use crate::word::Word;
use base::named;

named! {
    /// How stations find their access point.
    pub enum AssociationName, "association mode" {
        Static = "static": "they always belong to that of their cell; there are beacons only if beacon_interval is given",
        Signal = "signal": "they scan, authenticate and associate with the strongest, and look for another when they lose it",
        Ns2 = "ns2": "no beacons, no scan, no association: frames reach every station in range on the channel (ns-2)",
    }
    /// How a station looks for access points.
    pub enum ScanName, "scan" {
        Active = "active": "it sends a probe request on each channel and waits for answers (802.11-2020, 11.1.4.3)",
        Passive = "passive": "it listens on each channel for beacons (802.11-2020, 11.1.4.2)",
    }
}

table! {
    /// How stations find their access point. All cells with an access point form one network, and stations move
    /// between them.
    #[derive(Default)]
    pub struct AssociationSpec {
        /// How a station comes to its access point.
        mode: Word<AssociationName> = "signal";
        /// The time between two beacons of an access point. The first beacons of the access points are spread over
        /// it.
        beacon_interval: Duration = "102.4 ms" => "100 TU";
        /// How a station looks for access points.
        scan: Word<ScanName> = held "active";
        /// The numbers of the channels that a station scans, in this order, such as [1, 6, 11].
        channels: Vec<u32> = held prose("those of the cells, in the order of the file");
        /// With a passive scan: how long a station listens on each channel. It is at least the beacon interval.
        dwell: Duration = held prose("1.1 times the beacon interval");
        /// With an active scan: how long a station listens on a channel before it sends a probe request.
        probe_delay: Duration = held "50 us" => "ns-3";
        /// With an active scan: how long a station stays on a channel where nobody answers.
        min_channel_time: Duration = held "20 ms" => "as cards do: Mishra, Shin and Arbaugh 2003";
        /// With an active scan: how long a station stays on a channel where somebody answers.
        max_channel_time: Duration = held "40 ms";
        /// How long a station hears nothing while it changes the channel.
        channel_switch_time: Duration = held "250 us" => "ns-3";
        /// How long a station waits for the answer to its authentication request.
        authentication_timeout: Duration = held "200 ms" => "Linux";
        /// How long a station waits for the answer to its association request.
        association_timeout: Duration = held "200 ms" => "Linux";
        /// How often a station sends each of these two requests before it gives up, 1 to 100.
        attempts: u32 = held 3 => "Linux";
        /// A station gives up its access point after so many beacon intervals without a beacon, 2 to 1000.
        missed_beacons: u32 = held 7 => "Linux";
        /// A station gives up its access point after so many packets in a row that the MAC has given up.
        failed_packets: u32 = held prose("such losses do not count");
        /// The weight of a new beacon in the moving average of the signal (in dBm), 0.001 to 1.
        signal_weight: f64 = held 0.1875 => "Linux";
        /// A station looks for a better access point when the mean signal of its own is below this power.
        roam_below: Power = held prose("it looks only when its own is lost");
        /// By how many dB another access point must be stronger for a station to change to it.
        hysteresis_db: f64 = held 6;
        /// The time from a scan that found nothing better to the next.
        rescan_interval: Duration = held "1 s";
        /// The length of the network's name (SSID) in bytes, 0 to 32. It is part of most management frames.
        ssid_bytes: u32 = 7;
    }
}
