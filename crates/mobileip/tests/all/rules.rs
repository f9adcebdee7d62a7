//! The rules of RFC 5944, by what is said and when.

use crate::link::{AIR, EAST, HOME, MOBILE, NETWORK, Net, WEST};
use base::{NodeId, Purpose, Seed, Span, Time};
use mobileip::{
    Advertisement, Agent, AgentAction, Code, Detection, Message, MobileAction, Preset, Request,
    Roles, Settings, Solicits, Trigger,
};

fn secs(s: f64) -> Time {
    Time::ZERO + Span::from_secs(s)
}

fn rfc() -> Settings {
    Preset::Rfc5944.settings()
}

fn agent(roles: Roles) -> Agent {
    let rng = Seed { seed: 1, replication: 0 }.stream(Purpose::Advertisement, 0);
    Agent::new(HOME, roles, rfc().agent, rng)
}

const HOME_ONLY: Roles = Roles { home: true, foreign: false, advertises: false };
const FOREIGN: Roles = Roles { home: false, foreign: true, advertises: true };

fn request(care_of: NodeId, lifetime: Span, identification: u64) -> Message {
    Message::Request(Request {
        mobile: MOBILE,
        home_agent: HOME,
        care_of,
        lifetime,
        identification,
    })
}

fn code_of(action: &AgentAction) -> Option<(Code, Span)> {
    match action {
        AgentAction::OnLink(_, Message::Reply(reply))
        | AgentAction::Send(_, Message::Reply(reply)) => Some((reply.code, reply.lifetime)),
        _ => None,
    }
}

#[test]
fn advertisements_are_three_quarters_to_a_whole_interval_apart_and_their_numbers_skip_256() {
    let mut agent = agent(FOREIGN);
    assert!(agent.next_timeout() < secs(1.0));
    let mut out = vec![];
    let mut gaps = vec![];
    for _ in 0..=65_536 {
        let now = agent.next_timeout();
        agent.on_timeout(now, &mut out);
        gaps.push(agent.next_timeout() - now);
    }
    let (low, high) = (gaps.iter().min().copied(), gaps.iter().max().copied());
    assert!(low >= Some(Span::millis(750)) && low < Some(Span::millis(751)), "{low:?}");
    assert!(high <= Some(Span::secs(1)) && high > Some(Span::millis(999)), "{high:?}");
    let number = |action: &AgentAction| match action {
        AgentAction::Broadcast(Message::Advertisement(ad)) => ad.sequence,
        other => panic!("{other:?}"),
    };
    let numbers: Vec<u16> = [0, 1, 65_535, 65_536].map(|i| number(&out[i])).to_vec();
    assert_eq!(numbers, [0, 1, 65_535, 256]);
}

#[test]
fn a_home_agent_binds_shortens_ends_and_refuses_what_is_old() {
    let mut home = agent(HOME_ONLY);
    let mut out = vec![];
    home.on_message(request(WEST, Span::secs(600), 5), secs(0.0), &mut out);
    assert_eq!(code_of(&out[0]), Some((Code::Accepted, Span::secs(60))));
    assert_eq!(home.care_of(MOBILE, secs(59.9)), Some(WEST));
    assert_eq!(home.care_of(MOBILE, secs(60.0)), None);
    home.on_message(request(EAST, Span::secs(60), 4), secs(1.0), &mut out);
    assert_eq!(code_of(&out[1]), Some((Code::IdentificationMismatch, Span::ZERO)));
    home.on_message(request(EAST, Span::secs(20), 6), secs(2.0), &mut out);
    assert_eq!(home.care_of(MOBILE, secs(21.0)), Some(EAST));
    home.on_message(request(EAST, Span::ZERO, 7), secs(3.0), &mut out);
    assert_eq!(home.care_of(MOBILE, secs(3.0)), None);
}

