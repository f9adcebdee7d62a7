//! A mobile node: finds agents, notices when it has lost its own, and keeps itself registered.

use crate::config::{Detection, Expiry, MobileConfig, Renewal, RouterRule, Solicits};
use crate::message::{Advertisement, Code, Message, Reply, Request};
use crate::record::{Registration, Trigger};
use base::{NodeId, Span, Time};

/// Action that a mobile node requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MobileAction {
    /// Send to all on its link.
    Broadcast(Message),
    /// Send to an agent on its link.
    OnLink(NodeId, Message),
    /// Packets go by this agent from now on; `None`: by nobody.
    Router(Option<NodeId>),
    /// It has registered with a new agent.
    Registered(Registration),
}

/// An agent that has been heard.
#[derive(Clone, Copy, Debug)]
struct KnownAgent {
    agent: NodeId,
    at: Time,
    until: Time,
    registration_lifetime: Span,
}

/// A request without an answer.
#[derive(Clone, Copy, Debug)]
struct Asked {
    identification: u64,
    lifetime: Span,
    wait: Span,
}

/// A search under way, as its moments.
#[derive(Clone, Copy, Debug)]
struct Search {
    trigger: Trigger,
    last_heard: Option<Time>,
    left: Time,
    requested: Time,
}

/// A mobile node at work.
#[derive(Clone, Debug)]
pub struct Mobile {
    id: NodeId,
    home_agent: NodeId,
    config: MobileConfig,
    /// Agents that count, the one heard last in front.
    heard: Vec<KnownAgent>,
    /// The agent that it has chosen.
    current: Option<NodeId>,
    router: Option<NodeId>,
    search: Search,
    /// True if it is registered with the agent that it has chosen.
    settled: bool,
    /// The agent that it is registered with, or was last, and when it no longer is.
    registered: Option<(NodeId, Time)>,
    asked: Option<Asked>,
    /// Solicitations sent in this search.
    solicited: u32,
    // When it acts if nothing comes.
    check_at: Time,
    solicit_at: Time,
    retransmit_at: Time,
    renew_at: Time,
}

/// Number of solicitations before their interval doubles (RFC 5944 section 2.4).
const INITIAL_SOLICITATIONS: u32 = 3;

impl Mobile {
    /// One that knows no agent and looks for one. `phase`, from 0 to 1, says where in its first period it begins to
    /// ask, so that nodes do not ask together.
    pub fn new(id: NodeId, home_agent: NodeId, config: MobileConfig, phase: f64) -> Mobile {
        let first = match (config.solicits, config.expiry) {
            (Solicits::Backoff(interval, _), _) => interval,
            (Solicits::Every(_), Expiry::Check(period)) => period,
            (Solicits::Every(interval), Expiry::Lifetime) => interval,
        };
        let check_at = match config.expiry {
            Expiry::Check(period) => Time::ZERO + period,
            Expiry::Lifetime => Time::NEVER,
        };
        let zero = Time::ZERO;
        Mobile {
            id,
            home_agent,
            config,
            heard: Vec::new(),
            current: None,
            router: None,
            search: Search {
                trigger: Trigger::Start,
                last_heard: None,
                left: zero,
                requested: zero,
            },
            settled: false,
            registered: None,
            asked: None,
            solicited: 0,
            check_at,
            solicit_at: zero + Span((phase * first.0 as f64) as u64),
            retransmit_at: Time::NEVER,
            renew_at: Time::NEVER,
        }
    }

    /// Its home address.
    pub fn id(&self) -> NodeId {
        self.id
    }

    /// True where it is registered with the agent that it has chosen.
    pub fn is_settled(&self) -> bool {
        self.settled
    }

    /// Time at which [`Mobile::on_timeout`] is due, if nothing comes in between.
    pub fn next_timeout(&self) -> Time {
        let expiry = match self.config.expiry {
            Expiry::Lifetime => self.heard.iter().map(|heard| heard.until).min(),
            Expiry::Check(_) => Some(self.check_at),
        };
        let ends = self.registered.map(|(_, until)| until);
        let others = [self.solicit_at, self.retransmit_at, self.renew_at];
        others.into_iter().chain(expiry).chain(ends).min().unwrap_or(Time::NEVER)
    }

