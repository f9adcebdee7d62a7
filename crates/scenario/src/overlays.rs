//! Documents of conventions and stacks, which are laid under a scenario: those that are shipped, and a user's own.

use crate::at::{At, Problem, Reason};
use crate::code::Code;
use crate::document::{self, LARGEST_TEXT};
use crate::error::Sources;
use crate::files::Files;
use crate::mismatch::Schema;
use crate::nearest::unknown;
use crate::retry_limits;
use crate::settings::{Laid, Set};
use crate::spec::{Conventions, ConventionsSpec, Layer, OverlaySpec, QosSpec};
use crate::units::BitRate;
use apps::{OnOffRules, OnTimesRules, VoiceRules};
use base::{Given, Named};
use net::{LanPreset, LanSettings, QueueRules};
use radio::{ChannelRules, FecSettings};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;
use transport::tcp::{LawName, TcpConfig};
use transport::udp::UdpConfig;
use wifi::mlme::AssociationSettings;
use wifi::phy::{Characteristics, PhySettings, StandardName};
use wifi::qos::{CategorySettings, QosSettings};
use wifi::{ErrorScope, MacSettings, MediumSettings};
use wimax::{ArqConfig, CellSettings, EntryConfig, Preset, SignalSettings};
use world::UpperSettings;

/// The text of each document that is shipped, by name.
const SHIPPED: [(&str, &str); 10] = [
    ("standard", include_str!("overlays/standard.toml")),
    ("ns2.35", include_str!("overlays/ns2.35.toml")),
    ("ns2.1b8", include_str!("overlays/ns2.1b8.toml")),
    ("ns2.1b7", include_str!("overlays/ns2.1b7.toml")),
    ("ns3", include_str!("overlays/ns3.toml")),
    ("linux", include_str!("overlays/linux.toml")),
    ("linux26", include_str!("overlays/linux26.toml")),
    ("802.16-nist", include_str!("overlays/802.16-nist.toml")),
    ("lan-ns2", include_str!("overlays/lan-ns2.toml")),
    ("lan-ns2-csma-ca", include_str!("overlays/lan-ns2-csma-ca.toml")),
];

/// Reads the shipped document of that name. Its places are none of a scenario's.
///
/// # Panics
/// Panics if there is none, which is a defect of lasthop.
fn shipped(name: &str) -> OverlaySpec {
    let Some((_, text)) = SHIPPED.iter().find(|row| row.0 == name) else {
        panic!("no document \"{name}\"")
    };
    document::right(text, &(0..0))
}

/// Returns the documents of a set of conventions, each over those before it.
fn documents(conventions: Conventions) -> &'static [&'static str] {
    match conventions {
        Conventions::Standard => &["standard"],
        Conventions::Ns235 | Conventions::Ns2 => &["standard", "ns2.35"],
        Conventions::Ns21b8 => &["standard", "ns2.35", "ns2.1b8"],
        Conventions::Ns21b7 => &["standard", "ns2.35", "ns2.1b7"],
        Conventions::Ns3 => &["standard", "ns3"],
    }
}

/// The documents under a scenario.
#[derive(Debug, Default)]
pub struct Overlays {
    /// The lowest first, each with its name.
    under_stack: Vec<(String, OverlaySpec)>,
    /// The documents above the stack of a variant, or a preset: the user's own that follow the last name.
    over_stack: Vec<(String, OverlaySpec)>,
    /// The stacks and presets in use, by name: each is read once.
    stacks: RefCell<BTreeMap<String, Rc<OverlaySpec>>>,
}