#[test]
fn a_foreign_agent_relays_refuses_too_long_and_knows_its_visitor_from_the_reply_on() {
    let mut foreign = agent(FOREIGN);
    let mut out = vec![];
    let to_other = Request {
        mobile: MOBILE,
        home_agent: WEST,
        care_of: HOME,
        lifetime: Span::secs(61),
        identification: 1,
    };
    foreign.on_message(Message::Request(to_other), secs(0.0), &mut out);
    assert_eq!(code_of(&out[0]), Some((Code::LifetimeTooLong, Span::secs(60))));
    let fits = Request { lifetime: Span::secs(60), identification: 2, ..to_other };
    foreign.on_message(Message::Request(fits), secs(1.0), &mut out);
    assert_eq!(out[1], AgentAction::Send(WEST, Message::Request(fits)));
    let stray = Request { care_of: EAST, identification: 3, ..fits };
    foreign.on_message(Message::Request(stray), secs(1.0), &mut out);
    assert_eq!(code_of(&out[2]).map(|reply| reply.0), Some(Code::InvalidCareOf));
    let reply = mobileip::Reply {
        mobile: MOBILE,
        home_agent: WEST,
        code: Code::Accepted,
        lifetime: Span::secs(30),
        identification: 9,
    };
    foreign.on_message(Message::Reply(reply), secs(1.1), &mut out);
    assert_eq!((out.len(), foreign.has_visitor(MOBILE, secs(1.1))), (3, false));
    foreign.on_message(
        Message::Reply(mobileip::Reply { identification: 2, ..reply }),
        secs(1.1),
        &mut out,
    );
    assert_eq!(code_of(&out[3]), Some((Code::Accepted, Span::secs(30))));
    assert!(foreign.has_visitor(MOBILE, secs(31.0)) && !foreign.has_visitor(MOBILE, secs(31.1)));
}

/// Times at which the mobile node sent such a message, seconds.
fn moments(net: &Net, is: impl Fn(&Message) -> bool) -> Vec<f64> {
    let said = net.said.iter().filter(|(_, who, what)| *who == MOBILE && is(what));
    said.map(|(at, ..)| at.as_secs()).collect()
}

fn apart(moments: &[f64]) -> Vec<f64> {
    moments.windows(2).map(|pair| ((pair[1] - pair[0]) * 1e6).round() / 1e6).collect()
}

#[test]
fn solicitations_are_a_second_apart_three_times_and_then_ever_rarer() {
    let mut net = Net::new(rfc(), 1, Box::new(|_, _| false));
    let mut asked = vec![];
    let mut out = vec![];
    while net.mobile.next_timeout() < secs(300.0) {
        let now = net.mobile.next_timeout();
        net.mobile.on_timeout(now, &mut out);
        asked.push(now.as_secs());
    }
    assert_eq!(apart(&asked)[..9], [1.0, 1.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0]);
}

#[test]
fn a_request_without_an_answer_is_repeated_with_doubled_waits_up_to_the_lifetime() {
    // The west agent hears the mobile node until 0.5 s only, but is heard for ever.
    let mut settings = rfc();
    settings.agent.registration_lifetime = Span::secs(10);
    let mut net = Net::new(settings, 3, Box::new(|_, who| who == WEST));
    net.agents[0] = agent(Roles { home: false, foreign: false, advertises: false });
    net.run_until(secs(60.0));
    let asked = moments(&net, |message| matches!(message, Message::Request(_)));
    assert_eq!(apart(&asked)[..6], [1.0, 2.0, 4.0, 8.0, 10.0, 10.0]);
    assert!(net.registrations.is_empty() && net.routers.is_empty());
}

#[test]
fn registrations_are_renewed_at_half_their_life_and_the_router_stays() {
    let mut net = Net::new(rfc(), 4, Box::new(|_, who| who == WEST));
    net.run_until(secs(200.0));
    let asked = moments(&net, |message| matches!(message, Message::Request(_)));
    assert!(apart(&asked).iter().all(|&gap| gap == 30.0), "{asked:?}");
    assert_eq!((net.registrations.len(), net.routers.len()), (1, 1));
    assert_eq!(net.home().care_of(MOBILE, secs(200.0)), Some(WEST));
}

/// West until 10 s, then east.
fn step(at_s: f64) -> crate::link::Reach {
    Box::new(move |now, who| who == if now < secs(at_s) { WEST } else { EAST })
}

#[test]
fn a_lazy_node_waits_for_the_end_of_the_lifetime_and_then_goes_to_the_agent_it_has_heard() {
    let mut net = Net::new(rfc(), 5, step(10.0));
    net.run_until(secs(20.0));
    let last = net.registrations[1];
    assert_eq!((last.from, last.to, last.trigger), (Some(WEST), EAST, Trigger::Lost));
    assert!(last.last_heard > secs(9.0) && last.last_heard <= secs(10.0));
    assert_eq!(last.left - last.last_heard, Span::secs(3));
    // East was heard meanwhile: asked at once; to the agent, to the home agent, and back.
    assert_eq!(last.requested, last.left);
    assert_eq!(last.registered - last.requested, (AIR + NETWORK) * 2);
    assert_eq!(net.home().care_of(MOBILE, secs(20.0)), Some(EAST));
}

