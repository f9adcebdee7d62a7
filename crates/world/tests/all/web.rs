//! Requests and responses over connections that come and go: times by hand, and what holds whatever is lost.

use crate::support::{duplex, plan, tcp_flow};
use apps::{AppConfig, Distribution, GapFrom, Sizes, Style, Variate, WebConfig};
use base::{Seed, Span, Time};
use net::QueueLimit;
use transport::tcp::law::LawName;
use transport::tcp::{Recovery, TcpConfig};
use world::{FlowOutcome, Outcome, Plan, World};

fn bytes(size: f64) -> Sizes {
    Sizes { law: Variate::constant(size), unit: 1 }
}

/// One page of `objects` of `size` bytes, 300 B to ask for each.
fn page(style: Style, (objects, size): (u32, f64), connections: u32) -> WebConfig {
    WebConfig {
        sessions: Some(1),
        pages: Some(Variate::constant(1.0)),
        session_gap: Variate::constant(1.0),
        page_gap: Variate::constant(1.0),
        gap_from: GapFrom::End,
        objects: Variate::constant(f64::from(objects)),
        object_gap: Variate::constant(0.0),
        main_size: None,
        size: bytes(size),
        request: bytes(300.0),
        connections,
        style,
        paged: true,
    }
}

/// Segments of 1000 B, two at first.
fn config() -> TcpConfig {
    TcpConfig {
        mss: 1000,
        initial_window: 2,
        ..TcpConfig::standard(Recovery::NewReno, LawName::Reno)
    }
}

/// A server, node 0, and a client, node 1, at 8 Mbit/s (a byte is a microsecond) and 50 ms.
fn network(web: WebConfig, tcp: TcpConfig, seconds: u64) -> Plan {
    let mut plan = plan(2, seconds);
    duplex(&mut plan, (0, 1), 8_000_000, Span::millis(50), QueueLimit::Unlimited);
    tcp_flow(&mut plan, (0, 1), tcp, AppConfig::Web(Box::new(web)));
    plan
}

const SEED: Seed = Seed { seed: 1, replication: 0 };

fn run(plan: &Plan) -> Outcome {
    let mut world = World::build(plan, SEED).expect("it is connected");
    world.run();
    world.outcome()
}

/// Microseconds from asking for the page to its last byte.
fn page_us(plan: &Plan) -> u64 {
    let outcome = run(plan);
    let pages = outcome.flows[0].pages.as_deref().expect("the flow has pages");
    assert_eq!((pages.finished, pages.unfinished), (1, 0));
    (pages.response_time_s.expect("it came").max * 1e6).round() as u64
}

/// One way: the packet's bytes at a microsecond each, and the wire.
fn way(bytes: u64) -> u64 {
    bytes + 50_000
}

const SYN: u64 = 40;
const ACK: u64 = 40;
const REQUEST: u64 = 340;
const DATA: u64 = 1040;

/// SYN, SYN-ACK, request, then rounds of 2, 4, 8 and 16 segments: of the last round all 16 follow each other.
#[test]
fn an_object_takes_a_handshake_a_request_and_rounds_of_slow_start() {
    let plan = network(page(Style::Persistent, (1, 30_000.0), 1), config(), 5);
    let first = way(SYN) + way(SYN) + way(REQUEST) + ACK + way(DATA);
    let round = way(ACK) + way(DATA);
    assert_eq!(page_us(&plan), first + 3 * round + 15 * DATA);
}

#[test]
fn each_style_has_its_handshakes() {
    let asked = way(SYN) + way(SYN) + way(REQUEST);
    for (style, expected) in [
        (Style::Persistent, asked + ACK + way(DATA)),
        (Style::PerObject, asked + ACK + way(DATA)),
        // The request's acknowledgement lets the server open its own connection.
        (Style::Apart, asked + way(ACK) + way(SYN) + way(SYN) + way(DATA)),
        (Style::Push, way(SYN) + way(SYN) + way(DATA)),
    ] {
        let plan = network(page(style, (1, 1000.0), 1), config(), 5);
        assert_eq!(page_us(&plan), expected, "{style:?}");
    }
}

#[test]
fn objects_follow_each_other_on_one_connection_and_go_side_by_side_on_four() {
    let first = way(SYN) + way(SYN) + way(REQUEST) + ACK + way(DATA);
    let next = ACK + way(REQUEST) + ACK + way(DATA);
    let one = network(page(Style::Persistent, (4, 1000.0), 1), config(), 5);
    assert_eq!(page_us(&one), first + 3 * next);
    // Another handshake for the second object, behind the first one's acknowledgement.
    let closed = network(page(Style::PerObject, (2, 1000.0), 1), config(), 5);
    assert_eq!(page_us(&closed), first + ACK + first);
    // All four at once: each waits for three acknowledgements and three segments of the others.
    let four = network(page(Style::Persistent, (4, 1000.0), 4), config(), 5);
    assert_eq!(page_us(&four), first + 3 * (ACK + DATA));
}

