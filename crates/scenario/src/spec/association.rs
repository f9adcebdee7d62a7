//! Beacons, scanning, association.

use crate::radio_units::Power;
use crate::table::{prose, table};
use crate::units::Duration;
use crate::word::Word;
use base::named;

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

table! {
    /// How stations find their access point. All cells with an access_point are one network; stations go from one to another.
    #[derive(Default)]
    pub struct AssociationSpec {
        /// How stations find their access point.
        mode: Word<AssociationName> = "signal";
        /// Between two beacons of an access point; the first ones are spread over it.
        beacon_interval: Duration = "102.4 ms" => "100 TU";
        /// How a station looks for access points.
        scan: Word<ScanName> = held "active";
        /// The channels on which it looks, in this order.
        channels: Vec<u32> = held prose("those of the cells");
        /// passive: how long it listens on each channel; at least the beacon interval.
        dwell: Duration = held prose("a tenth more than that");
        /// active: how long it listens before it asks.
        probe_delay: Duration = held "50 us" => "ns-3";
        /// active: how long it waits where it hears nobody.
        min_channel_time: Duration = held "20 ms" => "as cards do: Mishra, Shin and Arbaugh 2003";
        /// active: how long it waits where it hears somebody.
        max_channel_time: Duration = held "40 ms";
        /// How long a change of channel leaves it deaf.
        channel_switch_time: Duration = held "250 us" => "ns-3";
        /// How long it waits for an answer when it authenticates.
        authentication_timeout: Duration = held "200 ms" => "Linux";
        /// How long it waits for an answer when it associates.
        association_timeout: Duration = held "200 ms" => "Linux";
        /// How often it asks for either.
        attempts: u32 = held 3 => "Linux";
        /// How many beacon intervals without a beacon end an association.
        missed_beacons: u32 = held 7 => "Linux";
        /// How many packets given up in a row end an association.
        failed_packets: u32 = held prose("they do not count");
        /// The weight of a new beacon in the mean signal, which is over dBm.
        signal_weight: f64 = held 0.1875 => "Linux";
        /// A mean signal below this lets a station look for a better access point.
        roam_below: Power = held prose("only a lost one does");
        /// How much stronger another access point must be, dB.
        hysteresis_db: f64 = held 6;
        /// Between a scan that found nothing better and the next.
        rescan_interval: Duration = held "1 s";
        /// Length of the network's name (SSID), which is in most management frames.
        ssid_bytes: u32 = 7;
    }
}
