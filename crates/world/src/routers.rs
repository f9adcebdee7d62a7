//! Routers at work (DSDV): one at each station, told of the updates that its station hears, and the ways that packets have by
//! what they know.
//!
//! A node's table is set as next hops of the topology for all nodes that flows name: to those of its own air by its router; to
//! others by the node where the way leaves the air, as ns-2's stations go by their base station. Where there is no way yet,
//! packets for a node of the same air wait, five for each destination, and what waits longest gives way (ns-2: `dsdv.cc`).

mod post;

use crate::cx::{Cx, Noting};
use crate::event::Event;
use crate::plan::Plan;
use crate::sites::Sites;
use base::{CellId, FlowId, NodeId, PacketId, Seed, StationId, outcome};
use dsdv::Update;
use engine::{Phase, Wake};
use net::{Datagram, Header, Packet, Routes};
use post::{Freed, Post};
use serde::Serialize;
use std::sync::Arc;

/// All routers.
#[derive(Clone, Debug)]
pub(crate) struct Routers {
    sites: Arc<Sites>,
    posts: Vec<Post>,
    /// By node: its router.
    of_node: Vec<Option<u32>>,
    /// The nodes that flows name.
    targets: Vec<NodeId>,
    /// The first flow number that is not a flow's of the plan.
    first_way: u32,
    /// The texts of updates under way, by the numbers that their packets carry.
    mail: Vec<Option<Update>>,
    counts: DsdvOutcome,
}

outcome! {
    /// Messages of routers since the measurement began.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
    pub struct DsdvOutcome {
        /// Updates with all that may be said.
        full_updates: u64 = "full routing updates";
        /// Updates with what is new.
        incremental_updates: u64 = "incremental routing updates";
        /// Network-layer bytes of both.
        update_bytes: u64 = "bytes of routing updates";
        /// The number of times that a station has heard one; each is for all that can.
        updates_heard: u64 = "routing updates heard";
        /// Updates that found no room in their station's queue.
        updates_lost: u64 = "routing updates lost";
        /// Packets that waited for a way.
        packets_waited: u64 = "packets that waited for a route" in "packets";
    }
}

/// An update on its way out.
pub(crate) struct Said {
    pub cell: CellId,
    pub from: StationId,
    pub way: FlowId,
    pub header: Header,
    pub bytes: u32,
}

impl Routers {
    /// Everybody at time zero; `None` where the plan has none.
    pub fn new(plan: &Plan, sites: &Arc<Sites>, seed: Seed) -> Option<Routers> {
        let settings = plan.routing.dsdv?;
        let mut targets: Vec<NodeId> = Vec::new();
        for flow in &plan.flows {
            for node in [flow.from, flow.to].into_iter().chain(flow.via.iter().copied()) {
                if !targets.contains(&node) {
                    targets.push(node);
                }
            }
        }
        let mut of_node = vec![None; plan.nodes.len()];
        let mut posts = Vec::new();
        let topology = plan.topology();
        for node in plan.routers() {
            if let Some(link) = sites.first_station_of(node) {
                of_node[node.index()] = Some(posts.len() as u32);
                let stand = (node, link);
                posts.push(Post::new(stand, settings, seed, (&topology, sites, &targets)));
            }
        }
        Some(Routers {
            sites: Arc::clone(sites),
            posts,
            of_node,
            targets,
            first_way: plan.flows.len() as u32,
            mail: Vec::new(),
            counts: DsdvOutcome::default(),
        })
    }

    /// Nobody knows anybody, so there are no ways over the air; the first timers are set.
    pub fn begin(&mut self, cx: &mut Cx<impl Noting>, routes: &mut Routes) {
        for who in 0..self.posts.len() {
            self.posts[who].join(routes, &self.sites);
            self.posts[who].set_ways(routes, &self.targets);
            self.arm(cx, who);
        }
    }

    fn arm(&mut self, cx: &mut Cx<impl Noting>, who: usize) {
        let post = &mut self.posts[who];
        if let Some(at) = post.timer.set(post.router.next_timeout()) {
            cx.schedule(at, Phase::Timer, Event::Routing(who as u32));
        }
    }