impl Overlays {
    /// Reads the documents that a scenario names; `schema` is the scenario's, which has their keys. Mistakes go to `problems`,
    /// at the place of the name.
    pub fn of(
        conventions: &At<ConventionsSpec>,
        (files, schema): (&Files, &Schema<'_>),
        problems: &mut Vec<Problem>,
    ) -> Overlays {
        let named = |name: &&str| ((*name).to_owned(), shipped(name));
        let standard = vec![named(&"standard")];
        let mut overlays = Overlays { under_stack: standard, ..Overlays::default() };
        for layer in &conventions.value.0 {
            // A name without a list has the place of the key's value.
            let place = if layer.place.is_empty() { &conventions.place } else { &layer.place };
            match &layer.value {
                Layer::Named(name) => {
                    overlays.under_stack.append(&mut overlays.over_stack);
                    overlays.under_stack.extend(documents(*name).iter().map(named));
                }
                Layer::File(name) => match own(name, place, files, schema) {
                    Ok(document) => overlays.over_stack.push((name.clone(), document)),
                    Err(reasons) => {
                        problems.extend(reasons.into_iter().map(|reason| reason.at(place.clone())));
                    }
                },
            }
        }
        overlays
    }

    /// Returns the settings of TCP with this law and the stack of its variant, before those of a scenario.
    pub fn tcp(&self, law: LawName, stack: Option<&str>) -> Set<TcpConfig> {
        let mut all = Set::default();
        self.each(stack, &mut |_, document| {
            tcp_of(document, law).for_each(|set| all.lay(set));
        });
        all
    }

    /// Returns the name of the document that gives a key of TCP's to a connection with this law and stack.
    pub fn source_tcp(&self, law: LawName, stack: Option<&str>, key: &str) -> Option<String> {
        let mut source = None;
        self.each(stack, &mut |name, document| {
            if tcp_of(document, law).any(|set| set.at(key).is_some()) {
                source = Some(name.to_owned());
            }
        });
        source
    }

    /// Returns the name of the document that gives a key, with this preset.
    pub fn source<S: Documented>(&self, preset: Option<&str>, key: &str) -> Option<String> {
        let mut source = None;
        self.each(preset, &mut |name, document| {
            if S::of(document).is_some_and(|set| set.at(key).is_some()) {
                source = Some(name.to_owned());
            }
        });
        source
    }

    /// Returns the rates among which a rate control chooses, and the document that lists them.
    pub fn rates(&self) -> Option<(String, At<Vec<At<BitRate>>>)> {
        let mut found = None;
        self.each(None, &mut |name, document| {
            let rates = document.phy.as_ref().and_then(|phy| phy.rates.clone());
            found = rates.map(|rates| (name.to_owned(), rates)).or(found.take());
        });
        found
    }

    /// Returns the settings in force where a scenario gives `own`.
    pub fn settled<S: Documented>(&self, own: &Set<S>) -> Settled<S> {
        let under = |preset| {
            let mut all = Set::default();
            self.each(preset, &mut |_, document| {
                S::of(document).into_iter().for_each(|set| S::lay(&mut all, set));
            });
            S::lay(&mut all, own);
            Settled { own: own.clone(), value: all.value(), all }
        };
        let plain = under(None);
        match plain.value.preset() {
            None => plain,
            preset => under(preset),
        }
    }

    /// Visits the documents' access categories, the lowest document first.
    pub fn each_qos(&self, visit: &mut dyn FnMut(&QosSpec)) {
        self.each(None, &mut |_, document| {
            document.qos.iter().for_each(|at| visit(&at.value));
        });
    }

    /// Visits the documents, the lowest first, with this stack or preset in its place.
    fn each(&self, stack: Option<&str>, visit: &mut dyn FnMut(&str, &OverlaySpec)) {
        self.under_stack.iter().for_each(|(name, document)| visit(name, document));
        if let Some(name) = stack {
            visit(name, &self.stack(name));
        }
        self.over_stack.iter().for_each(|(name, document)| visit(name, document));
    }

    /// Returns the stack of that name.
    fn stack(&self, name: &str) -> Rc<OverlaySpec> {
        let mut stacks = self.stacks.borrow_mut();
        Rc::clone(stacks.entry(name.to_owned()).or_insert_with(|| Rc::new(shipped(name))))
    }
}

/// Returns a document's settings of TCP with this law.
fn tcp_of(document: &OverlaySpec, law: LawName) -> impl Iterator<Item = &Set<TcpConfig>> {
    let of_law = document.law.get(law.name()).map(|at| &at.value);
    TcpConfig::of(document).into_iter().chain(of_law)
}

/// Settings of a part of a scenario, with the documents that give them.
#[derive(Clone, Debug)]
pub struct Settled<S> {
    own: Set<S>,
    all: Set<S>,
    /// The values in force.
    pub value: S,
}

impl<S: Documented> Settled<S> {
    /// Returns the place of one of these keys: the scenario's is at fault before that of a user's document.
    /// Shipped documents are correct.
    pub fn at(&self, keys: &[&str]) -> Option<&At<Given>> {
        let said = keys.iter().find_map(|key| self.own.at(key));
        let mut laid = keys.iter().filter_map(|key| self.all.at(key));
        said.or_else(|| laid.find(|at| !at.place.is_empty()))
    }
}

/// Reads a user's document, as if all of it were at this place, or returns all of its mistakes.
fn own(
    name: &str,
    place: &Range<usize>,
    files: &Files,
    schema: &Schema<'_>,
) -> Result<OverlaySpec, Vec<Reason>> {
    let text = files.text(name).map_err(|why| vec![why])?;
    if text.len() > LARGEST_TEXT {
        let size = text.len();
        let message = format!("{name}: {size} bytes; allowed: at most {LARGEST_TEXT}");
        return Err(vec![Code::OutOfRange.says(message)]);
    }
    let placed = |problem| Sources::new(name, text, &[]).in_file(problem);
    let document: OverlaySpec = document::table_by(text, schema)
        .map_err(|problems| problems.into_iter().map(placed).collect::<Vec<_>>())?;
    let twice = document.mac.as_ref().and_then(|mac| retry_limits::both_kinds(&mac.value));
    if let Some(problem) = twice {
        return Err(vec![placed(problem)]);
    }
    let strange = document.law.iter().find(|(law, _)| LawName::by_name(law).is_none());
    match strange {
        Some((law, at)) => Err(vec![placed(at.problem(unknown("law", law, &LawName::names())))]),
        None => Ok(document::right(text, place)),
    }
}

/// Settings that documents can give.
pub trait Documented: Laid {
    /// Returns a document's values of them.
    fn of(document: &OverlaySpec) -> Option<&Set<Self>>;

