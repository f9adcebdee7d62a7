//! The parameters of association, as plain values. Each says the name that the scenario's `[association]` table gives it.

use super::{Channel, Elements};
use base::{Maybe, Span, Watts, named, settings};
use radio::noise::dbm_from_w;

/// Role of a member of a medium in association.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    /// No association: it belongs to a fixed access point (`mode = "static"`), or frames pass to any station in reach on
    /// the same channel, as in ns-2 (`mode = "ns2"`: no scan, no association).
    None,
    /// Finds its access point by signal (`mode = "signal"`).
    Client(AssociationConfig),
    /// Is an access point, with beacons.
    AccessPoint(AccessPointConfig),
}

/// An access point's part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessPointConfig {
    /// Between two target beacon transmission times (`beacon_interval`).
    pub beacon_interval: Span,
    /// The first of them (`beacon_offset`, for each access point).
    pub offset: Span,
    /// Elements of its frames.
    pub elements: Elements,
}

impl AccessPointConfig {
    /// A beacon in each interval by default from time zero on.
    pub fn new(elements: Elements) -> AccessPointConfig {
        let AssociationSettings { beacon_interval, .. } = AssociationSettings::default();
        AccessPointConfig { beacon_interval, offset: Span::ZERO, elements }
    }
}

/// Scan for access points on a channel (802.11-2020, 11.1.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScanConfig {
    /// Listens for beacons (`scan = "passive"`).
    Passive {
        /// For so long on each channel (`dwell`); shorter than the beacon interval misses access points.
        dwell: Span,
    },
    /// Sends probe requests (`scan = "active"`).
    Active {
        /// Before it asks, since it does not know yet whether the channel is reserved (`probe_delay`).
        probe_delay: Span,
        /// Nobody uses the channel if nothing was heard so long after the question (`min_channel_time`).
        min_channel_time: Span,
        /// Time to wait for answers after a signal was heard (`max_channel_time`).
        max_channel_time: Span,
    },
}

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

const MILLISECOND: Span = Span::millis(1);

settings! {
    /// How stations find their access point, and what access points send.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct AssociationSettings {
        /// How a station comes to its access point.
        mode: AssociationName = AssociationName::Signal, "mode";
        /// The time between two beacons of an access point. The first beacons of the access points are spread over
        /// it. The default is 100 TU.
        beacon_interval: Span = Span::micros(102_400), "beacon_interval", MILLISECOND..;
        /// How a station looks for access points.
        scan: ScanName = ScanName::Active, "scan";
        /// With a passive scan: how long a station listens on each channel. It is at least the beacon interval.
        dwell: Option<Span> as Maybe<Span> = None => "1.1 times the beacon interval", "dwell";
        /// With an active scan: how long a station listens on a channel before it sends a probe request, since it
        /// does not know yet whether the channel is reserved. The default is ns-3's.
        probe_delay: Span = Span::micros(50), "probe_delay";
        /// With an active scan: how long a station stays on a channel where nobody answers. The default is of the
        /// order of what cards were measured to wait (Mishra, Shin and Arbaugh 2003, section 4).
        min_channel_time: Span = Span::millis(20), "min_channel_time", Span::micros(100)..;
        /// With an active scan: how long a station stays on a channel where somebody answers. Where it is left out
        /// it is no shorter than `min_channel_time`.
        max_channel_time: Span = Span::millis(40), "max_channel_time";
        /// How long a station hears nothing while it changes the channel. The default is ns-3's.
        switch_time: Span = Span::micros(250), "channel_switch_time";
        /// How long a station waits for the answer to its authentication request. The default is Linux'.
        authentication_timeout: Span = Span::millis(200), "authentication_timeout", MILLISECOND..;
        /// How long a station waits for the answer to its association request. The default is Linux'.
        association_timeout: Span = Span::millis(200), "association_timeout", MILLISECOND..;
        /// How often a station sends each of these two requests before it gives up. The default is Linux'.
        attempts: u32 = 3, "attempts", 1..=100;
        /// A station gives up its access point after this number of beacon intervals without a beacon. The default
        /// is Linux'.
        missed_beacons: u32 = 7, "missed_beacons", 2..=1000;
        /// A station gives up its access point after this number of packets in a row that the MAC has given up.
        failed_packets: Option<u32> as Maybe<u32> = None => "such losses do not count", "failed_packets", Some(1)..=Some(1_000_000);
        /// The weight of a new beacon in the moving average of the signal (in dBm). The default is Linux'.
        signal_weight: f64 = 3.0 / 16.0, "signal_weight", 0.001..=1.0;
        /// A station looks for a better access point when the mean signal of its own is below this power.
        roam_below: Option<f64> as Maybe<Watts> = None => "it looks only when its own is lost", "roam_below";
        /// By how many dB another access point must be stronger for a station to change to it.
        hysteresis_db: f64 = 6.0, "hysteresis_db", 0.0..=100.0;
        /// The time from a scan that found nothing better to the next.
        rescan_interval: Span = Span::secs(1), "rescan_interval", MILLISECOND..;
        /// The length of the network's name (SSID) in bytes. It is part of most management frames.
        ssid_bytes: u32 = 7, "ssid_bytes", 0..=32;
    }
}

