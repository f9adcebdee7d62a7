//! Nodes that watch the connections that pass them: Snoop and M-TCP. The machines are `transport::proxy`'s;
//! here is the list of connections and their machines and places.

mod kind;
mod post;
mod record;

pub use record::{MtcpOutcome, SnoopOutcome};

use crate::cx::{Cx, Noting};
use crate::end::End;
use crate::event::Event;
use crate::plan::{GuardKind, Plan, ProxyKind, TransportPlan};
use base::{FlowId, NodeId, Time};
use engine::{Phase, Wake};
use kind::Counts;
use net::{Header, Packet, Segment};
use post::{Errand, Post};
use transport::proxy::{Fate, Orders};
use transport::tcp::OptionSize;

/// A flow that is watched over.
#[derive(Clone, Debug)]
struct Guard {
    kind: GuardKind,
    /// The places.
    at: Vec<NodeId>,
    flow: FlowId,
    mobile: End,
    /// The parts of a packet's size, beside the payload.
    header_bytes: u32,
    options: OptionSize,
    /// By connection of the flow: the number of its post.
    posts: Vec<Option<u32>>,
    /// Of machines that are no more.
    past: Counts,
    at_start: Counts,
}

impl Guard {
    fn bytes(&self, segment: &Segment) -> u32 {
        self.options.packet_bytes(self.header_bytes, segment)
    }
}

/// All that are watched over.
#[derive(Clone, Debug)]
pub(crate) struct Guards {
    guards: Vec<Guard>,
    /// By flow: its guard.
    of_flow: Vec<Option<u32>>,
    posts: Vec<Post>,
    /// Segments that the machine asked last wants to be sent, and their origin.
    orders: Orders,
}

impl Guards {
    /// `None`: nothing is watched over.
    pub fn new(plan: &Plan) -> Option<Guards> {
        let mut guards = Guards {
            guards: vec![],
            of_flow: vec![None; plan.flows.len()],
            posts: vec![],
            orders: Orders::default(),
        };
        for proxy in &plan.proxies {
            let ProxyKind::Guard(guard) = &proxy.kind else { continue };
            for &(flow, mobile) in &guard.flows {
                let TransportPlan::Tcp { config, .. } = &plan.flows[flow.index()].transport else {
                    continue;
                };
                guards.of_flow[flow.index()] = Some(guards.guards.len() as u32);
                guards.guards.push(Guard {
                    kind: guard.kind,
                    at: proxy.at.clone(),
                    flow,
                    mobile,
                    header_bytes: config.header_bytes,
                    options: config.option_size,
                    posts: vec![],
                    past: Counts::default(),
                    at_start: Counts::default(),
                });
            }
        }
        (!guards.guards.is_empty()).then_some(guards)
    }

    /// Puts in the agenda when base stations forget all.
    pub fn begin(plan: &Plan, cx: &mut Cx<impl Noting>) {
        for (number, proxy) in plan.proxies.iter().enumerate() {
            let ProxyKind::Guard(guard) = &proxy.kind else { continue };
            for &at in &guard.restarts {
                cx.schedule(at, Phase::Application, Event::ProxyRestart(number as u32));
            }
        }
    }

    /// A packet is at a node and about to go on; `agent`: over the link of this agent of Mobile IP. What becomes of it; its
    /// header may have changed.
    pub fn on_packet(
        &mut self,
        cx: &mut Cx<impl Noting>,
        (here, agent): (NodeId, Option<usize>),
        packet: &mut Packet,
    ) -> Option<(u32, Fate)> {
        let number = (*self.of_flow.get(packet.flow.index())?)?;
        let guard = &mut self.guards[number as usize];
        if !guard.at.contains(&here) {
            return None;
        }
        let to_mobile = End::receiving(packet.direction) == guard.mobile;
        let number = post_of(guard, &mut self.posts, number, packet);
        let post = &mut self.posts[number as usize];
        let Header::Tcp(mut segment) = packet.header else { return None };
        if post.socket.epoch != packet.socket.epoch {
            if packet.socket.epoch < post.socket.epoch {
                return None;
            }
            guard.past += post.renew(&guard.kind, packet.socket);
        }
        let (now, orders) = (cx.now, &mut self.orders);
        let fate = if to_mobile {
            if post.moves(here, guard.kind) {
                guard.past += post.renew(&guard.kind, packet.socket);
            }
            post.here = here;
            post.down = Some((*packet, agent));
            post.on_down(now, &mut segment)
        } else {
            if !post.is_at(here, guard.kind) {
                return None;
            }
            post.up = Some((*packet, here));
            post.on_up(now, &mut segment, orders)
        };
        if packet.header != Header::Tcp(segment) {
            let Header::Tcp(before) = packet.header else { return None };
            packet.bytes = packet.bytes + guard.bytes(&segment) - guard.bytes(&before);
            packet.header = Header::Tcp(segment);
        }
        arm(cx, post, number);
        Some((number, fate))
    }