    /// A moment named by [`Mobile::next_timeout`] has come.
    pub fn on_timeout(&mut self, now: Time, out: &mut Vec<MobileAction>) {
        self.forget_silent(now, out);
        if self.registered.is_some_and(|(_, until)| until <= now) {
            self.end_registration(out);
        }
        if self.retransmit_at <= now || self.renew_at <= now {
            self.ask(now, out);
        }
        if self.solicit_at <= now {
            self.solicit(now, out);
        }
    }

    /// An agent is heard.
    pub fn on_advertisement(&mut self, ad: &Advertisement, now: Time, out: &mut Vec<MobileAction>) {
        if !ad.foreign && ad.agent != self.home_agent {
            return;
        }
        let known = self.heard.iter().position(|heard| heard.agent == ad.agent);
        if let Some(at) = known {
            self.heard.remove(at);
        }
        self.heard.insert(
            0,
            KnownAgent {
                agent: ad.agent,
                at: now,
                until: now + ad.lifetime,
                registration_lifetime: ad.registration_lifetime,
            },
        );
        if self.settled && self.current == Some(ad.agent) {
            self.search.last_heard = Some(now);
        }
        let is_new = known.is_none() && self.config.detection == Detection::Eager;
        match self.current {
            Some(current) if current == ad.agent => {
                if self.config.renewal == Renewal::EachAdvertisement {
                    self.ask(now, out);
                }
            }
            None => self.choose(ad.agent, now, out),
            Some(_) if ad.agent == self.home_agent && self.config.home_first => {
                self.leave(Trigger::Home, now);
                self.choose(ad.agent, now, out);
            }
            Some(_) if is_new => {
                self.leave(Trigger::NewAgent, now);
                self.choose(ad.agent, now, out);
            }
            Some(_) => {}
        }
    }

    /// The answer to a request has come.
    pub fn on_reply(&mut self, reply: &Reply, now: Time, out: &mut Vec<MobileAction>) {
        let Some(asked) = self.asked.filter(|asked| self.answers(reply, asked)) else { return };
        match (reply.code, self.current) {
            (Code::Accepted, Some(agent)) => self.accept((agent, asked), reply, now, out),
            (Code::LifetimeTooLong, Some(agent)) => {
                let own = self.heard.iter_mut().find(|heard| heard.agent == agent);
                if let Some(heard) =
                    own.filter(|heard| heard.registration_lifetime > reply.lifetime)
                {
                    heard.registration_lifetime = reply.lifetime;
                    self.ask(now, out);
                }
            }
            // Asked again when the wait is over.
            _ => {}
        }
    }

    /// The RFC takes answers to the latest request only (section 3.6.2).
    fn answers(&self, reply: &Reply, asked: &Asked) -> bool {
        let id = reply.identification;
        let any = self.config.any_reply && id >= self.search.requested.0;
        id == asked.identification || any && id < asked.identification
    }

    /// Its link layer has joined another access point.
    pub fn on_link(&mut self, now: Time, out: &mut Vec<MobileAction>) {
        if self.config.link_trigger {
            self.heard.clear();
            self.leave(Trigger::Link, now);
            if self.config.router == RouterRule::Registered {
                self.set_router(None, out);
            }
            (self.solicit_at, self.solicited) = (now, 0);
            self.solicit(now, out);
        }
    }

    // Agents.

    /// Forgets agents that have not been heard for too long; goes to another if its own is among them.
    fn forget_silent(&mut self, now: Time, out: &mut Vec<MobileAction>) {
        match self.config.expiry {
            Expiry::Lifetime => self.heard.retain(|heard| heard.until > now),
            Expiry::Check(period) if self.check_at <= now => {
                self.check_at = now + period;
                self.heard.retain(|heard| heard.at + period >= now);
            }
            Expiry::Check(_) => {}
        }
        let Some(current) = self.current else { return };
        if self.heard.iter().any(|heard| heard.agent == current) {
            return;
        }
        self.leave(Trigger::Lost, now);
        if self.config.router == RouterRule::Registered {
            self.set_router(None, out);
        }
        match self.heard.first() {
            Some(&KnownAgent { agent, .. }) => self.choose(agent, now, out),
            None => (self.solicit_at, self.solicited) = (now, 0),
        }
    }

    /// It no longer counts on its agent.
    fn leave(&mut self, trigger: Trigger, now: Time) {
        self.current = None;
        if std::mem::take(&mut self.settled) {
            (self.search.trigger, self.search.left) = (trigger, now);
        }
        (self.asked, self.retransmit_at) = (None, Time::NEVER);
        self.renew_at = Time::NEVER;
    }