    /// Lays the values of one document over those of the ones below.
    fn lay(under: &mut Set<Self>, over: &Set<Self>) {
        under.lay(over);
    }

    /// Returns the document that they name themselves, by a preset.
    fn preset(&self) -> Option<&'static str> {
        None
    }

    /// Documents beside those of conventions, each with its case, that lists show.
    const SHOWN: &'static [(&'static str, &'static str)] = &[];

    /// Returns the values that code decides; the case "" is the default's.
    fn computed() -> Vec<(&'static str, Set<Self>)> {
        Vec::new()
    }
}

/// Returns the values in each case, such as "ns2", that are not the default.
fn cases<S: Documented>() -> Vec<(&'static str, Set<S>)> {
    let of = |&(case, name): &(&'static str, &str)| {
        let mut set = S::of(&shipped(name)).cloned().unwrap_or_default();
        if !DATED.contains(&(case, name)) {
            set.keep_changes();
        }
        (case, set)
    };
    S::computed().into_iter().chain(DATED.iter().chain(S::SHOWN).map(of)).collect()
}

const DATED: [(&str, &str); 3] =
    [("ns2", "ns2.35"), ("ns2.1b8", "ns2.1b8"), ("ns2.1b7", "ns2.1b7")];

/// Returns the settings of an 802.16 cell by a preset alone.
pub fn wimax_settings(preset: Preset) -> CellSettings {
    let settings = CellSettings { preset, ..CellSettings::default() };
    let document = settings.preset().map(shipped);
    document.as_ref().and_then(CellSettings::of).map_or(settings, Set::value)
}

/// Returns the constants of each standard that has others than the default.
fn by_standard() -> Vec<(&'static str, Set<PhySettings>)> {
    let of = |standard| {
        let standard = PhySettings { standard, ..PhySettings::default() }.standard();
        let Characteristics { slot, sifs, cw_min, cw_max, .. } = standard.characteristics();
        [
            ("slot", Given::Span(slot)),
            ("sifs", Given::Span(sifs)),
            ("cw_min", Given::Whole(u64::from(cw_min))),
            ("cw_max", Given::Whole(u64::from(cw_max))),
        ]
    };
    let default = of(PhySettings::default().standard);
    let case = |(case, standard): (&'static str, StandardName)| {
        let mut set = Set::default();
        for ((key, value), usual) in of(standard).into_iter().zip(&default) {
            if case.is_empty() || value != usual.1 {
                set.put(key, At { value, place: 0..0 });
            }
        }
        (case, set)
    };
    let names = [StandardName::A, StandardName::G, StandardName::Mixed];
    let others = names.map(|standard| (standard.name(), standard));
    [("", StandardName::Dsss)].into_iter().chain(others).map(case).collect()
}

