//! The probes: a file and a line in the registry for each.

use crate::columns::{Column, Table};
use crate::journey::{End, Journey};
use crate::probe::{Close, Tabulate};
use base::{Named, Span, Time, named};
use engine::Watch;
use schemars::JsonSchema;
use serde::Serialize;
use world::{Note, Plan};

macro_rules! probes {
    ($($variant:ident: $module:ident::$probe:ident = $name:literal: $idea:literal;)+) => {
        $(mod $module;)+
        $(use $module::$probe;)+

        named! {
            /// What can be written down of a run, as a table.
            pub enum ProbeName, "probe" { $($variant = $name: $idea,)+ }
        }

        /// The tables of the probes that were on, each a row for a place in all its columns. Warm-up included.
        #[derive(Clone, Debug, Default, Serialize, JsonSchema)]
        pub struct ProbeTables {
            $(#[doc = $idea]
            #[serde(rename = $name, skip_serializing_if = "Option::is_none")]
            pub $module: Option<<$probe as Tabulate>::Table>,)+
        }

        /// The probes at work.
        #[derive(Clone, Debug, Default)]
        pub(crate) struct ActiveProbes { $($module: Option<$probe>,)+ }

        impl ProbeName {
            /// The columns of its table.
            pub fn columns(self) -> &'static [Column] {
                match self { $(ProbeName::$variant => <<$probe as Tabulate>::Table as Table>::COLUMNS,)+ }
            }

            /// What is wrong with it in a run of `plan`.
            pub(crate) fn refuse(self, plan: &Plan, step: Option<Span>) -> Result<(), String> {
                match self { $(ProbeName::$variant => $probe::refuse(plan, step),)+ }
            }

            /// Whether it is told of the ends of packets' journeys.
            pub(crate) fn follows(self) -> bool {
                match self { $(ProbeName::$variant => $probe::FOLLOWS,)+ }
            }
        }

        impl ActiveProbes {
            pub fn start(names: &[ProbeName], plan: &Plan, step: Option<Span>) -> ActiveProbes {
                let is_on = |name| names.contains(&name);
                ActiveProbes { $($module: is_on(ProbeName::$variant).then(|| $probe::start(plan, step)),)+ }
            }

            pub fn on_end(&mut self, now: Time, journey: &Journey, end: End) {
                $(if let Some(probe) = &mut self.$module { probe.on_end(now, journey, end); })+
            }

            pub fn tables(self, close: &Close<'_>) -> ProbeTables {
                ProbeTables { $($module: self.$module.map(|probe| probe.table(close)),)+ }
            }
        }

        impl Watch<Note> for ActiveProbes {
            fn see(&mut self, now: Time, note: &Note) {
                $(if let Some(probe) = &mut self.$module { probe.see(now, note); })+
            }
        }
    };
}

probes! {
    Tcp: tcp::TcpProbe = "tcp": "the state of TCP senders, as `ss -ti` has it";
    Cuts: cuts::CutProbe = "cuts": "window cuts and their causes";
    Queue: queue::QueueProbe = "queue": "lengths of interface queues";
    Flows: flows::FlowProbe = "flows": "rates, losses and delays of flows, a row for each step";
    Frames: frames::FrameProbe = "frames": "what each symbol of 802.16 frames is for";
    Symbols: symbols::SymbolProbe = "symbols": "for how long 802.16 frames were for what, in each step";
    Requests: requests::RequestProbe = "requests": "what stations of 802.16 send in contention, and whether it is heard";
    Clusters: clusters::ClusterProbe = "clusters": "where stations are and who speaks for which cluster, at each election";
    Air: air::AirProbe = "air": "the frames of 802.11 and of shared LANs, and what became of each";
    Airtime: airtime::AirtimeProbe = "airtime": "for how long stations of 802.11 or of a shared LAN held the medium in each step, and what for";
    Packets: packets::PacketProbe = "packets": "a row for each packet: sent, received or lost, and where its time went";
}

/// Which probes are on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Probes {
    /// Their names.
    pub names: Vec<ProbeName>,
    /// At most one row a flow or queue in each step of this length; `None`: each change, and of `flows` each second.
    pub step: Option<Span>,
}

impl Probes {
    /// What is wrong with them for a run of `plan`.
    ///
    /// # Errors
    /// What is wrong, and what is allowed.
    pub fn refuse(&self, plan: &Plan) -> Result<(), String> {
        self.names.iter().try_for_each(|name| name.refuse(plan, self.step))
    }
}

/// The columns of every probe's table, by its name.
pub fn tables() -> impl Iterator<Item = (&'static str, &'static [Column])> {
    ProbeName::ALL.iter().map(|probe| (probe.name(), probe.columns()))
}
