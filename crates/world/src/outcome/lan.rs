//! What a run measured of shared wired LANs.

use super::reasons::by_reason;
use crate::air::Air;
use crate::element::Element;
use crate::network::Network;
use crate::plan::LanPlan;
use base::{StationId, Time};
use net::{Lan, QueueStats};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// One shared wired LAN.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LanOutcome {
    /// Its name.
    pub name: String,
    /// Share of the measured time for which frames were on it that came through, preambles included.
    pub utilisation: f64,
    /// Share of the measured time for which stations sent that collided.
    pub collision_share: f64,
    /// Collisions, however many stations took part in each.
    pub collisions: u64,
    /// Frames that a station sent one after the other, while others waited, before another had its turn: the mean; null where
    /// nobody ever waited for another.
    pub mean_run: Option<f64>,
}

/// One station of a shared wired LAN.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LanStationOutcome {
    /// Its LAN.
    pub lan: String,
    /// Its node.
    pub name: String,
    /// Times that it began to send.
    pub attempts: u64,
    /// Of these, that came through.
    pub successes: u64,
    /// Of these, that collided.
    pub collisions: u64,
    /// Frames that waited for others before their first attempt.
    pub deferrals: u64,
    /// Frames given up after the last attempt.
    pub given_up: u64,
    /// The most frames that it sent one after the other while others waited.
    pub longest_run: u64,
    /// Packets lost at it, of any flow and direction, by reason.
    pub packets_lost: BTreeMap<&'static str, u64>,
    /// Share of the measured time for which it sent.
    pub airtime_share: f64,
}

impl Network {
    /// The LANs of the plan, at work.
    fn lans(&self) -> impl Iterator<Item = (&LanPlan, &Element, &Lan)> {
        self.plan.lans.iter().zip(self.sites.of_lan()).filter_map(|(plan, id)| {
            let element = &self.elements[id.index()];
            let Air::Lan(lan) = &element.air else { return None };
            Some((plan, element, lan))
        })
    }

    pub(super) fn lan_outcomes(&self, end: Time, measured_s: f64) -> Vec<LanOutcome> {
        let outcome = |(plan, _, lan): (&LanPlan, &Element, &Lan)| {
            let stats = lan.stats_by(end);
            LanOutcome {
                name: plan.name.clone(),
                utilisation: stats.carrying.as_secs() / measured_s,
                collision_share: stats.colliding.as_secs() / measured_s,
                collisions: stats.collisions,
                mean_run: (stats.runs > 0).then(|| stats.contested as f64 / stats.runs as f64),
            }
        };
        self.lans().map(outcome).collect()
    }

    pub(super) fn lan_station_outcomes(
        &self,
        end: Time,
        measured_s: f64,
    ) -> Vec<LanStationOutcome> {
        let mut outcomes = Vec::new();
        for (plan, element, lan) in self.lans() {
            for (&node, i) in plan.stations.iter().zip(0..) {
                let station = StationId(i);
                let stats = lan.station_by(station, end);
                outcomes.push(LanStationOutcome {
                    lan: plan.name.clone(),
                    name: self.node_name(node).to_owned(),
                    attempts: stats.attempts,
                    successes: stats.successes,
                    collisions: stats.collisions,
                    deferrals: stats.deferrals,
                    given_up: stats.given_up,
                    longest_run: stats.longest_run,
                    packets_lost: by_reason(element.lost(station)).collect(),
                    airtime_share: stats.airtime.as_secs() / measured_s,
                });
            }
        }
        outcomes
    }

    /// The queues of all LANs by name.
    pub(super) fn lan_queues(&self, end: Time) -> impl Iterator<Item = (String, QueueStats)> {
        self.lans().flat_map(move |(plan, _, lan)| {
            plan.stations.iter().zip(0..).map(move |(&node, i)| {
                let name = format!("{}/{}", plan.name, self.node_name(node));
                (name, lan.queue_stats_by(StationId(i), end))
            })
        })
    }
}
