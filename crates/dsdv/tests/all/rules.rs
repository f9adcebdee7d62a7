//! Which news is believed, when it is told, and with what numbers.

use base::{NodeId, Purpose, Seed, Span, Time};
use dsdv::{Advert, INFINITE, Router, Settings, Update};

const ME: NodeId = NodeId(0);
const NEAR: NodeId = NodeId(1);
const OTHER: NodeId = NodeId(2);
const FAR: NodeId = NodeId(3);

fn router() -> Router {
    let seed = Seed { seed: 1, replication: 0 };
    Router::new(ME, Settings::default(), seed.stream(Purpose::Routing, 0))
}

fn update(adverts: &[(NodeId, u8, u32)]) -> Update {
    let adverts = adverts.iter().map(|&(to, metric, sequence)| Advert { to, metric, sequence });
    Update { adverts: adverts.collect(), is_full: true }
}

/// All that it says up to then, each with when.
fn told(router: &mut Router, until: Time) -> Vec<(Time, Update)> {
    let mut all = Vec::new();
    while router.next_timeout() <= until {
        let (now, mut said) = (router.next_timeout(), Vec::new());
        router.on_timeout(now, &mut said);
        all.extend(said.into_iter().map(|update| (now, update)));
    }
    all
}

fn at(s: u64) -> Time {
    Time::ZERO + Span::secs(s)
}

#[test]
fn of_two_ways_the_newer_is_believed_and_of_two_as_new_the_shorter() {
    let mut me = router();
    me.on_update(OTHER, &update(&[(OTHER, 0, 4)]), at(0));
    assert!(me.on_update(NEAR, &update(&[(FAR, 3, 10)]), at(1)));
    assert_eq!((me.way(FAR), me.known(FAR)), (Some(NEAR), Some((10, 4))));
    assert!(!me.on_update(OTHER, &update(&[(FAR, 3, 10)]), at(2)), "as new and no shorter");
    assert!(me.on_update(OTHER, &update(&[(FAR, 2, 10)]), at(3)));
    assert_eq!((me.way(FAR), me.known(FAR)), (Some(OTHER), Some((10, 3))));
    assert!(!me.on_update(NEAR, &update(&[(FAR, 1, 8)]), at(4)), "shorter and older");
    assert!(me.on_update(NEAR, &update(&[(FAR, 7, 12)]), at(5)));
    assert_eq!((me.way(FAR), me.known(FAR)), (Some(NEAR), Some((12, 8))));
}

/// Startup within 2 s, then every 11.25 to 15 s, with numbers of its own that are even and grow; 20 B and 12 B each.
#[test]
fn alone_it_speaks_of_itself_in_even_numbers() {
    let all = told(&mut router(), at(600));
    let sequences: Vec<u32> = all.iter().map(|(_, update)| update.adverts[0].sequence).collect();
    assert_eq!(sequences, (2..).map(|i| 2 * i).take(all.len()).collect::<Vec<_>>());
    assert!(all[0].0 <= at(2) + Span::millis(10));
    for pair in all.windows(2) {
        let gap = (pair[1].0 - pair[0].0).as_secs();
        assert!((11.24..15.01).contains(&gap), "{gap} s");
    }
    assert!(all.iter().all(|(_, update)| update.bytes() == 32 && update.is_full));
}

/// A way that is new is not told of before twice the settling time, 12 s: a shorter one may come.
#[test]
fn a_new_way_settles_before_it_is_told_of() {
    let mut me = router();
    let first = told(&mut me, at(3)).len();
    me.on_update(NEAR, &update(&[(NEAR, 0, 4), (FAR, 1, 6)]), at(3));
    let all = told(&mut me, at(30));
    let of_far = |update: &Update| update.adverts.iter().any(|advert| advert.to == FAR);
    let when = all.iter().find(|(_, update)| of_far(update)).expect("it is told of").0;
    assert!(first > 0 && when >= at(15), "{when:?}");
    assert!(when <= at(15) + Span::secs(1) + Span::millis(10), "{when:?}");
}

/// Three periods without a word: ways by that neighbour are broken, with odd numbers, and told of at once.
#[test]
fn a_silent_neighbour_breaks_the_ways_by_it() {
    let mut me = router();
    me.on_update(NEAR, &update(&[(NEAR, 0, 4), (FAR, 1, 6)]), at(3));
    told(&mut me, Time(at(48).0 - 1));
    assert_eq!((me.way(NEAR), me.way(FAR)), (Some(NEAR), Some(NEAR)));
    let all = told(&mut me, at(50));
    assert_eq!((me.way(NEAR), me.way(FAR)), (None, None));
    assert_eq!((me.known(NEAR), me.known(FAR)), (Some((5, INFINITE)), Some((7, INFINITE))));
    let broken = update(&[(NEAR, INFINITE, 5), (FAR, INFINITE, 7)]).adverts;
    let is_told = |said: &Update| broken.iter().all(|advert| said.adverts.contains(advert));
    assert!(all.iter().any(|(_, update)| is_told(update)), "{all:?}");
    // Its next even number is newer than what was said of its loss.
    me.on_update(NEAR, &update(&[(NEAR, 0, 6)]), at(51));
    assert_eq!(me.known(NEAR), Some((6, 1)));
}

#[test]
fn who_is_said_to_be_gone_says_at_once_that_it_is_there() {
    let mut me = router();
    let sequence =
        |said: &[(Time, Update)]| said.last().map(|(_, update)| update.adverts[0].sequence);
    let before = sequence(&told(&mut me, at(3)));
    me.on_update(NEAR, &update(&[(ME, INFINITE, 5)]), at(3));
    let after = told(&mut me, at(3) + Span::millis(10));
    assert_eq!((before, sequence(&after)), (Some(4), Some(6)));
    assert_eq!(me.known(ME), Some((6, 0)));
}

#[test]
fn who_knows_an_older_number_and_a_broken_way_is_told_better() {
    let mut me = router();
    told(&mut me, at(3));
    me.on_update(NEAR, &update(&[(NEAR, 0, 4), (FAR, 1, 6)]), at(3));
    me.on_update(OTHER, &update(&[(FAR, INFINITE, 5)]), at(5));
    assert_eq!((me.way(FAR), me.known(FAR)), (Some(NEAR), Some((6, 2))));
    let all = told(&mut me, at(5) + Span::millis(10));
    assert!(all[0].1.adverts.contains(&Advert { to: FAR, metric: 2, sequence: 6 }), "{all:?}");
}

/// A packet waited for it: what comes then has no better way to wait for, and is told with the next full update.
#[test]
fn what_was_sought_is_believed_and_needs_not_settle() {
    let mut me = router();
    me.seek(FAR, at(0));
    assert_eq!((me.way(FAR), me.known(FAR)), (None, Some((0, INFINITE))));
    assert!(me.on_update(NEAR, &update(&[(FAR, 1, 6)]), at(0)));
    let all = told(&mut me, at(3));
    assert!(all[0].1.adverts.contains(&Advert { to: FAR, metric: 2, sequence: 6 }), "{all:?}");
}