    fn choose(&mut self, agent: NodeId, now: Time, out: &mut Vec<MobileAction>) {
        self.current = Some(agent);
        (self.solicit_at, self.solicited) = (Time::NEVER, 0);
        self.search.requested = now;
        if self.config.router == RouterRule::Chosen {
            self.set_router(Some(agent), out);
        }
        self.ask(now, out);
    }

    fn solicit(&mut self, now: Time, out: &mut Vec<MobileAction>) {
        out.push(MobileAction::Broadcast(Message::Solicitation(self.id)));
        self.solicited += 1;
        let wait = match self.config.solicits {
            Solicits::Every(interval) => interval,
            Solicits::Backoff(interval, longest) => {
                let doublings = self.solicited.saturating_sub(INITIAL_SOLICITATIONS).min(32);
                Span(interval.0.saturating_mul(1 << doublings)).min(longest)
            }
        };
        self.solicit_at = now + wait;
    }

    // Registrations.

    /// Asks to be registered with its agent: for the first time, again for want of an answer, or to renew.
    fn ask(&mut self, now: Time, out: &mut Vec<MobileAction>) {
        (self.retransmit_at, self.renew_at) = (Time::NEVER, Time::NEVER);
        let Some(agent) = self.current else { return };
        let offered = self.heard.iter().find(|heard| heard.agent == agent);
        let longest = offered.map_or(self.config.lifetime, |heard| heard.registration_lifetime);
        let is_home = agent == self.home_agent;
        let lifetime = if is_home { Span::ZERO } else { self.config.lifetime.min(longest) };
        let wait = match self.asked {
            Some(asked) if self.config.retransmit_backoff => {
                // No more than the lifetime lies between two requests (RFC 5944 section 3.6.3).
                Span(2 * asked.wait.0).min(longest.max(self.config.retransmit))
            }
            _ => self.config.retransmit,
        };
        let identification = now.0;
        self.asked = Some(Asked { identification, lifetime, wait });
        self.retransmit_at = now + wait;
        out.push(MobileAction::OnLink(
            agent,
            Message::Request(Request {
                mobile: self.id,
                home_agent: self.home_agent,
                care_of: agent,
                lifetime,
                identification,
            }),
        ));
    }

    fn accept(
        &mut self,
        (agent, asked): (NodeId, Asked),
        &Reply { lifetime, identification, .. }: &Reply,
        now: Time,
        out: &mut Vec<MobileAction>,
    ) {
        let granted = lifetime.min(asked.lifetime);
        // The lifetime began when the request was sent (RFC 5944 section 3.6.2).
        let sent = Time(identification);
        let is_home = agent == self.home_agent;
        // A reply may come later than half of it, or all, is over.
        let until = if is_home { Time::NEVER } else { (sent + granted).max(now) };
        let before = self.registered.replace((agent, until)).map(|(agent, _)| agent);
        (self.asked, self.retransmit_at) = (None, Time::NEVER);
        if self.config.renewal == Renewal::HalfLife && !is_home {
            self.renew_at = (sent + Span(granted.0 / 2)).max(now);
        }
        if !std::mem::replace(&mut self.settled, true) {
            out.push(MobileAction::Registered(self.record((before, agent), now)));
        }
        self.set_router(Some(agent), out);
        let heard = self.heard.iter().find(|heard| heard.agent == agent).map(|heard| heard.at);
        self.search.last_heard = heard.or(Some(now));
    }

    fn record(&self, (from, to): (Option<NodeId>, NodeId), now: Time) -> Registration {
        let Search { trigger, last_heard, left, requested } = self.search;
        let trigger = if from.is_none() { Trigger::Start } else { trigger };
        let left = if from.is_none() { requested } else { left };
        Registration {
            mobile: self.id,
            from,
            to,
            trigger,
            last_heard: last_heard.unwrap_or(left),
            left,
            requested,
            registered: now,
        }
    }

    /// Nobody has answered, and what was granted is over.
    fn end_registration(&mut self, out: &mut Vec<MobileAction>) {
        if let Some((_, until)) = &mut self.registered {
            *until = Time::NEVER;
        }
        if self.config.router == RouterRule::Registered {
            self.set_router(None, out);
        }
    }

    fn set_router(&mut self, router: Option<NodeId>, out: &mut Vec<MobileAction>) {
        if self.router != router {
            self.router = router;
            out.push(MobileAction::Router(router));
        }
    }
}