impl AssociationSettings {
    /// The behaviour of a station that goes through these channels in this order.
    pub fn station(&self, channels: Vec<Channel>, elements: Elements) -> AssociationConfig {
        AssociationConfig {
            scan: self.scan(),
            channels,
            switch_time: self.switch_time,
            authentication_timeout: self.authentication_timeout,
            association_timeout: self.association_timeout,
            attempts: self.attempts,
            missed_beacons: self.missed_beacons,
            failed_packets: self.failed_packets,
            signal_weight: self.signal_weight,
            roam_below_dbm: self.roam_below.map(dbm_from_w),
            hysteresis_db: self.hysteresis_db,
            rescan_interval: self.rescan_interval,
            elements,
        }
    }

    fn scan(&self) -> ScanConfig {
        match self.scan {
            ScanName::Passive => ScanConfig::Passive {
                dwell: self.dwell.unwrap_or(Span(self.beacon_interval.0 / 10 * 11)),
            },
            ScanName::Active => ScanConfig::Active {
                probe_delay: self.probe_delay,
                min_channel_time: self.min_channel_time,
                max_channel_time: self.max_channel_time,
            },
        }
    }
}

/// A station's part.
#[derive(Clone, Debug, PartialEq)]
pub struct AssociationConfig {
    /// Kind of scan (`scan`).
    pub scan: ScanConfig,
    /// Channels, in this order (`channels`).
    pub channels: Vec<Channel>,
    /// For how long a change of channel leaves it deaf (`channel_switch_time`).
    pub switch_time: Span,
    /// Timeout of the second authentication frame (`authentication_timeout`).
    pub authentication_timeout: Span,
    /// Timeout of the association response (`association_timeout`).
    pub association_timeout: Span,
    /// Most attempts at either (`attempts`).
    pub attempts: u32,
    /// Beacon intervals without a beacon after which its access point is lost (`missed_beacons`).
    pub missed_beacons: u32,
    /// Packets given up in a row after which its access point is lost (`failed_packets`). `None`: they do not count.
    pub failed_packets: Option<u32>,
    /// The share of a new beacon in the mean signal, which is over dBm (`signal_weight`).
    pub signal_weight: f64,
    /// Mean signal below which it looks for a better access point, dBm (`roam_below`). `None`: only when its own is lost.
    pub roam_below_dbm: Option<f64>,
    /// By how much another must be better, dB (`hysteresis`).
    pub hysteresis_db: f64,
    /// Between two scans that found nothing (better), from the end of one to the start of the next (`rescan_interval`).
    pub rescan_interval: Span,
    /// Elements of its frames.
    pub elements: Elements,
}

impl AssociationConfig {
    /// An active scan of these channels, and the defaults of all else.
    pub fn new(channels: Vec<Channel>, elements: Elements) -> AssociationConfig {
        AssociationSettings::default().station(channels, elements)
    }
}
