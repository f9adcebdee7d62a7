//! Proxies of all kinds over all media, in random scenarios: whatever is lost, whoever dies and wherever the mobile goes, bytes
//! come once and in order, packets are conserved, and nobody promises or acknowledges what is not so.

mod scenes;
mod stream;
mod witness;

use base::{FlowId, Seed, Span, Time};
use scenario::check;
use scenes::{Scene, scene};
use std::collections::BTreeMap;
use witness::Witness;
use world::{FlowOutcome, Outcome, Plan, World};

const SCENES: u64 = 350;

fn plan(scene: &Scene, overrides: &[&str]) -> Plan {
    let overrides: Vec<String> = overrides.iter().map(|&set| set.to_owned()).collect();
    let checked = check(&scene.text, "x.toml", &overrides);
    std::sync::Arc::unwrap_or_clone(
        checked.unwrap_or_else(|error| panic!("{error}\n{}", scene.text)).plan,
    )
}

fn seed(number: u64) -> Seed {
    Seed { seed: number, replication: 0 }
}

/// A flow's outcome by its number in the plan.
fn by_number<'a>(plan: &Plan, outcome: &'a Outcome) -> Vec<Option<&'a FlowOutcome>> {
    let legs = outcome.flows.iter().flat_map(|flow| {
        let split = flow.split.as_ref();
        let beyond = split.map(|split| &*split.beyond);
        let state = split.and_then(|split| split.state.as_deref());
        [Some(flow), beyond, state].into_iter().flatten()
    });
    let found: BTreeMap<&str, &FlowOutcome> = legs.map(|flow| (flow.name.as_str(), flow)).collect();
    plan.flows.iter().map(|flow| found.get(flow.name.as_str()).copied()).collect()
}

/// The reported numbers beside the observed ones.
struct Compared<'a> {
    seen: &'a Witness,
    faults: Vec<String>,
}

impl Compared<'_> {
    fn same(&mut self, (name, what): (&str, &str), told: u64, seen: u64) {
        if told != seen {
            self.faults.push(format!("{name}: {what}: {told} told, {seen} seen"));
        }
    }

    /// Packets, whoever sent them.
    fn packets(&mut self, flow: &FlowOutcome, number: usize) {
        let [data, acks] = self.seen.legs[number].counted;
        for (what, told, seen) in [
            ("sent", flow.packets_sent, data.sent),
            ("delivered", flow.packets_delivered, data.delivered),
            ("lost", flow.packets_lost.values().sum(), data.lost),
            ("acks sent", flow.acks_sent, acks.sent),
            ("acks lost", flow.acks_lost, acks.lost),
        ] {
            self.same((&flow.name, what), told, seen);
        }
    }

    /// Compares the bytes that a node holds, has lost and has not delivered.
    fn split(&mut self, (flow, number): (&FlowOutcome, usize), may_move: bool) {
        let leg = &self.seen.legs[number];
        let stream = self.seen.streams.iter().find(|one| one.has(FlowId(number as u32)));
        let Some(stream) = stream else {
            return self.same((&flow.name, "come out"), leg.fresh, leg.came());
        };
        let Some(split) = &flow.split else { return };
        let beyond = &self.seen.legs[stream.legs.beyond.index()];
        // A node whose state is under way has not heard all that has come to it.
        let held = leg.in_order().saturating_sub(beyond.in_order());
        let undelivered = split.undelivered_bytes.max(if may_move { held } else { 0 });
        for (what, told, seen) in [
            ("come out", leg.fresh, stream.delivered(beyond.in_order())),
            ("lost with the node", split.lost_bytes, stream.lost_measured),
            ("resets", split.resets, stream.resets),
            ("over the buffer", split.held_max_bytes.saturating_sub(stream.limit), 0),
            ("acknowledged and not delivered", undelivered, held),
        ] {
            self.same((&flow.name, what), told, seen);
        }
    }

    /// Compares the actions of a proxy that watches connections.
    fn guard(&mut self, flow: &FlowOutcome, number: usize) {
        let leg = &self.seen.legs[number];
        let suppressed = leg.counted[1].suppressed;
        if let Some(snoop) = &flow.snoop {
            self.same((&flow.name, "copies"), snoop.local_retransmissions, leg.copies);
            self.same((&flow.name, "suppressed"), snoop.suppressed_acks, suppressed);
        }
        if let Some(mtcp) = &flow.mtcp {
            // A window of zero may be lost on its way.
            self.same((&flow.name, "freezes"), mtcp.freezes.max(leg.withdrawn), mtcp.freezes);
        }
    }
}

