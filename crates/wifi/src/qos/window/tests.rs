//! Windows against the lengths of the standard, and against any losses.

use super::*;
use proptest::prelude::*;

const HEADERS: Budget =
    Budget { bytes: 65_535, mpdus: 64, amsdu: 0, mac_header: 30, llc_header: 8, agreed: true };

/// Fills a PPDU with packets of 1,500 B, numbered from 0.
fn fill(window: &mut Window, budget: &Budget, next: &mut u32) -> Psdu {
    let mut filling = window.fill(budget);
    while filling.has_room_for(1500) {
        filling.take(Msdu { id: PacketId(*next), since: Time::ZERO }, 1500);
        *next += 1;
    }
    filling.finish()
}

#[test]
fn aggregates_have_the_lengths_of_the_standard() {
    for (budget, mpdus, msdus, bytes) in [
        // 64 MPDUs of 1,538 B, each with a delimiter, all but the last padded.
        (Budget { bytes: 1 << 20, ..HEADERS }, 64, 64, 98_814),
        // 65,535 B hold 42.
        (HEADERS, 42, 42, 64_846),
        (Budget { mpdus: 1, ..HEADERS }, 1, 1, 1542),
        // Five subframes of 1,522 B, four of them padded to 1,524.
        (Budget { mpdus: 1, amsdu: 7935, ..HEADERS }, 1, 5, 7652),
        // A-MSDUs of two in an A-MPDU: 3,076 B each.
        (Budget { amsdu: 3839, ..HEADERS }, 21, 42, 20 * 3080 + 3080),
    ] {
        let mut next = 0;
        let psdu = fill(&mut Window::new(64), &budget, &mut next);
        assert_eq!((psdu.mpdus, psdu.msdus, psdu.bytes), (mpdus, msdus, bytes), "{budget:?}");
        assert_eq!(next, msdus, "nothing is taken from a queue that does not go");
    }
}

#[test]
fn a_hole_stalls_the_window_and_holds_back_what_is_behind() {
    let (mut window, mut next, mut handed) = (Window::new(4), 0, Vec::new());
    assert_eq!(fill(&mut window, &HEADERS, &mut next).mpdus, 4);
    for number in 1..4 {
        window.receive([number], Time(number), |id, _| handed.push(id.0));
    }
    assert_eq!(window.acknowledge(true), 3);
    assert!(handed.is_empty() && window.room() == 0);
    let again = fill(&mut window, &HEADERS, &mut next);
    assert_eq!((again.mpdus, again.retries), (1, 1));
    assert_eq!(window.aloft().map(|(number, _)| number).collect::<Vec<_>>(), [0]);
    window.receive([0], Time(9), |id, _| handed.push(id.0));
    assert_eq!(handed, [0, 1, 2, 3]);
}

#[test]
fn a_request_releases_what_waits_for_what_was_given_up() {
    let (mut window, mut next, mut handed) = (Window::new(4), 0, Vec::new());
    fill(&mut window, &HEADERS, &mut next);
    window.receive([2], Time(1), |id, _| handed.push(id.0));
    window.acknowledge(true);
    let mut lost = Vec::new();
    let lifetime = Span(10);
    window.expire(Time(11), lifetime, false, |id| lost.push(id.0));
    assert_eq!((lost, window.is_behind()), (vec![0, 1, 3], true));
    window.request(|id, _| handed.push(id.0));
    assert_eq!((handed, window.is_behind()), (vec![2], false));
}

/// The end of an agreement hands up what is held back. What comes later goes up as it comes, and what has gone up before does not
/// again, whether its sender knows or not.
#[test]
fn behind_an_agreement_each_mpdu_goes_up_when_it_comes() {
    let alone = Budget { mpdus: 1, ..HEADERS };
    for answered in [true, false] {
        let (mut window, mut next, mut handed) = (Window::new(6), 0, Vec::new());
        fill(&mut window, &HEADERS, &mut next);
        window.receive([1, 3], Time(1), |id, _| handed.push(id.0));
        if answered {
            window.acknowledge(true);
        }
        window.end(|id, came| {
            assert_eq!(came, Time(1));
            handed.push(id.0);
        });
        assert_eq!(handed, [1, 3]);
        let mut sent = Vec::new();
        while window.outstanding() > 0 && sent.len() < 9 {
            window.fill(&alone).finish();
            let number = window.aloft().next().expect("one is sent").0;
            sent.push(number);
            let had = window.receive([number], Time(9), |id, _| handed.push(id.0));
            assert_eq!(had, u32::from([1, 3].contains(&number) && !answered));
            window.acknowledge(false);
        }
        assert_eq!(sent, if answered { vec![0, 2, 4, 5] } else { vec![0, 1, 2, 3, 4, 5] });
        assert_eq!(handed, [1, 3, 0, 2, 4, 5]);
        assert!(!window.is_behind());
    }
}

proptest! {
    /// Whatever is lost, each packet is handed up once and in order, or given up and never handed up.
    #[test]
    fn packets_are_handed_up_once_and_in_order(
        rounds in prop::collection::vec((any::<u64>(), 0..4_u8, 0..6_u32), 1..60),
        size in 1..70_u32,
        amsdu in prop::sample::select(vec![0, 3839]),
    ) {
        let (mut window, mut next) = (Window::new(size), 0);
        let (mut handed, mut lost) = (Vec::new(), Vec::new());
        let budget = Budget { amsdu, ..HEADERS };
        for (now, &(losses, event, limit)) in (1..).zip(&rounds) {
            let psdu = fill(&mut window, &budget, &mut next);
            prop_assert!(psdu.mpdus > 0 && psdu.mpdus <= size);
            let aloft: Vec<u64> = window.aloft().map(|(number, _)| number).collect();
            prop_assert_eq!(aloft.len(), psdu.mpdus as usize);
            let mut any = false;
            for number in aloft {
                if losses >> (number % 64) & 1 == 0 {
                    any = true;
                    window.receive([number], Time(now), |id, _| handed.push(id.0));
                }
            }
            // The answer may be lost, and MPDUs given up.
            if any && event != 0 {
                window.acknowledge(true);
            }
            if event == 1 {
                window.give_up_after(limit + 1, |id| lost.push(id.0));
            }
            if event == 2 && window.is_behind() {
                window.request(|id, _| handed.push(id.0));
            }
        }
        prop_assert!(handed.is_sorted_by(|a, b| a < b));
        let mut all = [handed, lost].concat();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        prop_assert_eq!(all.len(), count);
        prop_assert!(all.iter().all(|&id| id < next));
    }
}
