//! Agents and one mobile node on links that lose nothing, with delays that the test chooses.

use base::{NodeId, Purpose, Seed, Span, Time};
use mobileip::{Agent, AgentAction, Message, Mobile, MobileAction, Registration, Roles, Settings};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub const MOBILE: NodeId = NodeId(0);
pub const HOME: NodeId = NodeId(1);
pub const WEST: NodeId = NodeId(2);
pub const EAST: NodeId = NodeId(3);

/// Between the mobile node and agents in reach; between agents.
pub const AIR: Span = Span::millis(1);
pub const NETWORK: Span = Span::millis(10);

/// Tells which agents the mobile node reaches at a time.
pub type Reach = Box<dyn Fn(Time, NodeId) -> bool>;

pub struct Net {
    pub agents: Vec<Agent>,
    pub mobile: Mobile,
    pub reach: Reach,
    /// Messages: time, sender, message.
    pub said: Vec<(Time, NodeId, Message)>,
    pub registrations: Vec<Registration>,
    /// The mobile node's router from when on.
    pub routers: Vec<(Time, Option<NodeId>)>,
    under_way: BinaryHeap<Reverse<(Time, usize)>>,
    letters: Vec<(NodeId, NodeId, Message)>,
}

impl Net {
    /// `phases`: where in their periods the agents and the mobile node begin, from the seed.
    pub fn new(settings: Settings, seed: u64, reach: Reach) -> Net {
        let seed = Seed { seed, replication: 0 };
        let agent = |id: NodeId| {
            let foreign = id != HOME;
            let roles = Roles { home: !foreign, foreign, advertises: true };
            let rng = seed.stream(Purpose::Advertisement, u64::from(id.0));
            Agent::new(id, roles, settings.agent, rng)
        };
        let phase = seed.stream(Purpose::Solicitation, 0).unit();
        Net {
            agents: [HOME, WEST, EAST].map(agent).to_vec(),
            mobile: Mobile::new(MOBILE, HOME, settings.mobile, phase),
            reach,
            said: vec![],
            registrations: vec![],
            routers: vec![],
            under_way: BinaryHeap::new(),
            letters: vec![],
        }
    }

    pub fn home(&self) -> &Agent {
        &self.agents[0]
    }

    pub fn run_until(&mut self, end: Time) {
        loop {
            let letter = self.under_way.peek().map_or(Time::NEVER, |next| next.0.0);
            let agent = self.agents.iter().map(Agent::next_timeout).min().unwrap_or(Time::NEVER);
            let now = letter.min(agent).min(self.mobile.next_timeout());
            if now > end {
                return;
            }
            if now == letter {
                let Some(Reverse((_, index))) = self.under_way.pop() else { continue };
                let (from, to, message) = self.letters[index];
                self.arrive((from, to), message, now);
            } else if now == agent {
                let at = self.agents.iter().position(|agent| agent.next_timeout() == now);
                let mut out = vec![];
                self.agents[at.unwrap_or(0)].on_timeout(now, &mut out);
                self.say(self.agents[at.unwrap_or(0)].id(), out, now);
            } else {
                let mut out = vec![];
                self.mobile.on_timeout(now, &mut out);
                self.obey(out, now);
            }
        }
    }

    fn arrive(&mut self, (from, to): (NodeId, NodeId), message: Message, now: Time) {
        if to != MOBILE {
            let at = self.agents.iter().position(|agent| agent.id() == to).unwrap_or(0);
            let mut out = vec![];
            self.agents[at].on_message(message, now, &mut out);
            return self.say(to, out, now);
        }
        if !(self.reach)(now, from) {
            return;
        }
        let mut out = vec![];
        match message {
            Message::Advertisement(ad) => self.mobile.on_advertisement(&ad, now, &mut out),
            Message::Reply(reply) => self.mobile.on_reply(&reply, now, &mut out),
            _ => {}
        }
        self.obey(out, now);
    }

    fn say(&mut self, agent: NodeId, actions: Vec<AgentAction>, now: Time) {
        for action in actions {
            match action {
                AgentAction::Broadcast(message) => self.post((agent, MOBILE), message, now, AIR),
                AgentAction::OnLink(to, message) => self.post((agent, to), message, now, AIR),
                AgentAction::Send(to, message) => self.post((agent, to), message, now, NETWORK),
            }
        }
    }

    fn obey(&mut self, actions: Vec<MobileAction>, now: Time) {
        for action in actions {
            match action {
                MobileAction::Broadcast(message) => {
                    for to in [HOME, WEST, EAST] {
                        if (self.reach)(now, to) {
                            self.post((MOBILE, to), message, now, AIR);
                        }
                    }
                }
                MobileAction::OnLink(to, message) if (self.reach)(now, to) => {
                    self.post((MOBILE, to), message, now, AIR);
                }
                MobileAction::OnLink(_, message) => self.said.push((now, MOBILE, message)),
                MobileAction::Router(router) => self.routers.push((now, router)),
                MobileAction::Registered(registration) => self.registrations.push(registration),
            }
        }
    }

    fn post(&mut self, (from, to): (NodeId, NodeId), message: Message, now: Time, delay: Span) {
        self.said.push((now, from, message));
        self.letters.push((from, to, message));
        self.under_way.push(Reverse((now + delay, self.letters.len() - 1)));
    }
}
