//! Documents of conventions, which are files of their own.

use super::{ArqSpec, EntrySpec, PhySpec, QosSpec, SignalSpec};
use crate::at::At;
use crate::settings::Set;
use crate::table::table;
use apps::{OnOffRules, OnTimesRules, VoiceRules};
use net::{LanSettings, QueueRules};
use radio::{ChannelRules, FecSettings};
use std::collections::BTreeMap;
use transport::tcp::TcpConfig;
use transport::udp::UdpConfig;
use wifi::mlme::AssociationSettings;
use wifi::{ErrorScope, MacSettings, MediumSettings};
use wimax::CellSettings;
use world::UpperSettings;

table! {
    /// A document of conventions: tables of settings that hold where a scenario leaves them out.
    #[derive(Default)]
    pub struct OverlaySpec {
        /// The purpose of the document, or its source.
        about: String;
        /// TCP's settings.
        tcp: Set<TcpConfig>;
        /// TCP's settings with one law alone, by its name. They count more than `tcp`.
        several law: BTreeMap<String, At<Set<TcpConfig>>>;
        /// UDP's settings.
        udp: Set<UdpConfig>;
        /// Rules for the limits of queues.
        queue: Set<QueueRules>;
        /// Timing and rates of 802.11.
        phy: PhySpec;
        /// Access rules and retry limits of 802.11.
        mac: Set<MacSettings>;
        /// Access categories and aggregation of 802.11.
        qos: QosSpec;
        /// Path loss, fading and reception, where a scenario has a medium.
        medium: Set<MediumSettings>;
        /// The layers above the MAC of 802.11 cells.
        cell: Set<UpperSettings>;
        /// The frames and bits that errors of channels hit.
        channel: ChannelLayer;
        /// The code of 802.11 cells, where they have one.
        fec: Set<FecSettings>;
        /// The constants of DSDV.
        routing: Set<dsdv::Settings>;
        /// Settings of LANs.
        lan: Set<LanSettings>;
        /// Settings of 802.16 cells.
        wimax: WimaxLayer;
        /// Beacons, scans and association, where a scenario has them.
        association: Set<AssociationSettings>;
        /// Settings of Mobile IP.
        mobile_ip: Set<mobileip::Rules>;
        /// Settings of applications.
        app: AppLayer;
    }
}

table! {
    /// Settings of channels.
    pub struct ChannelLayer {
        /// Of all.
        settings scope: Set<ErrorScope>;
        /// Of those with states.
        settings rules: Set<ChannelRules>;
    }
}

table! {
    /// Settings of applications.
    pub struct AppLayer {
        /// Of the on-times of bulk transfers.
        on_times: Set<OnTimesRules>;
        /// Of on/off sources.
        on_off: Set<OnOffRules>;
        /// Of calls.
        voice: Set<VoiceRules>;
    }
}

table! {
    /// Settings of 802.16 cells. What the tables in it say holds where a cell has such a table.
    pub struct WimaxLayer {
        /// Rules of the cell.
        settings settings: Set<CellSettings>;
        /// ARQ.
        arq: ArqSpec;
        /// Network entry.
        entry: EntrySpec;
        /// The signal.
        signal: SignalSpec;
    }
}