/// What is lost on opening costs the first timeout: 1 s (RFC 6298), or ns-2's 3 s.
#[test]
fn a_lost_syn_costs_the_initial_timeout_and_is_charged() {
    let first = way(SYN) + way(SYN) + way(REQUEST) + ACK + way(DATA);
    for (link, cause) in [(1, "drop_list"), (0, "ack_loss")] {
        for initial in [Span::secs(1), Span::secs(3)] {
            let mut tcp = config();
            tcp.rto.initial = initial;
            let mut plan = network(page(Style::PerObject, (1, 1000.0), 1), tcp, 9);
            plan.links[link].drop_lists = vec![(0, vec![0])];
            assert_eq!(page_us(&plan), first + initial.0 / 1000);
            let flow = &run(&plan).flows[0];
            // It is the client that asks for the connection.
            let asking = flow.requests.as_ref().expect("somebody asks");
            assert_eq!((asking.timeouts, asking.retransmits), (1, 1));
            assert_eq!((flow.sender.timeouts, flow.sender.retransmits), (0, 0));
            let cuts = asking.window_cuts.iter().filter(|cut| cut.1 > 0).collect::<Vec<_>>();
            assert_eq!(cuts, [(cause, 1)]);
        }
    }
}

/// Two SYNs are two timeouts: 1 s and 2 s.
#[test]
fn the_timeout_of_a_syn_doubles() {
    let mut plan = network(page(Style::PerObject, (1, 1000.0), 1), config(), 9);
    let first = page_us(&plan);
    plan.links[1].drop_lists = vec![(0, vec![0, 1])];
    assert_eq!(page_us(&plan), first + 3_000_000);
}

fn finished(flow: &FlowOutcome) -> (u64, u64) {
    let objects = flow.objects.as_deref().expect("it has objects");
    (objects.finished, objects.unfinished)
}

/// Under loss every byte comes exactly once, every connection ends, and no packet is left over.
#[test]
fn everything_arrives_once_whatever_is_lost() {
    let styles = [Style::Persistent, Style::PerObject, Style::Apart, Style::Push];
    // A window of one segment: a FIN on the last full one would not fit.
    for (style, window) in styles.into_iter().flat_map(|style| [(style, 50_000), (style, 1000)]) {
        for recovery in [Recovery::Tahoe, Recovery::NewReno, Recovery::Sack, Recovery::RackTlp] {
            let web = WebConfig {
                pages: Some(Variate::constant(40.0)),
                page_gap: Distribution::Exponential { mean: 0.2 }.into(),
                ..page(style, (4, 3000.0), 3)
            };
            let tcp = TcpConfig { recovery, receive_window: window, ..config() };
            let mut plan = network(web, tcp, 20_000);
            plan.links.iter_mut().for_each(|link| link.loss = 0.1);
            let outcome = run(&plan);
            let flow = &outcome.flows[0];
            assert_eq!(finished(flow), (160, 0), "{style:?} {recovery:?}");
            assert_eq!(flow.goodput_bps * 20_000.0 / 8.0, 160.0 * 3000.0, "{style:?} {recovery:?}");
            let requests = flow.requests.as_ref().expect("there is another end");
            assert!(flow.sender.retransmits + requests.retransmits > 10, "the loss bites");
            assert!(flow.sender.retransmits <= flow.packets_sent, "{style:?} {recovery:?}");
            assert!(requests.retransmits <= flow.acks_sent, "{style:?} {recovery:?}");
            assert_eq!(outcome.packets.in_flight, 0);
        }
    }
}

#[test]
fn runs_repeat_themselves_and_a_fork_ends_as_the_original() {
    let size = Sizes { law: Distribution::pareto_ii(12.0, 1.2).into(), unit: 1000 };
    let gap = Distribution::Exponential { mean: 0.5 }.into();
    let user = page(Style::Apart, (2, 1.0), 3);
    let web = WebConfig { pages: None, page_gap: gap, size, ..user };
    let mut plan = network(web, config(), 60);
    plan.warmup = Span::secs(5);
    plan.links.iter_mut().for_each(|link| link.loss = 0.02);
    let whole = run(&plan);
    assert_eq!(whole, run(&plan));
    let mut world = World::build(&plan, SEED).expect("it is connected");
    world.run_until(Time::ZERO + Span::millis(31_234));
    let mut fork = world.clone();
    world.run();
    fork.run();
    assert_eq!((world.outcome(), fork.outcome()), (whole.clone(), whole.clone()));
    assert!(finished(&whole.flows[0]).0 > 20, "{:?}", whole.flows[0].objects);
}

/// Transfers of constant size at random times on an idle link: each takes as long as by hand, and they come at the rate
/// asked for (1000 in 1000 s, four standard deviations of a Poisson number).
#[test]
fn short_flows_come_at_their_rate() {
    let gap = Distribution::Exponential { mean: 1.0 }.into();
    let flows = page(Style::Push, (1, 1000.0), 1000);
    let web = WebConfig { pages: None, page_gap: gap, gap_from: GapFrom::Start, ..flows };
    let flow = &run(&network(web, config(), 1000)).flows[0];
    let (came, open) = finished(flow);
    assert!(came.abs_diff(1000) < 127 && open < 10, "{came} {open}");
    let least = (way(SYN) + way(SYN) + way(DATA)) as f64 * 1e-6;
    let times =
        flow.objects.as_ref().and_then(|objects| objects.response_time_s).expect("some came");
    assert!(times.p50 >= least * 0.97 && times.mean < least + 0.002, "{times:?}");
}

/// What is asked for and does not come is counted: the link is dead from the first packet on.
#[test]
fn unfinished_objects_are_counted() {
    let mut plan = network(page(Style::Persistent, (3, 1000.0), 2), config(), 10);
    plan.links[1].loss = 1.0;
    let flow = &run(&plan).flows[0];
    assert_eq!(finished(flow), (0, 3));
    assert_eq!(
        flow.pages.as_ref().map(|pages| (pages.unfinished, pages.response_time_s)),
        Some((1, None))
    );
}
