//! What there is, by name with one line each: for `lasthop list`.

use crate::spec::{
    AUTO, AppKind, ChannelModelName, CodecName, ConventionsName, FecModelName, FilmName,
    MeasureName, MobileIpPreset, PathLossName, RateControlName, ReceptionName, RecoveryName,
    StandardName, TransportName,
};
use serde::Serialize;
use transport::tcp::LawName;
use transport::tcp::law::LawRow;
use transport::tcp::variants::VARIANTS;

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
    /// What they are, in the plural: "variants", "channels", ...
    pub name: &'static str,
    /// The entries, in the order of their registry.
    pub entries: Vec<Entry>,
}

const MACS: &[(&str, &str)] = &[(
    "dcf",
    "802.11 DCF with or without RTS/CTS: cells in which all hear all, or stations with places",
)];

/// Everything, by kind.
pub fn kinds() -> Vec<Kind> {
    let variant = |v: &transport::tcp::variants::Variant| Entry {
        name: v.name,
        about: format!("{} ({})", v.idea, v.paper),
    };
    let auto = Entry { name: AUTO.0, about: AUTO.1.to_owned() };
    vec![
        Kind { name: "variants", entries: VARIANTS.iter().map(variant).chain([auto]).collect() },
        kind("recoveries", RecoveryName::NAMES),
        Kind { name: "laws", entries: LawName::ROWS.iter().map(law).collect() },
        kind("transports", TransportName::NAMES),
        kind("apps", AppKind::NAMES),
        kind("codecs", CodecName::NAMES),
        kind("films", FilmName::NAMES),
        kind("macs", MACS),
        kind("phys", StandardName::NAMES),
        kind("rate_controls", RateControlName::NAMES),
        kind("channels", ChannelModelName::NAMES),
        kind("path_losses", PathLossName::NAMES),
        kind("receptions", ReceptionName::NAMES),
        kind("fecs", FecModelName::NAMES),
        kind("mobile_ip_presets", MobileIpPreset::NAMES),
        kind("measures", MeasureName::NAMES),
        kind("conventions", ConventionsName::NAMES),
    ]
}

fn law(row: &LawRow) -> Entry {
    Entry { name: row.name, about: format!("{} ({}, {})", row.idea, row.year, row.paper) }
}

fn kind(name: &'static str, names: &[(&'static str, &str)]) -> Kind {
    let entry = |&(name, about): &(&'static str, &str)| Entry { name, about: about.to_owned() };
    Kind { name, entries: names.iter().map(entry).collect() }
}

/// The same as JSON: `{"variants": [{"name": ..., "about": ...}, ...], ...}`, in the same order.
pub fn catalogue() -> String {
    let part = |kind: &Kind| {
        let entries = serde_json::to_string(&kind.entries).unwrap_or_default();
        format!("\"{}\":{entries}", kind.name)
    };
    format!("{{{}}}", kinds().iter().map(part).collect::<Vec<_>>().join(","))
}
