//! The sentences about a limit.

use crate::limit::{Cause, Found, Kind, Limit, Subframe};
use crate::saying::{listed, rounded};
use crate::thresholds as at;

/// What limited flows that are alike: a sentence with the cause, and one with means over them.
pub fn sentence(found: &[Found], flows: Vec<String>) -> Option<Limit> {
    let (first, cause) = (found.first()?, found.first()?.cause?);
    let names = listed(&flows);
    let words = Words { first, found, many: flows.len() > 1 };
    let is = if words.many { "are" } else { "is" };
    Some(Limit {
        cause,
        at: first.at.clone(),
        what: format!("{names} {is} limited by {}.", words.cause(cause)),
        shown_by: words.shown_by(cause),
        flows,
    })
}

struct Words<'a> {
    first: &'a Found,
    found: &'a [Found],
    /// Several flows are told of.
    many: bool,
}

impl Words<'_> {
    /// The cause and its place, after "limited by".
    fn cause(&self, cause: Cause) -> String {
        let at = self.first.at.as_str();
        let its = self.its();
        let medium = &self.first.medium;
        match (cause, at.split_once('/')) {
            (Cause::Link, _) if self.first.is_shaped => {
                format!("the shaper of the link from {}", at.replace('>', " to "))
            }
            (Cause::Link, _) => format!("the link from {}", at.replace('>', " to ")),
            (Cause::Medium, _) if self.first.subframe.is_some() => self.subframe(),
            (Cause::Medium, Some((_, node))) => format!("{node}'s share of {medium}"),
            (Cause::Medium, None) if self.many => {
                format!("the shares of {medium} that their stations have")
            }
            (Cause::Medium, None) => format!("its own station's share of {medium}"),
            (Cause::Queue, place) => {
                let what = if self.first.managed { "the AQM" } else { "losses" };
                let whose = place.map_or_else(
                    || format!("the link from {}", at.replace('>', " to ")),
                    |(_, node)| node.to_owned(),
                );
                format!("{what} in the queue of {whose}")
            }
            (Cause::Radio, _) => "losses on the radio".to_owned(),
            (Cause::Loss, _) => "losses on a link".to_owned(),
            (Cause::Collisions, _) => "collisions".to_owned(),
            (Cause::Handoffs, _) => "handoffs".to_owned(),
            (Cause::Receiver, _) if self.many => "their receivers' windows".to_owned(),
            (Cause::Receiver, _) => "its receiver's window".to_owned(),
            (Cause::Application, _) if self.many => "their own applications".to_owned(),
            (Cause::Application, _) => format!("{its} own application"),
        }
    }

    /// The numbers, in a sentence or two.
    fn shown_by(&self, cause: Cause) -> String {
        let (share, wait) = (percent(self.mean(|f| f.share)), ms(self.mean(|f| f.wait_s)));
        let its = self.its();
        match cause {
            Cause::Link if self.first.is_shaped => {
                format!("Packets wait for it {share} of the time, {wait} each.{}", self.queues())
            }
            Cause::Link => {
                format!(
                    "It is busy {share} of the time, and a packet waits {wait} for it.{}",
                    self.queues()
                )
            }
            Cause::Medium if self.first.subframe.is_some() => {
                format!("{}{}", self.frames(&share, &wait), self.queues())
            }
            Cause::Medium => format!(
                "Packets wait there behind others {share} of the time, {wait} each{}.{}{}",
                self.air(),
                self.corrupted(),
                self.queues()
            ),
            Cause::Receiver => format!(
                "{share} of the time {} no room where congestion control would send more: some {} kB go in each round \
                 trip of {wait}{}.",
                if self.many { "they have" } else { "it has" },
                rounded(self.mean(|f| f.window) / 1e3, 2),
                self.way_back()
            ),
            Cause::Application if self.first.kind == Kind::Stream => {
                format!("{share} of the time all that was offered has been sent.")
            }
            Cause::Application if self.first.kind == Kind::Pages => {
                format!(
                    "{share} of the time {} for no page.",
                    if self.many { "their users wait" } else { "its user waits" }
                )
            }
            Cause::Application => {
                let lost = self.mean(|f| f.share);
                let lost = if lost > 0.0 { percent(lost) } else { "Nothing".to_owned() };
                format!("{lost} of what is sent is lost, and no interface on the way holds it up.")
            }
            _ if self.sum().1 > 0.0 => {
                let (part, all) = self.sum();
                let it = if cause == Cause::Queue && self.first.managed { "it" } else { "them" };
                format!(
                    "{part:.0} of {its} {all:.0} window cuts come from {it}, and no interface on the way is full."
                )
            }
            _ => {
                format!("{share} of the packets are lost so, and no interface on the way is full.")
            }
        }
    }

    /// A part of the frames of 802.16, with the station or the cell.
    fn subframe(&self) -> String {
        match (self.first.subframe, self.first.at.split_once('/')) {
            (Some(Subframe::Downlink), Some((_, node))) => format!("the downlink of {node}"),
            _ => format!("the uplink of {}", self.first.at),
        }
    }

    fn frames(&self, share: &str, wait: &str) -> String {
        let others = match self.first.subframe {
            Some(Subframe::Downlink) => "broadcasts",
            _ => "contention",
        };
        format!(
            "Bursts and {others} take {share} of its symbols, and a packet waits {wait} for it."
        )
    }

    /// Acknowledgements that take most of the round trip: a larger window would only make them wait longer.
    fn way_back(&self) -> String {
        let back = self.mean(|f| f.back_s);
        if back < at::DOMINATES * self.mean(|f| f.wait_s) {
            return String::new();
        }
        format!(", of which {} acknowledgements take {} on their way back", self.its(), ms(back))
    }

    /// The part that queues have in window cuts by what they drop and mark, where they cause most.
    fn queues(&self) -> String {
        let (part, all) = self.sum();
        if all < at::CUTS || part < at::DOMINATES * all {
            return String::new();
        }
        format!(" Queues caused {part:.0} of {} {all:.0} window cuts.", self.its())
    }

    /// What the channel corrupts, where it is much.
    fn corrupted(&self) -> String {
        let share = self.mean(|f| f.corrupted);
        if share < at::NOISY {
            return String::new();
        }
        let (share, place) = (percent(share), self.first.at.split_once('/'));
        let whose = place.map_or(
            if self.many { "they send" } else { "the station sends" }.to_owned(),
            |(_, node)| format!("{node} sends"),
        );
        format!(" The channel corrupts {share} of what {whose}.")
    }

    fn air(&self) -> String {
        if self.found.iter().any(|f| f.air.is_none()) {
            return String::new();
        }
        let busy = percent(self.mean(|f| f.air.map_or(0.0, |air| air.1)));
        let own = percent(self.mean(|f| f.air.map_or(0.0, |air| air.0)));
        match (self.many, self.first.at.split_once('/')) {
            (_, Some((_, node))) => {
                format!("; {node} holds the air {own} of the time, in a cell that is busy {busy}")
            }
            (false, None) => format!(
                "; the station holds the air {own} of the time, in a cell that is busy {busy}"
            ),
            (true, None) => {
                format!("; each holds the air {own} of the time, in a cell that is busy {busy}")
            }
        }
    }

    fn its(&self) -> &'static str {
        if self.many { "their" } else { "its" }
    }

    fn mean(&self, of: impl Fn(&Found) -> f64) -> f64 {
        self.found.iter().map(of).sum::<f64>() / self.found.len() as f64
    }

    /// The window cuts by the cause, and all.
    fn sum(&self) -> (f64, f64) {
        self.found.iter().fold((0.0, 0.0), |sum, f| (sum.0 + f.cuts.0, sum.1 + f.cuts.1))
    }
}

/// A share as people read it, two digits.
fn percent(share: f64) -> String {
    format!("{} %", rounded(100.0 * share, 2))
}

fn ms(seconds: f64) -> String {
    format!("{} ms", rounded(1e3 * seconds, 2))
}
