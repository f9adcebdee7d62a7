//! Ways never lead in a circle, whatever is heard and whatever is lost.

use base::{NodeId, Purpose, Rng, Seed, Span, Time};
use dsdv::{Router, Settings};

const NODES: u32 = 8;

struct Net {
    routers: Vec<Router>,
    /// Links between routers, which change with time.
    joined: Vec<Vec<bool>>,
    rng: Rng,
}

impl Net {
    fn new(seed: u64) -> Net {
        let seed = Seed { seed, replication: 0 };
        let settings = Settings::default();
        let router =
            |i| Router::new(NodeId(i), settings, seed.stream(Purpose::Routing, u64::from(i)));
        let mut rng = seed.stream(Purpose::Mobility, 0);
        let mut joined = vec![vec![false; NODES as usize]; NODES as usize];
        for row in &mut joined {
            row.iter_mut().for_each(|one| *one = rng.chance(0.4));
        }
        Net { routers: (0..NODES).map(router).collect(), joined, rng }
    }

    /// The next router speaks, and a fifth of those who could hear it do not; now and then a link changes.
    fn step(&mut self) -> Time {
        let next = |routers: &[Router]| {
            let at = |i: &usize| routers[*i].next_timeout();
            (0..routers.len()).min_by_key(at).expect("there are routers")
        };
        let speaker = next(&self.routers);
        let (now, mut said) = (self.routers[speaker].next_timeout(), Vec::new());
        self.routers[speaker].on_timeout(now, &mut said);
        for update in &said {
            for hearer in 0..self.routers.len() {
                if hearer != speaker && self.joined[speaker][hearer] && !self.rng.chance(0.2) {
                    self.routers[hearer].on_update(NodeId(speaker as u32), update, now);
                }
            }
        }
        if self.rng.chance(0.05) {
            let (one, other) = (self.rng.below(NODES) as usize, self.rng.below(NODES) as usize);
            self.joined[one][other] ^= true;
        }
        now
    }

    /// The nodes on the way from one to another, as far as it leads.
    fn hops(&self, from: u32, to: u32) -> u32 {
        let (mut here, mut hops) = (from, 0);
        while let Some(next) = self.routers[here as usize].way(NodeId(to)).filter(|_| here != to) {
            (here, hops) = (next.0, hops + 1);
            assert!(hops < NODES, "in a circle from {from} to {to}");
        }
        hops
    }
}

#[test]
fn ways_never_lead_in_a_circle() {
    let mut longest = 0;
    for seed in 0..60 {
        let mut net = Net::new(seed);
        while net.step() < Time::ZERO + Span::secs(600) {
            for from in 0..NODES {
                for to in 0..NODES {
                    longest = longest.max(net.hops(from, to));
                }
            }
        }
    }
    assert!(longest > 3, "{longest} hops: nothing was tried");
}

#[test]
fn what_they_know_depends_on_the_seed_alone() {
    let known = |seed| {
        let mut net = Net::new(seed);
        while net.step() < Time::ZERO + Span::secs(300) {}
        let all =
            net.routers.iter().flat_map(|router| (0..NODES).map(|to| router.known(NodeId(to))));
        all.collect::<Vec<_>>()
    };
    assert_eq!(known(3), known(3));
    assert_ne!(known(3), known(4));
}
