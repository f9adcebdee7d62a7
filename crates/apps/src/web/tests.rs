//! Tests of the sources of the web.

use super::*;

const SEED: Seed = Seed { seed: 1, replication: 0 };

fn config() -> WebConfig {
    WebConfig {
        sessions: Some(1),
        pages: Some(Variate::constant(2.0)),
        session_gap: Variate::constant(100.0),
        page_gap: Variate::constant(10.0),
        gap_from: GapFrom::End,
        objects: Variate::constant(3.0),
        object_gap: Variate::constant(0.0),
        main_size: None,
        size: Sizes { law: Variate::constant(2.5), unit: 1000 },
        request: Sizes { law: Variate::constant(300.0), unit: 1 },
        connections: 6,
        style: Style::Persistent,
        paged: true,
    }
}

fn at(seconds: u64) -> Time {
    Time::ZERO + Span::secs(seconds)
}

fn taken(surfer: &mut Surfer) -> Vec<Object> {
    std::iter::from_fn(|| surfer.take()).collect()
}

#[test]
fn a_session_is_its_pages_with_gaps_from_their_ends() {
    let mut surfer = Surfer::new(config(), SEED, 0);
    surfer.begin(at(5));
    let first = taken(&mut surfer);
    assert_eq!(first.len(), 3);
    assert!(first.iter().all(|object| (object.request, object.response) == (300, 3000)));
    assert_eq!(surfer.next(), Time::NEVER);
    assert_eq!(surfer.on_done(at(6), &first[1]).page, None);
    surfer.on_done(at(7), &first[0]);
    let done = surfer.on_done(at(9), &first[2]);
    assert_eq!((done.object, done.page), (Span::secs(4), Some(Span::secs(4))));
    assert_eq!(surfer.next(), at(19));
    surfer.on_time(at(19));
    for object in taken(&mut surfer) {
        surfer.on_done(at(20), &object);
    }
    assert_eq!(surfer.next(), Time::NEVER);
    assert_eq!(surfer.tally(), Tally { objects: 6, objects_done: 6, pages: 2, pages_done: 2 });
}

#[test]
fn the_others_wait_for_the_main_object() {
    let main_size = Some(Sizes { law: Variate::constant(1000.0), unit: 1 });
    let object_gap = Variate::constant(1.0);
    let mut surfer = Surfer::new(WebConfig { main_size, object_gap, ..config() }, SEED, 0);
    surfer.begin(at(0));
    let main = taken(&mut surfer);
    assert_eq!(main.iter().map(|object| object.response).collect::<Vec<_>>(), [1000]);
    assert_eq!(surfer.next(), Time::NEVER);
    assert_eq!(surfer.on_done(at(4), &main[0]).page, None);
    assert_eq!(surfer.next(), at(5));
    surfer.on_time(at(5));
    assert_eq!((taken(&mut surfer).len(), surfer.next()), (1, at(6)));
    surfer.on_time(at(6));
    assert_eq!((taken(&mut surfer).len(), surfer.next()), (1, Time::NEVER));
}

#[test]
fn gaps_from_the_start_do_not_wait() {
    let gap_from = GapFrom::Start;
    let mut surfer = Surfer::new(WebConfig { gap_from, sessions: None, ..config() }, SEED, 0);
    surfer.begin(at(0));
    for start in [10, 110, 120, 220] {
        assert_eq!(surfer.next(), at(start));
        surfer.on_time(at(start));
    }
    assert_eq!(taken(&mut surfer).len(), 15);
    surfer.stop();
    assert_eq!(surfer.next(), Time::NEVER);
}

/// A slow network does not change what is asked for.
#[test]
fn pages_are_the_same_however_long_they_take() {
    let law = Variate::from(crate::Distribution::pareto_ii(12_000.0, 1.2));
    let size = Sizes { law, unit: 1 };
    let page_gap = Variate::from(crate::Distribution::Exponential { mean: 3.0 });
    let sizes = |delay: u64| {
        let config = WebConfig { size, page_gap, pages: None, ..config() };
        let mut surfer = Surfer::new(config, SEED, 7);
        let (mut now, mut sizes) = (at(0), vec![]);
        surfer.begin(now);
        while sizes.len() < 60 {
            for object in taken(&mut surfer) {
                sizes.push(object.response);
                now += Span::secs(delay);
                surfer.on_done(now, &object);
            }
            now = now.max(surfer.next());
            surfer.on_time(now);
        }
        sizes
    };
    assert_eq!(sizes(1), sizes(17));
}