    /// A packet did not get into a queue of a node.
    pub fn on_dropped(&mut self, now: Time, here: NodeId, packet: &Packet) {
        let Some(&Some(number)) = self.of_flow.get(packet.flow.index()) else { return };
        let guard = &self.guards[number as usize];
        let (Header::Tcp(segment), true) =
            (&packet.header, End::receiving(packet.direction) == guard.mobile)
        else {
            return;
        };
        let post = guard.posts.get(packet.socket.connection as usize).copied().flatten();
        if let Some(post) = post.map(|post| &mut self.posts[post as usize])
            && post.here == here
            && post.socket == packet.socket
        {
            post.on_dropped(now, segment);
        }
    }

    /// The timer of a post has come up.
    pub fn on_timer(&mut self, cx: &mut Cx<impl Noting>, number: u32) {
        let post = &mut self.posts[number as usize];
        match post.timer.wake(cx.now) {
            Wake::Stale => {}
            Wake::Later(at) => cx.schedule(at, Phase::Timer, Event::Proxy(number)),
            Wake::Fire => {
                post.on_timeout(cx.now, &mut self.orders);
                arm(cx, post, number);
            }
        }
    }

    /// The posts of connections whose mobile is this node.
    pub fn posts_of(&self, plan: &Plan, node: NodeId) -> Vec<u32> {
        let is_its = |guard: &&Guard| {
            let flow = &plan.flows[guard.flow.index()];
            node == if guard.mobile == End::Sink { flow.to } else { flow.from }
        };
        let posts = self.guards.iter().filter(is_its).flat_map(|guard| &guard.posts);
        posts.copied().flatten().collect()
    }

    /// The mobile of a post has left its base station.
    pub fn on_left(&mut self, cx: &mut Cx<impl Noting>, number: u32) {
        let post = &mut self.posts[number as usize];
        post.on_left(cx.now, &mut self.orders);
        arm(cx, post, number);
    }

    /// The nodes of a proxy forget all that they know.
    pub fn restart(&mut self, plan: &Plan, proxy: u32) {
        let proxy = &plan.proxies[proxy as usize];
        let ProxyKind::Guard(plan) = &proxy.kind else { return };
        for &(flow, _) in &plan.flows {
            let Some(number) = self.of_flow[flow.index()] else { continue };
            let guard = &mut self.guards[number as usize];
            for &post in guard.posts.iter().flatten() {
                let post = &mut self.posts[post as usize];
                let socket = post.socket;
                guard.past += post.renew(&guard.kind, socket);
            }
        }
    }

    /// The next packet that a machine wants to be sent.
    pub fn take(&mut self, now: Time, number: u32) -> Option<Errand> {
        let post = &self.posts[number as usize];
        let guard = &self.guards[post.guard as usize];
        post.take(now, &mut self.orders, |segment| guard.bytes(segment))
    }

    /// The warm-up is over.
    pub fn begin_measurement(&mut self, now: Time) {
        for guard in &mut self.guards {
            guard.at_start = counts(guard, &self.posts);
        }
        for post in &mut self.posts {
            post.kept.begin_measurement(now);
        }
    }
}

/// The post of a packet's connection, which may be new.
fn post_of(guard: &mut Guard, posts: &mut Vec<Post>, number: u32, packet: &Packet) -> u32 {
    let connection = packet.socket.connection as usize;
    if guard.posts.len() <= connection {
        guard.posts.resize(connection + 1, None);
    }
    *guard.posts[connection].get_or_insert_with(|| {
        posts.push(Post::new(number, &guard.kind, packet.socket));
        posts.len() as u32 - 1
    })
}

fn arm(cx: &mut Cx<impl Noting>, post: &mut Post, number: u32) {
    post.kept.set(cx.now, post.kept_now());
    let due = post.next_timeout();
    if let Some(at) = post.timer.set(due) {
        cx.schedule(at, Phase::Timer, Event::Proxy(number));
    }
}

/// Returns the counts of all machines of a flow from the beginning.
fn counts(guard: &Guard, posts: &[Post]) -> Counts {
    let mut sum = guard.past;
    for &post in guard.posts.iter().flatten() {
        sum += posts[post as usize].counts();
    }
    sum
}
