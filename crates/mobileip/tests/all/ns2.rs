//! ns-2's agents and mobile nodes: what they say when, and how long the gap of a handoff is.

use crate::link::{AIR, EAST, HOME, MOBILE, NETWORK, Net, WEST};
use base::{Purpose, Seed, Span, Time};
use mobileip::{Agent, Detection, Message, Preset, Roles, Settings, Trigger};

fn secs(s: f64) -> Time {
    Time::ZERO + Span::from_secs(s)
}

/// From choosing an agent to its reply.
fn exchange() -> Span {
    (AIR + NETWORK) * 2
}

#[test]
fn a_registration_is_renewed_with_each_advertisement_and_lasts_two_seconds() {
    let mut net = Net::new(Preset::Ns2.settings(), 1, Box::new(|_, who| who == WEST));
    net.run_until(secs(20.5));
    let ads: Vec<Time> = net
        .said
        .iter()
        .filter(|(_, who, what)| *who == WEST && matches!(what, Message::Advertisement(_)))
        .map(|said| said.0)
        .collect();
    let asked: Vec<&(Time, base::NodeId, Message)> = net
        .said
        .iter()
        .filter(|(_, who, what)| *who == MOBILE && matches!(what, Message::Request(_)))
        .collect();
    assert_eq!(asked.len(), ads.len());
    for (&(at, _, what), &ad) in asked.iter().zip(&ads) {
        assert_eq!(*at, ad + AIR);
        assert!(matches!(what, Message::Request(request) if request.lifetime == Span::secs(2)));
    }
    let last = asked[asked.len() - 1].0 + AIR + NETWORK;
    assert_eq!(net.home().care_of(MOBILE, last + Span::millis(1999)), Some(WEST));
    assert_eq!(net.home().care_of(MOBILE, last + Span::secs(2)), None);
}

/// A node that crosses from west to east between two instants at which it looks at its list.
fn gap_s(settings: Settings, seed: u64) -> (f64, Trigger) {
    let draw = Seed { seed, replication: 1 }.stream(Purpose::Mobility, 0).unit();
    let crossing = secs(20.0 + draw);
    let reach = move |now, who| who == if now < crossing { WEST } else { EAST };
    let mut net = Net::new(settings, seed, Box::new(reach));
    net.run_until(secs(30.0));
    let handoff = net.registrations.iter().find(|one| one.to == EAST).copied();
    let handoff = handoff.unwrap_or_else(|| panic!("seed {seed}: no handoff"));
    assert!(net.agents[0].care_of(MOBILE, secs(30.0)) == Some(EAST) && handoff.from == Some(WEST));
    let asked = handoff.requested.as_secs() - crossing.as_secs();
    assert_eq!(handoff.registered - handoff.requested, exchange(), "seed {seed}");
    (asked, handoff.trigger)
}

const RUNS: u64 = 4000;

fn mean_and_worst(settings: Settings) -> (f64, f64) {
    let gaps: Vec<f64> = (0..RUNS).map(|seed| gap_s(settings, seed).0).collect();
    (gaps.iter().sum::<f64>() / RUNS as f64, gaps.iter().copied().fold(0.0, f64::max))
}

/// The new agent is heard U after the crossing, U uniform on (0, 1). The old one, last heard A before the crossing, is
/// forgotten when the list is looked at for the first time after its second is over: D = 1 - A + B after the crossing, A and B
/// uniform; then the node asks and is answered. So the gap is the smaller of U and D (and two hops where it asks), with
/// P(gap > x) = (1 - x)(1 - x^2 / 2): mean 11/24 s, no more than 1 s.
#[test]
fn the_gap_to_cells_that_touch_is_11_24_of_a_second_in_the_mean_and_one_at_worst() {
    let (mean, worst) = mean_and_worst(Preset::Ns2.settings());
    // The standard deviation is 0.27 s: four standard errors are 0.017 s; delays on the air are below 2 ms.
    assert!((mean - 11.0 / 24.0).abs() < 0.02, "{mean}");
    assert!(worst > 0.97 && worst <= 1.0 + 2.0 * AIR.as_secs(), "{worst}");
}

/// A node that waits until the old agent is forgotten: D alone, with mean 1 s and no more than 2 s.
#[test]
fn the_gap_of_a_lazy_node_is_a_second_in_the_mean_and_two_at_worst() {
    let mut settings = Preset::Ns2.settings();
    settings.mobile.detection = Detection::Lazy;
    let (mean, worst) = mean_and_worst(settings);
    assert!((mean - 1.0).abs() < 0.03, "{mean}");
    assert!(worst > 1.9 && worst <= 2.0 + 2.0 * AIR.as_secs(), "{worst}");
}

#[test]
fn a_node_that_hears_both_goes_to_the_new_one_without_a_gap_and_does_not_come_back() {
    let both = |now: Time, who| who == WEST || who == EAST && now > secs(10.0);
    let mut net = Net::new(Preset::Ns2.settings(), 2, Box::new(both));
    net.run_until(secs(60.0));
    assert_eq!(net.registrations.len(), 2);
    let second = net.registrations[1];
    assert_eq!((second.to, second.trigger), (EAST, Trigger::NewAgent));
    assert!(second.last_heard > secs(9.0) && second.left == second.requested);
}

#[test]
fn requests_are_repeated_each_half_second_and_with_each_advertisement_until_there_is_an_answer() {
    let mut net = Net::new(Preset::Ns2.settings(), 3, Box::new(|_, who| who == WEST));
    // Nobody is a home agent.
    let rng = Seed { seed: 3, replication: 0 }.stream(Purpose::Advertisement, 9);
    let nobody = Roles { home: false, foreign: false, advertises: false };
    net.agents[0] = Agent::new(HOME, nobody, Preset::Ns2.settings().agent, rng);
    net.run_until(secs(10.0));
    let is_request = |what: &Message| matches!(what, Message::Request(_));
    let said = net.said.iter().filter(|(_, who, what)| *who == MOBILE && is_request(what));
    let asked: Vec<Time> = said.map(|said| said.0).collect();
    let apart: Vec<Span> = asked.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(apart.len() >= 17 && apart.iter().all(|&gap| gap <= Span::millis(500)), "{apart:?}");
    assert!(net.registrations.is_empty());
}

#[test]
fn without_an_agent_it_asks_each_half_second() {
    let mut net = Net::new(Preset::Ns2.settings(), 3, Box::new(|_, _| false));
    let mut asked: Vec<Time> = vec![];
    while net.mobile.next_timeout() < secs(10.0) {
        let (now, mut out) = (net.mobile.next_timeout(), vec![]);
        net.mobile.on_timeout(now, &mut out);
        if !out.is_empty() {
            asked.push(now);
        }
    }
    assert!(asked[0] < secs(1.0) && asked.len() >= 18);
    assert!(asked.windows(2).all(|pair| pair[1] - pair[0] == Span::millis(500)));
}

/// It knows its home agent first, and then hears a foreign one too.
#[test]
fn who_hears_its_home_agent_beside_its_own_stays_and_by_the_rfc_goes_home() {
    let both = |now: Time, who| who == HOME || who == WEST && now > secs(10.0);
    let routers = |settings: Settings| {
        let mut net = Net::new(settings, 2, Box::new(both));
        net.run_until(secs(60.0));
        net.registrations.iter().map(|one| one.to).collect::<Vec<_>>()
    };
    assert_eq!(routers(Preset::Ns2.settings()), [HOME, WEST]);
    let mut rules = Preset::Rfc5944.settings();
    rules.mobile.detection = Detection::Eager;
    assert_eq!(routers(rules).last(), Some(&HOME));
}
