//! A mobility agent: a home agent, a foreign agent, or both.

use crate::config::AgentConfig;
use crate::message::{Advertisement, Code, Message, Reply, Request};
use crate::tables::{Binding, Pending, Table, Visitor};
use base::{NodeId, Rng, Span, Time};

/// Roles of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roles {
    /// True if it is the home agent of mobile nodes.
    pub home: bool,
    /// True if it accepts visitors: its address is a care-of address.
    pub foreign: bool,
    /// True if it has a link on which it advertises itself.
    pub advertises: bool,
}

/// Action that an agent requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentAction {
    /// To all on its link.
    Broadcast(Message),
    /// To a mobile node on its link.
    OnLink(NodeId, Message),
    /// To another agent, by the network.
    Send(NodeId, Message),
}

/// A mobility agent at work.
#[derive(Clone, Debug)]
pub struct Agent {
    id: NodeId,
    roles: Roles,
    config: AgentConfig,
    rng: Rng,
    next: Time,
    sequence: u16,
    /// As home agent: bindings of mobile nodes.
    bindings: Table<Binding>,
    /// As home agent: (mobile node, latest identification accepted).
    latest: Vec<(NodeId, u64)>,
    /// As foreign agent: visitors.
    visitors: Table<Visitor>,
    /// As foreign agent: requests passed on to home agents.
    pending: Table<Pending>,
}

/// The sequence number after 65535 (RFC 5944 section 2.3.2).
const AFTER_ROLLOVER: u16 = 256;

impl Agent {
    /// One that knows nobody. Its first advertisement comes within the longest interval, at a time that `rng` draws.
    pub fn new(id: NodeId, roles: Roles, config: AgentConfig, mut rng: Rng) -> Agent {
        let first = Span((rng.unit() * config.max_interval.0 as f64) as u64);
        let next = if roles.advertises { Time::ZERO + first } else { Time::NEVER };
        Agent {
            id,
            roles,
            config,
            rng,
            next,
            sequence: 0,
            bindings: Table::default(),
            latest: Vec::new(),
            visitors: Table::default(),
            pending: Table::default(),
        }
    }

    /// Its address.
    pub fn id(&self) -> NodeId {
        self.id
    }

    /// Time at which [`Agent::on_timeout`] is due.
    pub fn next_timeout(&self) -> Time {
        self.next
    }

    /// Advertises itself, and sets the next time.
    pub fn on_timeout(&mut self, now: Time, out: &mut Vec<AgentAction>) {
        let AgentConfig { min_interval, max_interval, .. } = self.config;
        let range = max_interval.0 - min_interval.0;
        self.next = now + min_interval + Span((self.rng.unit() * range as f64) as u64);
        out.push(AgentAction::Broadcast(self.advertisement()));
    }

    /// A message has come, from its link or by the network.
    pub fn on_message(&mut self, message: Message, now: Time, out: &mut Vec<AgentAction>) {
        match message {
            // To the asker alone, so that the rate of broadcasts is not the askers' to decide (RFC 5944 section 2.3).
            Message::Solicitation(mobile) if self.roles.advertises => {
                let answer = self.advertisement();
                out.push(AgentAction::OnLink(mobile, answer));
            }
            Message::Request(request) if request.home_agent == self.id && self.roles.home => {
                let reply = Message::Reply(self.register(&request, now));
                out.push(match request.care_of == self.id {
                    true => AgentAction::OnLink(request.mobile, reply),
                    false => AgentAction::Send(request.care_of, reply),
                });
            }
            Message::Request(request) if self.roles.foreign => self.relay(request, now, out),
            Message::Reply(reply) => self.relay_back(reply, now, out),
            _ => {}
        }
    }

    /// As home agent: the care-of address of a mobile node. `None`: it is not known to be away.
    pub fn care_of(&self, mobile: NodeId, now: Time) -> Option<NodeId> {
        self.bindings.get(mobile, now).map(|binding| binding.care_of)
    }

    /// As foreign agent: returns true if a mobile node is among its visitors.
    pub fn has_visitor(&self, mobile: NodeId, now: Time) -> bool {
        self.visitors.get(mobile, now).is_some()
    }

    fn advertisement(&mut self) -> Message {
        let sequence = self.sequence;
        self.sequence = if sequence == u16::MAX { AFTER_ROLLOVER } else { sequence + 1 };
        Message::Advertisement(Advertisement {
            agent: self.id,
            sequence,
            lifetime: self.config.advertisement_lifetime,
            registration_lifetime: self.config.registration_lifetime,
            foreign: self.roles.foreign,
        })
    }

    /// As home agent: grants, renews or ends a binding (RFC 5944 section 3.8.2).
    fn register(&mut self, request: &Request, now: Time) -> Reply {
        let &Request { mobile, care_of, identification, .. } = request;
        if !self.is_latest(mobile, identification) {
            return reply(request, Code::IdentificationMismatch, Span::ZERO);
        }
        let lifetime = request.lifetime.min(self.config.registration_lifetime);
        if lifetime == Span::ZERO || care_of == self.id {
            self.bindings.remove(mobile);
        } else {
            self.bindings.set(Binding { mobile, care_of, until: now + lifetime });
        }
        reply(request, Code::Accepted, lifetime)
    }

    /// Replay protection by timestamps (RFC 5944 section 5.7.1): a request counts if it is later than all before.
    fn is_latest(&mut self, mobile: NodeId, identification: u64) -> bool {
        match self.latest.iter_mut().find(|known| known.0 == mobile) {
            Some(known) if known.1 >= identification => false,
            Some(known) => {
                known.1 = identification;
                true
            }
            None => {
                self.latest.push((mobile, identification));
                true
            }
        }
    }

    /// As foreign agent: passes a request on, or refuses it (RFC 5944 section 3.7.2).
    fn relay(&mut self, request: Request, now: Time, out: &mut Vec<AgentAction>) {
        let longest = self.config.registration_lifetime;
        let refusal = match () {
            () if request.care_of != self.id => Some(Code::InvalidCareOf),
            () if request.lifetime > longest => Some(Code::LifetimeTooLong),
            () => None,
        };
        if let Some(code) = refusal {
            let reply = Message::Reply(reply(&request, code, longest));
            out.push(AgentAction::OnLink(request.mobile, reply));
            return;
        }
        let Request { mobile, identification, .. } = request;
        self.pending.set(Pending { mobile, identification, until: now + longest });
        out.push(AgentAction::Send(request.home_agent, Message::Request(request)));
    }

    /// As foreign agent: passes a reply on if it belongs to a request, and knows its visitor from now on (RFC 5944 section
    /// 3.7.3).
    fn relay_back(&mut self, reply: Reply, now: Time, out: &mut Vec<AgentAction>) {
        let Reply { mobile, identification, .. } = reply;
        let asked = self.pending.get(mobile, now);
        match asked {
            Some(pending) if pending.identification == identification => {
                self.pending.remove(mobile)
            }
            // An earlier request is still pending beside the latest.
            Some(pending) if pending.identification > identification => {}
            _ => return,
        }
        if reply.code == Code::Accepted {
            self.visitors.set(Visitor { mobile, until: now + reply.lifetime });
        }
        out.push(AgentAction::OnLink(mobile, Message::Reply(reply)));
    }
}

fn reply(request: &Request, code: Code, lifetime: Span) -> Reply {
    let &Request { mobile, home_agent, identification, .. } = request;
    Reply { mobile, home_agent, code, lifetime, identification }
}