/// Compares what a run tells with what was seen of it.
fn compare(plan: &Plan, outcome: &Outcome, seen: &mut Witness) {
    let p = outcome.packets;
    assert_eq!(p.made, p.delivered + p.dropped + p.in_flight);
    let mut all = Compared { seen, faults: vec![] };
    for (number, flow) in by_number(plan, outcome).into_iter().enumerate() {
        let Some(flow) = flow else { continue };
        all.packets(flow, number);
        let bytes = (flow.goodput_bps * outcome.measured_s / 8.0).round() as u64;
        all.same((&flow.name, "goodput"), bytes, all.seen.legs[number].fresh_measured);
        if flow.transport == "tcp" {
            all.split((flow, number), plan.cells.len() > 1);
            all.guard(flow, number);
        }
    }
    let faults = all.faults;
    seen.faults.extend(faults);
}

/// A scene that has been run, and what was seen of it.
fn witnessed(number: u64) -> (Scene, Witness) {
    let scene = scene(number);
    let plan = plan(&scene, &[]);
    let mut world = World::build(&plan, seed(number)).expect("it is connected");
    let mut witness = Witness::new(&plan);
    let end = Time::ZERO + plan.duration;
    world.run_watched(end, &mut witness);
    witness.advance(end);
    compare(&plan, &world.outcome(), &mut witness);
    (scene, witness)
}

#[test]
fn what_proxies_must_keep_they_keep() {
    let mut ran: BTreeMap<(&str, &str), u32> = BTreeMap::new();
    let mut wrong = String::new();
    for number in 0..SCENES {
        let (scene, seen) = witnessed(number);
        if !seen.faults.is_empty() {
            let text = if wrong.is_empty() { scene.text.as_str() } else { "" };
            let Scene { proxy, medium, .. } = scene;
            wrong += &format!("{text}scene {number}, {proxy} over {medium}: {:#?}\n", seen.faults);
        }
        let came: u64 = seen.legs.iter().map(|leg| leg.fresh).sum();
        *ran.entry((scene.proxy, scene.medium)).or_default() += u32::from(came > 20_000);
    }
    assert!(wrong.is_empty(), "{wrong}");
    // Each kind over each medium that it can have, several times, with something to carry.
    assert!(ran.len() == 19 && ran.values().all(|&times| times > 5), "{ran:?}");
}

/// A file comes to its end, whatever happens on its way, with all its bytes but those that a dead node had acknowledged.
#[test]
fn every_file_comes_to_its_end() {
    for number in 0..SCENES {
        let scene = scene(number);
        if scene.text.contains("across") {
            continue;
        }
        let size = 1 + number * 997 % 100_000;
        let app = format!("flow.first.app={{ kind = \"bulk\", size = \"{size} B\" }}");
        let plan = plan(&scene, &["duration=1000 s", "warmup=0 s", "tcp.rto_max=2 s", &app]);
        let mut world = World::build(&plan, seed(number)).expect("it is connected");
        let mut seen = Witness::new(&plan);
        // The other flow may go on for ever: step by step, until this one is done.
        let came = |seen: &Witness| match seen.streams.iter().find(|one| one.has(FlowId(0))) {
            Some(stream) => stream.settled(seen.legs[stream.legs.beyond.index()].in_order()),
            None => seen.legs[0].came(),
        };
        let mut at = 0;
        while came(&seen) < size && at < 1000 {
            at += 5;
            world.run_watched(Time::ZERO + Span::secs(at), &mut seen);
        }
        assert_eq!(came(&seen), size, "scene {number}, {} s\n{}", at, scene.text);
    }
}

/// Runs that are computed beside each other, in whatever order, are those that are computed alone.
#[test]
fn threads_change_nothing() {
    let short = |number: u64| {
        let plan = plan(&scene(number), &["duration=8 s"]);
        World::build(&plan, seed(number)).expect("it is connected")
    };
    let outcome = |number: u64| {
        let mut world = short(number);
        // In two steps, and the second by a fork: neither may show.
        world.run_until(Time::ZERO + Span::millis(3_210));
        let mut fork = world.clone();
        [&mut world, &mut fork].map(|world| {
            world.run();
            world.outcome()
        })
    };
    let alone: Vec<Outcome> = (0..42)
        .map(|number| {
            let mut world = short(number);
            world.run();
            world.outcome()
        })
        .collect();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3)
            .map(|thread| {
                scope.spawn(move || {
                    (0..42).filter(|n| n % 3 == thread).map(|n| (n, outcome(n))).collect::<Vec<_>>()
                })
            })
            .collect();
        for thread in threads {
            for (number, two) in thread.join().expect("it runs") {
                assert!(two.iter().all(|one| *one == alone[number as usize]), "scene {number}");
            }
        }
    });
}
