//! Times at which two moving nodes cross a distance: the roots of a quadratic on each pair of legs.

use super::{Leg, Mobility};
use base::Time;

/// Two nodes pass a distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The first nanosecond after it: the nodes are on the new side.
    pub at: Time,
    /// True where they are nearer than the distance from then on.
    pub nearer: bool,
}

/// The next time after `after` and not after `horizon` at which the distance of `a` and `b` passes `distance_m`. Standing at
/// the very distance counts as near. A touch from outside that lasts less than a nanosecond does not count.
pub fn next_crossing(
    a: &mut Mobility,
    b: &mut Mobility,
    distance_m: f64,
    after: Time,
    horizon: Time,
) -> Option<Crossing> {
    let limit = distance_m * distance_m;
    let mut now = after;
    let was_near = near(&a.leg(now), &b.leg(now), limit, now);
    while now <= horizon {
        let (one, other) = (a.leg(now), b.leg(now));
        // A jump at the seam of two legs, or a crossing that rounding put on it.
        if near(&one, &other, limit, now) != was_near {
            return Some(Crossing { at: now, nearer: !was_near });
        }
        let end = one.end.min(other.end);
        let found = root(&one, &other, limit, now, was_near)
            .and_then(|root| flip(&one, &other, limit, (root, end), was_near));
        if let Some(at) = found {
            return (at <= horizon).then_some(Crossing { at, nearer: !was_near });
        }
        if end == Time::NEVER {
            return None;
        }
        now = end;
    }
    None
}

fn near(one: &Leg, other: &Leg, limit: f64, now: Time) -> bool {
    one.position(now).minus(other.position(now)).squared() <= limit
}

/// The first nanosecond from `root` on, before `end`, at which the nodes are on the other side. Rounding may leave a root some
/// nanoseconds short of it, the more the slower the nodes: a millisecond is searched, in doubling steps and then by halves.
fn flip(
    one: &Leg,
    other: &Leg,
    limit: f64,
    (root, end): (Time, Time),
    was_near: bool,
) -> Option<Time> {
    let flipped = |ns: u64| near(one, other, limit, Time(ns)) != was_near;
    let mut before = root.0;
    for doublings in 0..=20 {
        let mut at = root.0.saturating_add((1 << doublings) - 1);
        if at >= end.0 {
            return None;
        }
        if flipped(at) {
            while at - before > 1 {
                let middle = before + (at - before) / 2;
                (before, at) = if flipped(middle) { (before, middle) } else { (middle, at) };
            }
            return Some(Time(if flipped(before) { before } else { at }));
        }
        before = at;
    }
    None
}

/// The nanosecond at or before the first root after `now` of |p + v t| = distance: the nearer one for nodes that are far,
/// the farther one for nodes that are near.
fn root(one: &Leg, other: &Leg, limit: f64, now: Time, near: bool) -> Option<Time> {
    let p = one.position(now).minus(other.position(now));
    let v = one.velocity.minus(other.velocity);
    let (square, along) = (v.squared(), p.dot(v));
    let gap = p.squared() - limit;
    let discriminant = along * along - square * gap;
    if square == 0.0 || discriminant < 0.0 {
        return None;
    }
    let width = libm::sqrt(discriminant);
    // Each in the form that adds numbers of one sign, so that no digits cancel.
    let seconds = match (near, along < 0.0) {
        (true, true) => (width - along) / square,
        (true, false) => -gap / (along + width),
        (false, true) => gap / (width - along),
        (false, false) => return None,
    };
    // Casts of floats saturate: a root beyond all time stays there.
    let later = (seconds.max(0.0) * 1e9) as u64;
    seconds.is_finite().then_some(Time(now.0.saturating_add(later)))
}

#[cfg(test)]
mod tests {
    use super::super::{Track, Waypoint};
    use super::*;
    use crate::position::Position;

    fn mover(x_m: f64, y_m: f64, vx: f64, vy: f64) -> Mobility {
        let (from, velocity) = (Position::flat(x_m, y_m), Position::flat(vx, vy));
        Mobility::Track(Track::constant_velocity(from, velocity))
    }

    const HORIZON: Time = Time(1_000_000_000_000);

    /// 10 m/s past a mast at 30 m: within 50 m from x = -40 m to x = 40 m, which is from 6 s to 14 s.
    #[test]
    fn a_passer_by_comes_near_and_leaves() {
        let (mut mast, mut car) =
            (Mobility::fixed(Position::default()), mover(-100.0, 30.0, 10.0, 0.0));
        let first = next_crossing(&mut mast, &mut car, 50.0, Time::ZERO, HORIZON).unwrap();
        assert!(first.nearer && first.at.0.abs_diff(6_000_000_000) <= 1, "{first:?}");
        let then = next_crossing(&mut mast, &mut car, 50.0, first.at, HORIZON).unwrap();
        assert!(!then.nearer && then.at.0.abs_diff(14_000_000_000) <= 1, "{then:?}");
        assert_eq!(next_crossing(&mut mast, &mut car, 50.0, then.at, HORIZON), None);
        assert_eq!(next_crossing(&mut mast, &mut car, 29.0, Time::ZERO, HORIZON), None);
        let soon = Time(5_999_999_990);
        assert_eq!(next_crossing(&mut mast, &mut car, 50.0, Time::ZERO, soon), None);
    }