/// Implements [`Laid`] and [`Documented`] for settings, by their table in a document.
macro_rules! laid {
    ($($type:ty: $document:ident => $set:expr $(, { $($more:item)+ })?;)+) => {$(
        impl Laid for $type {
            fn cases() -> Vec<(&'static str, Set<Self>)> {
                cases()
            }
        }

        impl Documented for $type {
            fn of($document: &OverlaySpec) -> Option<&Set<Self>> {
                $set
            }
            $($($more)+)?
        }
    )+};
}

laid! {
    TcpConfig: document => Some(&document.tcp.as_ref()?.value), {
        const SHOWN: &'static [(&'static str, &'static str)] = &[("linux-* variants", "linux")];
    };
    CellSettings: document => Some(&document.wimax.as_ref()?.settings), {
        fn preset(&self) -> Option<&'static str> {
            (self.preset == Preset::Nist).then_some("802.16-nist")
        }
        const SHOWN: &'static [(&'static str, &'static str)] = &[("preset = nist", "802.16-nist")];
    };
    LanSettings: document => document.lan.as_ref().map(|at| &at.value), {
        fn preset(&self) -> Option<&'static str> {
            match self.preset {
                LanPreset::Standard => None,
                LanPreset::Ns2 => Some("lan-ns2"),
                LanPreset::Ns2CsmaCa => Some("lan-ns2-csma-ca"),
            }
        }
        const SHOWN: &'static [(&'static str, &'static str)] = &[
            ("preset = ns2", "lan-ns2"),
            ("preset = ns2-csma-ca", "lan-ns2-csma-ca"),
        ];
    };
    PhySettings: document => Some(&document.phy.as_ref()?.settings), {
        fn computed() -> Vec<(&'static str, Set<Self>)> {
            by_standard()
        }
    };
    MacSettings: document => document.mac.as_ref().map(|at| &at.value), {
        fn lay(under: &mut Set<Self>, over: &Set<Self>) {
            under.lay(&retry_limits::in_attempts(under, over));
        }
    };
    QosSettings: document => Some(&document.qos.as_ref()?.value.settings);
    UpperSettings: document => document.cell.as_ref().map(|at| &at.value);
    MediumSettings: document => document.medium.as_ref().map(|at| &at.value);
    ErrorScope: document => Some(&document.channel.as_ref()?.scope);
    ChannelRules: document => Some(&document.channel.as_ref()?.rules);
    FecSettings: document => document.fec.as_ref().map(|at| &at.value);
    dsdv::Settings: document => document.routing.as_ref().map(|at| &at.value);
    QueueRules: document => document.queue.as_ref().map(|at| &at.value);
    UdpConfig: document => document.udp.as_ref().map(|at| &at.value);
    AssociationSettings: document => document.association.as_ref().map(|at| &at.value);
    mobileip::Rules: document => document.mobile_ip.as_ref().map(|at| &at.value);
    OnTimesRules: document => document.app.as_ref()?.on_times.as_ref().map(|at| &at.value);
    OnOffRules: document => document.app.as_ref()?.on_off.as_ref().map(|at| &at.value);
    VoiceRules: document => document.app.as_ref()?.voice.as_ref().map(|at| &at.value);
    ArqConfig: document => Some(&document.wimax.as_ref()?.arq.as_ref()?.settings);
    EntryConfig: document => Some(&document.wimax.as_ref()?.entry.as_ref()?.settings);
    SignalSettings: document => Some(&document.wimax.as_ref()?.signal.as_ref()?.settings);
}

impl Laid for CategorySettings {
    /// Returns no case: the defaults are those of each category, which its keys describe in words.
    fn cases() -> Vec<(&'static str, Set<Self>)> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests;
