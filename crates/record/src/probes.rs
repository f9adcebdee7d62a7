//! The probes: a file and a row in the registry for each.

mod air;
mod airtime;
mod clusters;
mod cuts;
mod flows;
mod frames;
mod packets;
mod queue;
mod requests;
mod symbols;
mod tcp;

use crate::columns::{Cell, Column, Table};
use crate::journey::{End, Journey};
use crate::kinds::{Kind, Readers};
use crate::on_air::{OnAir, Settled};
use crate::probe::{Close, Tabulate};
use crate::wanted::Wanted;
use base::{Named, Span, Time, registry};
use engine::Watch;
use serde::Serialize;
use world::{Note, Plan};

registry! {
    /// Tables that can be recorded of a run.
    pub enum ProbeName, "probe",
    /// A probe at work.
    pub(crate) AnyProbe by probes {
        Tcp(tcp::TcpProbe) = "tcp": "the state of TCP senders, as `ss -ti` has it",
        Cuts(cuts::CutProbe) = "cuts": "window cuts and their causes",
        Queue(queue::QueueProbe) = "queue": "lengths of interface queues",
        Flows(flows::FlowProbe) = "flows": "rates, losses and delays of flows, a row for each step",
        Frames(frames::FrameProbe) = "frames": "use of each symbol of 802.16 frames",
        Symbols(symbols::SymbolProbe) = "symbols": "time of 802.16 frames by use, in each step",
        Requests(requests::RequestProbe) = "requests": "transmissions of 802.16 stations in contention, and whether they were received",
        Clusters(clusters::ClusterProbe) = "clusters": "positions of stations and the clusterhead of each cluster, at each election",
        Air(air::AirProbe) = "air": "the frames of 802.11 and of shared LANs, and the outcome of each",
        Airtime(airtime::AirtimeProbe) = "airtime": "time for which stations of 802.11 or of a shared LAN used the medium in each step, by purpose",
        Packets(packets::PacketProbe) = "packets": "a row for each packet: sent, received or lost, and where its time went",
    }
}

macro_rules! tables {
    ($($name:ident($module:ident::$probe:ident) = $text:literal: $idea:literal,)+) => {
        /// The tables of the probes that were on, each a row for a place in all its columns. Warm-up included.
        #[derive(Clone, Debug, Default, Serialize)]
        pub struct ProbeTables {
            $(#[doc = $idea]
            #[serde(rename = $text, skip_serializing_if = "Option::is_none")]
            pub $module: Option<<$module::$probe as Tabulate>::Table>,)+
        }

        impl ProbeTables {
            /// Shows each column of each table that there is, after the name of its probe.
            pub fn each_column(
                &self,
                see: &mut dyn FnMut(&'static str, &'static str, &mut dyn Iterator<Item = Cell<'_>>),
            ) {
                $(if let Some(table) = &self.$module {
                    table.each_column(&mut |column, cells| see($text, column, cells));
                })+
            }

            /// Puts the table of a probe in its place.
            fn close(&mut self, probe: AnyProbe, close: &Close<'_>) {
                match probe { $(AnyProbe::$name(probe) => self.$module = Some(probe.table(close)),)+ }
            }
        }
    };
}
probes!(rows tables);

impl AnyProbe {
    fn start(name: ProbeName, plan: &Plan, step: Option<Span>) -> AnyProbe {
        probes!(make name, Probe => Probe::start(plan, step))
    }
}

/// Shows a probe a note. Out of line: in one function with all others, what any of them reads is read for each.
#[inline(never)]
fn show(probe: &mut impl Watch<Note>, now: Time, note: &Note) {
    probe.see(now, note);
}

/// Tells the probes at these places what became of a frame.
fn settle(on: &mut [AnyProbe], places: &[usize], settled: &Settled) {
    for &place in places {
        probes!(each &mut on[place], probe => probe.on_settled(settled));
    }
}

impl ProbeName {
    /// The columns of its table.
    pub fn columns(self) -> &'static [Column] {
        probes!(of self, Probe => <Probe as Tabulate>::Table::COLUMNS)
    }

    /// Checks that the probe is possible in a run of `plan`.
    pub(crate) fn refuse(self, plan: &Plan, step: Option<Span>) -> Result<(), String> {
        probes!(of self, Probe => Probe::refuse(plan, step))
    }

    /// The notes that it is shown.
    fn sees(self) -> &'static [Kind] {
        probes!(of self, Probe => Probe::SEES)
    }

    /// True where it follows packets to the ends of their journeys.
    pub(crate) fn follows(self) -> bool {
        probes!(of self, Probe => Probe::FOLLOWS)
    }

    /// True where it needs the fates of frames on the air.
    fn settles(self) -> bool {
        probes!(of self, Probe => Probe::SETTLES)
    }
}

/// The probes at work.
#[derive(Clone, Debug, Default)]
pub(crate) struct ActiveProbes {
    on: Vec<AnyProbe>,
    readers: Readers,
    /// Frames on the air and the probes that need their fates, by place; `None` where there are none.
    air: Option<(OnAir, Vec<usize>)>,
}

impl ActiveProbes {
    pub fn start(names: &[ProbeName], plan: &Plan, step: Option<Span>) -> ActiveProbes {
        let on = || ProbeName::ALL.iter().filter(|name| names.contains(name));
        let settles: Vec<usize> =
            on().enumerate().filter(|(_, name)| name.settles()).map(|(place, _)| place).collect();
        ActiveProbes {
            air: (!settles.is_empty()).then(|| (OnAir::new(plan), settles)),
            on: on().map(|&name| AnyProbe::start(name, plan, step)).collect(),
            readers: Readers::new(on().map(|name| name.sees())),
        }
    }

    pub fn on_end(&mut self, now: Time, journey: &Journey, end: End) {
        for probe in &mut self.on {
            probes!(each probe, probe => probe.on_end(now, journey, end));
        }
    }

    pub fn tables(mut self, close: &Close<'_>) -> ProbeTables {
        if let Some((air, settles)) = &self.air {
            air.rest().for_each(|settled| settle(&mut self.on, settles, &settled));
        }
        let mut tables = ProbeTables::default();
        self.on.into_iter().for_each(|probe| tables.close(probe, close));
        tables
    }

    /// Shows a note to the probes that look at its kind.
    #[inline]
    pub fn see(&mut self, now: Time, note: &Note, kind: Kind) {
        if OnAir::SEES.has(kind)
            && let Some((air, settles)) = &mut self.air
            && let Some(settled) = air.see(note)
        {
            settle(&mut self.on, settles, &settled);
        }
        let on = &mut self.on;
        self.readers.each(kind, |at| probes!(each &mut on[at], probe => show(probe, now, note)));
    }
}

/// Probes that are on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Probes {
    /// Their names.
    pub names: Vec<ProbeName>,
    /// At most one row a flow or queue in each step of this length; `None`: each change, and of `flows` each second.
    pub step: Option<Span>,
    /// What is wanted of the tables.
    pub wanted: Wanted,
}

impl Probes {
    /// Checks that they are possible in a run of `plan`.
    ///
    /// # Errors
    /// Says what is wrong, and what is allowed.
    pub fn refuse(&self, plan: &Plan) -> Result<(), String> {
        self.names.iter().try_for_each(|name| name.refuse(plan, self.step))
    }
}

/// The columns of every probe's table, by its name.
pub fn tables() -> impl Iterator<Item = (&'static str, &'static [Column])> {
    ProbeName::ALL.iter().map(|probe| (probe.name(), probe.columns()))
}