    #[test]
    fn crossings_follow_every_leg_and_alternate() {
        // To and fro between 0 and 100 m, 10 s each way, ten times; the mast at 0 m, the distance 50 m.
        let turn = |i: u64| Waypoint {
            at: Time(i * 10_000_000_000),
            place: Position::flat(if i % 2 == 0 { 0.0 } else { 100.0 }, 0.0),
        };
        let points: Vec<Waypoint> = (0..=10).map(turn).collect();
        let mut walker = Mobility::Track(Track::through(&points).unwrap());
        let mut mast = Mobility::fixed(Position::default());
        let (mut now, mut seen) = (Time::ZERO, Vec::new());
        while let Some(next) = next_crossing(&mut walker, &mut mast, 50.0, now, HORIZON) {
            seen.push(next.nearer);
            let due = 5_000_000_000 + 10_000_000_000 * (seen.len() as u64 - 1);
            assert!(next.at.0.abs_diff(due) <= 2, "{next:?}");
            now = next.at;
        }
        assert_eq!(seen, (0..10).map(|i| i % 2 == 1).collect::<Vec<_>>());
    }

    /// 300 pairs of random walks, 100 s each, against a look every 10 ms.
    #[test]
    fn crossings_are_those_that_a_watcher_sees() {
        use super::super::{RandomWaypoint, RandomWaypointConfig, WaypointStart};
        use base::{Seed, Span};
        let config = RandomWaypointConfig {
            corner: Position::default(),
            width_m: 200.0,
            height_m: 200.0,
            slowest_m_per_s: 0.5,
            fastest_m_per_s: 30.0,
            pause: Span::secs(1),
            start: WaypointStart::Uniform,
        };
        let walk = |node| {
            let seed = Seed { seed: 6, replication: 0 };
            Mobility::RandomWaypoint(Box::new(RandomWaypoint::new(config, seed, node).unwrap()))
        };
        let mut total = 0;
        for pair in 0..300 {
            let (mut a, mut b) = (walk(2 * pair), walk(2 * pair + 1));
            let near = |a: &mut Mobility, b: &mut Mobility, t: Time| {
                a.position(t).distance_m(b.position(t)) <= 80.0
            };
            let mut now = Time::ZERO;
            let horizon = Time(100_000_000_000);
            while let Some(next) = next_crossing(&mut a, &mut b, 80.0, now, horizon) {
                // The side is the old one all the way and the new one at the crossing.
                let before = near(&mut a, &mut b, now);
                let looks = (now.0 / 10_000_000 + 1)..next.at.0.div_ceil(10_000_000);
                for look in looks {
                    assert_eq!(near(&mut a, &mut b, Time(look * 10_000_000)), before);
                }
                assert_eq!(near(&mut a, &mut b, next.at), next.nearer);
                assert_eq!(near(&mut a, &mut b, Time(next.at.0 - 2)), before);
                (now, total) = (next.at, total + 1);
            }
            let last = near(&mut a, &mut b, now);
            for look in (now.0 / 10_000_000 + 1)..10_000 {
                assert_eq!(near(&mut a, &mut b, Time(look * 10_000_000)), last);
            }
        }
        assert!(total > 500, "{total} crossings");
    }

    #[test]
    fn slow_nodes_far_away_are_not_missed() {
        let (mut a, mut b) = (mover(1e6, 0.0, 0.0, 0.0), mover(1e6, 100.0, 0.0, -1e-6));
        let crossing = next_crossing(&mut a, &mut b, 99.0, Time::ZERO, Time::NEVER).unwrap();
        assert!(crossing.nearer && crossing.at.0.abs_diff(1_000_000_000_000_000) < 200_000);
    }

    #[test]
    fn a_jump_crosses_at_its_instant() {
        let mut jumper = Track::fixed(Position::flat(10.0, 0.0));
        jumper.push(Time(7), Position::flat(90.0, 0.0), Position::default());
        let (mut jumper, mut mast) = (Mobility::Track(jumper), mover(0.0, 0.0, 0.0, 0.0));
        let crossing = next_crossing(&mut jumper, &mut mast, 50.0, Time::ZERO, HORIZON);
        assert_eq!(crossing, Some(Crossing { at: Time(7), nearer: false }));
    }
}
