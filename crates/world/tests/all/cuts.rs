//! Every window cut has its cause, known from what became of the segments.

use crate::support::{bulk, cell, duplex, gilbert_elliott, plan, saturated};
use base::{Seed, Span, Time};
use net::QueueLimit;
use std::sync::Arc;
use transport::tcp::law::LawName;
use transport::tcp::{EcnMode, Recovery, TcpConfig};
use world::{CutCause, Note, Plan, World};

/// One flow from 0 to 1 and a link with room for everything.
fn wire(config: TcpConfig, seconds: u64) -> Plan {
    let mut plan = plan(2, seconds);
    duplex(&mut plan, (0, 1), 10_000_000, Span::millis(20), QueueLimit::Unlimited);
    bulk(&mut plan, (0, 1), config);
    plan
}

fn config(recovery: Recovery) -> TcpConfig {
    TcpConfig { receive_window: 40_000, ..TcpConfig::standard(recovery, LawName::Reno) }
}

/// The causes of flow 0 that are not zero; the notes agree with them.
fn causes(plan: &Plan) -> Vec<(&'static str, u64)> {
    let mut world = World::build(plan, Seed { seed: 1, replication: 0 }).expect("it is connected");
    let mut notes: Vec<(Time, Note)> = vec![];
    world.run_watched(Time::ZERO + plan.duration, &mut notes);
    let counts = world.outcome().flows[0].sender.window_cuts.clone();
    let measured = notes.iter().filter(|note| note.0 > Time::ZERO + plan.warmup);
    let noted = measured.filter(|(_, n)| matches!(n, Note::WindowCut { flow, .. } if flow.0 == 0));
    assert_eq!(noted.count() as u64, counts.iter().map(|count| count.1).sum::<u64>());
    counts.iter().filter(|count| count.1 > 0).collect()
}

const ALL: [Recovery; 5] =
    [Recovery::Tahoe, Recovery::Reno, Recovery::NewReno, Recovery::Sack, Recovery::RackTlp];

#[test]
fn without_losses_there_are_no_cuts() {
    for recovery in ALL {
        assert_eq!(causes(&wire(config(recovery), 5)), []);
    }
}

#[test]
fn a_segment_on_a_drop_list_is_one_cut() {
    for recovery in ALL {
        let mut plan = wire(config(recovery), 5);
        plan.links[0].drop_lists = vec![(0, vec![100])];
        assert_eq!(causes(&plan), [("drop_list", 1)], "{recovery:?}");
    }
}

#[test]
fn a_retransmission_that_is_lost_too_is_another() {
    let mut plan = wire(config(Recovery::NewReno), 5);
    // The handshake is the first; the retransmission comes a round trip later, after a window of others.
    plan.links[0].drop_lists = vec![(0, vec![100])];
    let mut world = World::build(&plan, Seed { seed: 1, replication: 0 }).expect("connected");
    let mut notes: Vec<(Time, Note)> = vec![];
    world.run_watched(Time::ZERO + plan.duration, &mut notes);
    let is_data =
        |note: &Note| matches!(note, Note::Sent { direction: net::Direction::Forward, .. });
    let again = |note: &Note| matches!(note, Note::Sent { header: net::Header::Tcp(s), .. } if s.retransmission);
    let data = notes.iter().map(|note| note.1).filter(is_data);
    let number = data.clone().position(|note| again(&note)).expect("it is sent again");
    plan.links[0].drop_lists[0].1.push(number as u64);
    assert_eq!(causes(&plan), [("drop_list", 2)]);
}

#[test]
fn a_lost_handshake_counts() {
    let mut plan = wire(config(Recovery::NewReno), 5);
    plan.links[0].drop_lists = vec![(0, vec![0])];
    assert_eq!(causes(&plan), [("drop_list", 1)]);
    let mut plan = wire(config(Recovery::NewReno), 5);
    plan.links[1].drop_lists = vec![(0, vec![0])];
    assert_eq!(causes(&plan), [("ack_loss", 1)]);
}

#[test]
fn a_full_queue_is_the_cause_however_much_it_drops_at_once() {
    for recovery in ALL {
        let wide = TcpConfig { receive_window: 10_000_000, ..config(recovery) };
        let mut plan = wire(wide, 60);
        plan.links[0].queue = Arc::new(QueueLimit::Packets(400).into());
        let found = causes(&plan);
        assert_eq!(found.len(), 1, "{recovery:?}: {found:?}");
        assert!(found[0].0 == "queue" && found[0].1 >= 2, "{recovery:?}: {found:?}");
    }
}

#[test]
fn random_loss_on_the_wire_is_the_cause() {
    for recovery in ALL {
        let mut plan = wire(config(recovery), 120);
        plan.links[0].loss = 0.02;
        let found = causes(&plan);
        assert!(found[0].0 == "wire_loss" && found[0].1 > 50, "{recovery:?}: {found:?}");
        assert_eq!(found.len(), 1, "{recovery:?}: {found:?}");
    }
}

#[test]
fn acknowledgements_that_are_lost_are_the_cause_of_a_timeout() {
    for recovery in [Recovery::NewReno, Recovery::Sack] {
        let mut plan = wire(config(recovery), 10);
        plan.links[1].drop_lists = vec![(0, (200..300).collect())];
        let found = causes(&plan);
        assert!(found[0].0 == "ack_loss" && found.len() == 1, "{recovery:?}: {found:?}");
    }
}

#[test]
fn a_timer_that_is_too_short_is_spurious() {
    let mut config = config(Recovery::NewReno);
    config.handshake = false;
    config.rto.initial = Span::millis(15);
    config.rto.min = Span::millis(15);
    let found = causes(&wire(config, 5));
    assert!(found[0].0 == "spurious_timeout", "{found:?}");
}

#[test]
fn marks_are_a_cause() {
    let config =
        TcpConfig { ecn: EcnMode::Classic, receive_window: 10_000_000, ..config(Recovery::Sack) };
    let mut plan = wire(config, 30);
    Arc::make_mut(&mut plan.links[0].queue).options.set("mark_above", 20.0);
    let found = causes(&plan);
    assert!(found[0].0 == "ecn_mark" && found[0].1 > 5 && found.len() == 1, "{found:?}");
}

#[test]
fn a_bursty_cell_gives_retry_limits_and_collisions() {
    let mut plan = plan(4, 120);
    duplex(&mut plan, (0, 1), 10_000_000, Span::millis(10), QueueLimit::Packets(50));
    cell(&mut plan, 1..4, 2_000_000, gilbert_elliott());
    for station in &mut plan.cells[0].configs {
        station.mac.short_retry_limit = Some(2);
        station.mac.long_retry_limit = Some(2);
    }
    bulk(&mut plan, (2, 0), config(Recovery::NewReno));
    saturated(&mut plan, (3, 0), 500);
    plan.warmup = Span::secs(1);
    let found = causes(&plan);
    println!("{found:?}");
    let count = |name| found.iter().find(|count| count.0 == name).map_or(0, |count| count.1);
    assert!(count("retry_limit_channel") > 20, "{found:?}");
    assert!(count("retry_limit_collision") > 0, "{found:?}");
    assert_eq!(count("queue") + count("drop_list") + count("wire_loss"), 0, "{found:?}");
}

#[test]
fn every_cause_has_a_name_of_its_own() {
    let mut names: Vec<&str> = CutCause::all().map(CutCause::name).collect();
    assert_eq!(names.len(), CutCause::all().count());
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), CutCause::all().count());
}
