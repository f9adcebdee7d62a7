//! The parameters of association, as plain values. Each says the name that the scenario's `[association]` table gives it.

use super::{Channel, Elements};
use base::Span;

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
    /// Between two target beacon transmission times (`beacon_interval`). 100 TU of 1024 us by default.
    pub beacon_interval: Span,
    /// The first of them (`beacon_offset`, for each access point).
    pub offset: Span,
    /// Elements of its frames.
    pub elements: Elements,
}

impl AccessPointConfig {
    /// A beacon every 102.4 ms from time zero on.
    pub fn new(elements: Elements) -> AccessPointConfig {
        AccessPointConfig { beacon_interval: Span::micros(102_400), offset: Span::ZERO, elements }
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

impl ScanConfig {
    /// 20 and 40 ms, the order of what cards were measured to wait (Mishra, Shin and Arbaugh 2003, section 4); the probe
    /// delay is ns-3's.
    pub const ACTIVE: ScanConfig = ScanConfig::Active {
        probe_delay: Span::micros(50),
        min_channel_time: Span::millis(20),
        max_channel_time: Span::millis(40),
    };

    /// A tenth more than the usual beacon interval.
    pub const PASSIVE: ScanConfig = ScanConfig::Passive { dwell: Span::micros(112_640) };
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
    /// Active scan of `channels`. 200 ms for each answer, three attempts, seven beacons and a weight of 3/16 are what
    /// Linux (mac80211) uses; the switch time is ns-3's `ChannelSwitchDelay`.
    pub fn new(channels: Vec<Channel>, elements: Elements) -> AssociationConfig {
        AssociationConfig {
            scan: ScanConfig::ACTIVE,
            channels,
            switch_time: Span::micros(250),
            authentication_timeout: Span::millis(200),
            association_timeout: Span::millis(200),
            attempts: 3,
            missed_beacons: 7,
            failed_packets: None,
            signal_weight: 3.0 / 16.0,
            roam_below_dbm: None,
            hysteresis_db: 6.0,
            rescan_interval: Span::secs(1),
            elements,
        }
    }
}