#[test]
fn an_eager_node_goes_to_the_agent_that_it_hears_first() {
    let mut settings = rfc();
    settings.mobile.detection = Detection::Eager;
    let mut net = Net::new(settings, 5, step(10.0));
    net.run_until(secs(20.0));
    let last = net.registrations[1];
    assert_eq!(last.trigger, Trigger::NewAgent);
    assert!(last.left >= secs(10.0) && last.left <= secs(11.0) + AIR);
    assert_eq!(last.registered - last.left, (AIR + NETWORK) * 2);
}

#[test]
fn with_a_hint_of_its_link_it_asks_and_is_answered_at_once() {
    let mut settings = rfc();
    settings.mobile.link_trigger = true;
    let mut net = Net::new(settings, 5, step(10.0));
    net.run_until(secs(10.0));
    let mut out = vec![];
    net.mobile.on_link(secs(10.0), &mut out);
    assert!(out.contains(&mobileip::MobileAction::Broadcast(Message::Solicitation(MOBILE))));
    let ad = mobileip::Advertisement {
        agent: EAST,
        sequence: 7,
        lifetime: Span::secs(3),
        registration_lifetime: Span::secs(60),
        foreign: true,
    };
    net.mobile.on_advertisement(&ad, secs(10.002), &mut out);
    let asks = |action: &mobileip::MobileAction| {
        matches!(action, mobileip::MobileAction::OnLink(EAST, Message::Request(_)))
    };
    assert!(out.iter().any(asks));
}

#[test]
fn who_comes_home_ends_its_binding() {
    let home_after = |now: Time, who| who == if now < secs(10.0) { WEST } else { HOME };
    let mut net = Net::new(rfc(), 6, Box::new(home_after));
    net.run_until(secs(100.0));
    assert_eq!(net.registrations[1].to, HOME);
    assert_eq!(net.registrations[1].trigger, Trigger::Home);
    assert_eq!(net.home().care_of(MOBILE, secs(12.0)), None);
    // At home nothing is to be renewed.
    let asked = moments(&net, |message| matches!(message, Message::Request(_)));
    assert_eq!(asked.len(), 2);
}

#[test]
fn who_hears_nobody_loses_its_router_and_comes_back_to_the_same_agent() {
    let away = |now: Time, who| who == WEST && (now < secs(10.0) || now > secs(20.0));
    let mut settings = rfc();
    settings.mobile.solicits = Solicits::Backoff(Span::secs(1), Span::secs(60));
    let mut net = Net::new(settings, 7, Box::new(away));
    net.run_until(secs(30.0));
    let routers: Vec<Option<NodeId>> = net.routers.iter().map(|router| router.1).collect();
    assert_eq!(routers, [Some(WEST), None, Some(WEST)]);
    assert_eq!(net.registrations[1].from, net.registrations[0].from.or(Some(WEST)));
}

/// A lifetime begins when the request is sent, so that half of it, or all, may be over when the reply comes.
#[test]
fn a_late_reply_is_renewed_or_ends_at_once_and_never_in_the_past() {
    let ad = Advertisement {
        agent: WEST,
        sequence: 1,
        lifetime: Span::secs(3600),
        registration_lifetime: Span::secs(10),
        foreign: true,
    };
    for late in [3.0, 7.0, 12.0] {
        let mut settings = rfc();
        settings.mobile.retransmit = Span::secs(60);
        let mut mobile = mobileip::Mobile::new(MOBILE, HOME, settings.mobile, 0.0);
        let mut out = vec![];
        mobile.on_advertisement(&ad, secs(1.0), &mut out);
        let asked = out.iter().find_map(|action| match action {
            MobileAction::OnLink(_, Message::Request(request)) => Some(request.identification),
            _ => None,
        });
        let now = secs(1.0 + late);
        let reply = mobileip::Reply {
            mobile: MOBILE,
            home_agent: HOME,
            code: Code::Accepted,
            lifetime: Span::secs(10),
            identification: asked.expect("it asks the agent that it hears"),
        };
        mobile.on_reply(&reply, now, &mut out);
        assert_eq!(mobile.next_timeout(), now.max(secs(6.0)), "{late}");
    }
}