    /// A router's time has come: what it says, and whether ways have changed.
    pub fn on_timer(
        &mut self,
        cx: &mut Cx<impl Noting>,
        who: u32,
        routes: &mut Routes,
    ) -> (Vec<Said>, bool) {
        let index = who as usize;
        match self.posts[index].timer.wake(cx.now) {
            Wake::Stale => return (Vec::new(), false),
            Wake::Later(at) => {
                cx.schedule(at, Phase::Timer, Event::Routing(who));
                return (Vec::new(), false);
            }
            Wake::Fire => {}
        }
        let mut updates = Vec::new();
        let changes = self.posts[index].router.on_timeout(cx.now, &mut updates);
        self.arm(cx, index);
        let said = updates.into_iter().map(|update| self.say(who, update)).collect();
        (said, changes && self.posts[index].set_ways(routes, &self.targets))
    }

    /// Keeps an update's text, and gives its packet.
    fn say(&mut self, who: u32, update: Update) -> Said {
        let bytes = update.bytes();
        self.counts.update_bytes += u64::from(bytes);
        match update.is_full {
            true => self.counts.full_updates += 1,
            false => self.counts.incremental_updates += 1,
        }
        let free = self.mail.iter().position(Option::is_none);
        let number = free.unwrap_or_else(|| {
            self.mail.push(None);
            self.mail.len() - 1
        });
        self.mail[number] = Some(update);
        let (cell, from) = self.posts[who as usize].link;
        let datagram = Datagram { number: number as u64, len: bytes.saturating_sub(20) };
        let way = FlowId(self.first_way + who);
        Said { cell, from, way, header: Header::Udp(datagram), bytes }
    }

    fn take(&mut self, header: &Header) -> Option<Update> {
        let Header::Udp(datagram) = header else { return None };
        self.mail.get_mut(datagram.number as usize)?.take()
    }

    /// An update is lost at its own station.
    pub fn lose(&mut self, header: &Header) {
        if self.take(header).is_some() {
            self.counts.updates_lost += 1;
        }
    }

    /// A packet for all, with this header, has been heard at these stations. True where ways have changed.
    pub fn on_update(
        &mut self,
        cx: &mut Cx<impl Noting>,
        packet: &Packet,
        (cell, hearers): (CellId, &[StationId]),
        routes: &mut Routes,
    ) -> bool {
        let Some(update) = self.take(&packet.header) else { return false };
        let from = self.posts[(packet.flow.0 - self.first_way) as usize].node;
        let mut changes = false;
        for &station in hearers {
            let node = self.sites.node_of(cell, station);
            let Some(who) = self.of_node[node.index()].map(|who| who as usize) else { continue };
            self.counts.updates_heard += 1;
            if self.posts[who].router.on_update(from, &update, cx.now) {
                changes |= self.posts[who].set_ways(routes, &self.targets);
            }
            self.arm(cx, who);
        }
        changes
    }

    /// A packet for `to` has no way on from `here`: it waits, if it may; then the packet that it takes the place of is lost.
    pub fn keep(
        &mut self,
        cx: &mut Cx<impl Noting>,
        (here, to): (NodeId, NodeId),
        id: PacketId,
    ) -> Option<Option<PacketId>> {
        let who = self.of_node[here.index()]? as usize;
        let goal = self.targets.iter().position(|&target| target == to)?;
        let lost = self.posts[who].keep((goal, to), id, cx.now)?;
        self.counts.packets_waited += 1;
        self.arm(cx, who);
        Some(lost)
    }

    /// Packets that have waited and have a way now, in the order in which they came.
    pub fn freed(&mut self) -> Freed {
        let mut freed = Freed::new();
        for post in &mut self.posts {
            post.free(&mut freed);
        }
        freed
    }

    pub fn begin_measurement(&mut self) {
        self.counts = DsdvOutcome::default();
    }

    pub fn outcome(&self) -> DsdvOutcome {
        self.counts
    }
}
