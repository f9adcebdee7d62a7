//! Records what probes and measures observe.

use crate::columns::Name;
use crate::journey::Journeys;
use crate::kinds::Kind;
use crate::measures::{ActiveMeasures, MeasureName, MeasuredOutcome};
use crate::probe::Close;
use crate::probes::{ActiveProbes, ProbeTables, Probes};
use crate::wanted::Wanted;
use base::Time;
use world::{Note, Plan};

/// Probes and measures at work in a run.
#[derive(Clone, Debug)]
pub struct Recorder {
    probes: ActiveProbes,
    has_probes: bool,
    wanted: Wanted,
    measures: ActiveMeasures,
    /// Packets on their way, where they are followed.
    journeys: Option<Journeys>,
}

impl Recorder {
    /// For a run of `plan`; `None` where nothing is on.
    pub fn start(probes: &Probes, measures: &[MeasureName], plan: &Plan) -> Option<Recorder> {
        let has_probes = !probes.names.is_empty();
        let follows = probes.names.iter().any(|probe| probe.follows())
            || measures.iter().any(|measure| measure.follows());
        (has_probes || !measures.is_empty()).then(|| Recorder {
            probes: ActiveProbes::start(&probes.names, plan, probes.step),
            has_probes,
            wanted: probes.wanted,
            measures: ActiveMeasures::start(measures, plan),
            journeys: follows.then(|| Journeys::new(plan)),
        })
    }

    /// True where it keeps tables, whose rows are in the order of the whole run.
    pub fn has_probes(&self) -> bool {
        self.has_probes
    }

    /// Results of the measures for the flow of this number.
    pub fn measured(&self, flow: usize) -> MeasuredOutcome {
        self.measures.of(flow)
    }

    /// The tables, with the names of flows, queues and nodes in the order of their numbers; `None` without probes.
    pub fn tables(
        self,
        flows: &[String],
        queues: &[String],
        nodes: &[String],
    ) -> Option<ProbeTables> {
        let under_way = self.journeys.iter().flat_map(Journeys::under_way);
        let kept = under_way.filter(|journey| self.wanted.keeps(journey.number));
        let under_way: Vec<_> = kept.copied().collect();
        let [flows, queues, nodes] = [flows, queues, nodes].map(Name::all);
        let (flows, queues, nodes) = (&flows[..], &queues[..], &nodes[..]);
        let close = Close { flows, queues, nodes, under_way: &under_way, wanted: self.wanted };
        self.has_probes.then(|| self.probes.tables(&close))
    }
}

impl engine::Watch<Note> for Recorder {
    fn see(&mut self, now: Time, note: &Note) {
        let kind = Kind::of(note);
        self.probes.see(now, note, kind);
        self.measures.see(now, note, kind);
        if Journeys::SEES.has(kind)
            && let Some((journey, end)) = self.journeys.as_mut().and_then(|all| all.on(now, note))
        {
            self.measures.on_end(now, &journey, end);
            if self.wanted.keeps(journey.number) {
                self.probes.on_end(now, &journey, end);
            }
        }
    }
}
