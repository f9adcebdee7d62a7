//! The catalogue for `lasthop list`: names with one line each.

use crate::spec::{AUTO, AppKind, ChannelModelName, Conventions, ProxyName, TransportName};
use apps::{FilmModel, KnownCodec};
use base::Named;
use net::Discipline;
use radio::FecModel;
use record::{MeasureName, ProbeName};
use serde::Serialize;
use transport::tcp::variants::VARIANTS;
use transport::tcp::{LawName, Recovery};
use wifi::phy::StandardName;
use wifi::rate::RateChoice;
use wifi::{PathLossName, ReceptionName};

/// One thing that a scenario can name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its name in scenarios.
    pub name: &'static str,
    /// Its idea in a line.
    pub about: String,
}

/// Everything of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The plural of the kind: "variants", "channels", ...
    pub name: &'static str,
    /// The entries, in the order of their registry.
    pub entries: Vec<Entry>,
}

/// Returns all entries, by kind.
pub fn kinds() -> Vec<Kind> {
    let variant = |v: &transport::tcp::variants::Variant| Entry {
        name: v.name,
        about: format!("{} ({})", v.idea, v.paper),
    };
    let auto = Entry { name: AUTO.0, about: AUTO.1.to_owned() };
    let dcf = Entry {
        name: "dcf",
        about: "802.11 DCF with or without RTS/CTS: cells in which all hear all, or stations with places".to_owned(),
    };
    let tdd = Entry {
        name: "wimax",
        about: "802.16-2004 WirelessMAN-OFDM: frames, requests and grants between a base station and its subscriber stations".to_owned(),
    };
    let lan = Entry {
        name: "lan",
        about: "a wired medium that all its stations share: half-duplex Ethernet (IEEE 802.3 CSMA/CD), or the CSMA/CA of early ns-2".to_owned(),
    };
    vec![
        Kind { name: "variants", entries: VARIANTS.iter().map(variant).chain([auto]).collect() },
        kind::<Recovery>("recoveries"),
        Kind { name: "laws", entries: LawName::ALL.iter().map(law).collect() },
        kind::<TransportName>("transports"),
        kind::<AppKind>("apps"),
        kind::<KnownCodec>("codecs"),
        kind::<FilmModel>("films"),
        Kind { name: "queues", entries: Discipline::ALL.iter().map(discipline).collect() },
        Kind { name: "macs", entries: vec![dcf, tdd, lan] },
        kind::<StandardName>("phys"),
        kind::<RateChoice>("rate_controls"),
        kind::<ChannelModelName>("channels"),
        kind::<PathLossName>("path_losses"),
        kind::<ReceptionName>("receptions"),
        kind::<FecModel>("fecs"),
        kind::<mobileip::Preset>("mobile_ip_presets"),
        kind::<wimax::Preset>("wimax_presets"),
        kind::<net::LanPreset>("lan_presets"),
        kind::<ProxyName>("proxies"),
        kind::<MeasureName>("measures"),
        kind::<ProbeName>("probes"),
        kind::<Conventions>("conventions"),
    ]
}

fn discipline(discipline: &Discipline) -> Entry {
    let about = format!("{} ({})", discipline.idea(), discipline.row().source);
    Entry { name: discipline.name(), about }
}

fn law(law: &LawName) -> Entry {
    let row = law.row();
    let about = format!("{} ({}, {})", law.idea(), row.year, row.paper);
    Entry { name: law.name(), about }
}

fn kind<T: Named>(name: &'static str) -> Kind {
    let entry = |value: &T| Entry { name: value.name(), about: value.idea().to_owned() };
    Kind { name, entries: T::ALL.iter().map(entry).collect() }
}

/// Returns them as JSON: `{"variants": [{"name": ..., "about": ...}, ...], ...}`, in the same order.
pub fn catalogue() -> String {
    let part = |kind: &Kind| {
        let entries = serde_json::to_string(&kind.entries).unwrap_or_default();
        format!("\"{}\":{entries}", kind.name)
    };
    format!("{{{}}}", kinds().iter().map(part).collect::<Vec<_>>().join(","))
}
