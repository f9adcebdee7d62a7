//! Isolation: by what packets are told apart, and the load of hosts, which divides the turns of their flows (Hoiland-Jorgensen et
//! al. 2018, section III-B).

use crate::queue::ip_headers::IpHeader;
use base::Keyed;

/// The choices of `isolation`, as tc-cake spells them.
pub(super) const ISOLATIONS: &[&str] = &[
    "flowblind",
    "srchost",
    "dsthost",
    "hosts",
    "flows",
    "dual-srchost",
    "dual-dsthost",
    "triple-isolate",
];

/// The source and the destination of a packet, as numbers of hosts; 0 is nobody.
pub(super) type Ends = [u32; 2];

/// The ends that a header names.
pub(super) fn ends(header: Option<IpHeader>) -> Ends {
    header.map_or([0; 2], |header| [header.source.0 + 1, header.destination.0 + 1])
}

/// By what packets are told apart, and whose load counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Isolation {
    /// Flows have queues of their own; if not, those of the ends that count have.
    flows: bool,
    /// Source and destination tell packets apart.
    tells: [bool; 2],
    /// The load of source and destination divides the turns of their flows.
    pub divides: [bool; 2],
}

impl Isolation {
    /// By its place in [`ISOLATIONS`].
    pub fn at(place: f64) -> Isolation {
        let place = place as usize;
        let only = |flows, tells, divides| Isolation { flows, tells, divides };
        match place {
            0..4 => only(false, [place & 1 != 0, place & 2 != 0], [false; 2]),
            _ => only(true, [true; 2], [place & 1 != 0, place & 2 != 0]),
        }
    }

    /// The hash of the queue of a packet with these ends, of this conversation.
    pub fn hash(self, salt: Keyed, ends: Ends, conversation: u64) -> u64 {
        if self.flows {
            return salt.word(conversation);
        }
        let [source, destination] = [0, 1].map(|end| if self.tells[end] { ends[end] } else { 0 });
        salt.word(u64::from(source) << 32 | u64::from(destination))
    }
}

/// The number of flows that fill their queues, by source and by destination.
#[derive(Clone, Debug, Default)]
pub(super) struct Loads([Vec<u32>; 2]);

impl Loads {
    /// A flow begins to fill its queue, or no longer does.
    pub fn change(&mut self, ends: Ends, begins: bool) {
        for (loads, host) in self.0.iter_mut().zip(ends) {
            let host = host as usize;
            if loads.len() <= host {
                loads.resize(host + 1, 0);
            }
            loads[host] = if begins { loads[host] + 1 } else { loads[host].saturating_sub(1) };
        }
    }

    /// By how much the turn of a flow is divided: by the greater load of the ends that divide.
    pub fn of(&self, ends: Ends, divides: [bool; 2]) -> u32 {
        let load = |end: usize| self.0[end].get(ends[end] as usize).copied().unwrap_or(0);
        (0..2).filter(|&end| divides[end]).map(load).fold(1, u32::max)
    }
}
