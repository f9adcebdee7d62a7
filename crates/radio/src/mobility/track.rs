//! Paths made of straight legs.

use crate::position::Position;
use base::{Span, Time};

/// A straight piece of way at a constant velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leg {
    /// Start time.
    pub start: Time,
    /// Start of the next leg; [`Time::NEVER`] for the last.
    pub end: Time,
    /// Position at the start.
    pub from: Position,
    /// Metres a second.
    pub velocity: Position,
    /// The way travelled before it, metres.
    pub travelled_m: f64,
}

/// A place and the time of being there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waypoint {
    /// Time.
    pub at: Time,
    /// Place.
    pub place: Position,
}

/// A path known in advance.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Never empty, in the order of time, each ending where the next begins; the first begins at time zero.
    legs: Vec<Leg>,
    /// Times at which the node appears and leaves.
    present: (Time, Time),
}

impl Leg {
    /// Position at `now`; exactly `from` at the start.
    #[inline]
    pub fn position(&self, now: Time) -> Position {
        self.from.plus(self.velocity, now.since(self.start).as_secs())
    }

    /// The way travelled until `now`, metres.
    pub fn travelled_m(&self, now: Time) -> f64 {
        self.travelled_m + libm::sqrt(self.velocity.squared()) * now.since(self.start).as_secs()
    }
}

impl Track {
    /// At rest.
    pub fn fixed(at: Position) -> Track {
        Track::constant_velocity(at, Position::default())
    }

    /// Straight on for ever from `from` at time zero, `velocity` in metres a second.
    pub fn constant_velocity(from: Position, velocity: Position) -> Track {
        let (start, end, travelled_m) = (Time::ZERO, Time::NEVER, 0.0);
        let leg = Leg { start, end, from, velocity, travelled_m };
        Track { legs: vec![leg], present: (Time::ZERO, Time::NEVER) }
    }

    /// Straight from each waypoint to the next, there at their times to the bit; at rest before the first and after the
    /// last. Waypoints of equal times jump. `None` where there is no waypoint or time runs back.
    pub fn through(waypoints: &[Waypoint]) -> Option<Track> {
        let (first, last) = (waypoints.first()?, waypoints.last()?);
        if waypoints.windows(2).any(|pair| pair[1].at < pair[0].at) {
            return None;
        }
        let mut track = Track::fixed(first.place);
        for pair in waypoints.windows(2) {
            let span = pair[1].at - pair[0].at;
            if span > Span::ZERO {
                let way = pair[1].place.minus(pair[0].place);
                let velocity = Position::default().plus(way, 1.0 / span.as_secs());
                track.push(pair[0].at, pair[0].place, velocity);
            }
        }
        track.push(last.at, last.place, Position::default());
        Some(track)
    }

    /// From `at` on, from the place `from` with `velocity`. `at` is not before the start of the last leg.
    pub fn push(&mut self, at: Time, from: Position, velocity: Position) {
        let mut travelled_m = 0.0;
        if let Some(last) = self.legs.last_mut() {
            last.end = at;
            travelled_m = last.travelled_m(at);
            if last.start == at {
                travelled_m = last.travelled_m;
                self.legs.pop();
            }
        }
        self.legs.push(Leg { start: at, end: Time::NEVER, from, velocity, travelled_m });
    }

    /// Goes straight to `to` from `at` on, at this speed, m/s, and rests there; under way it turns from where it is. A speed
    /// of 0 stops it. Returns when it arrives. Times of calls rise.
    pub fn set_off(&mut self, at: Time, to: Position, speed_m_per_s: f64) -> Time {
        while self.legs.len() > 1 && self.legs.last().is_some_and(|last| last.start > at) {
            self.legs.pop();
            if let Some(last) = self.legs.last_mut() {
                last.end = Time::NEVER;
            }
        }
        let from = self.position(at);
        let way = to.minus(from);
        let distance = libm::sqrt(way.squared());
        if speed_m_per_s <= 0.0 || distance == 0.0 {
            self.push(at, from, Position::default());
            return at;
        }
        let arrival = at + Span::from_secs((distance / speed_m_per_s).min(1e9)).max(Span(1));
        self.push(at, from, Position::default().plus(way, 1.0 / (arrival - at).as_secs()));
        self.push(arrival, to, Position::default());
        arrival
    }

    /// The same path of a node that is there from `from` until `until` only.
    pub fn present(self, from: Time, until: Time) -> Track {
        Track { present: (from, until), ..self }
    }

    /// False before the node appears and after it has left.
    pub fn is_present(&self, now: Time) -> bool {
        self.present.0 <= now && now <= self.present.1
    }

    /// The next time after `after` at which the node appears or has left.
    pub fn next_appearance(&self, after: Time) -> Option<Time> {
        let (from, until) = self.present;
        let gone = Time(until.0.saturating_add(1));
        [from, gone].into_iter().find(|&at| at > after && at != Time::NEVER)
    }

    /// The leg on which the node is; a leg's end belongs to the next one.
    #[inline]
    pub fn leg(&self, now: Time) -> Leg {
        let next = self.legs.partition_point(|leg| leg.start <= now);
        self.legs[next.max(1) - 1]
    }

    /// All legs, in the order of time.
    pub fn legs(&self) -> &[Leg] {
        &self.legs
    }

    /// Position of the node at `now`.
    #[inline]
    pub fn position(&self, now: Time) -> Position {
        self.leg(now).position(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64, x_m: f64, y_m: f64) -> Waypoint {
        Waypoint { at: Time(ms * 1_000_000), place: Position::flat(x_m, y_m) }
    }

    #[test]
    fn waypoints_are_met_to_the_bit_and_joined_by_straight_lines() {
        let points = [at(1000, 0.1, 0.2), at(3000, 30.1, 40.2), at(7000, 0.3, -7.7)];
        let track = Track::through(&points).unwrap();
        for point in points {
            assert_eq!(track.position(point.at), point.place);
        }
        let middle = track.position(Time(2_000_000_000));
        assert!(middle.distance_m(Position::flat(15.1, 20.2)) < 1e-12);
        assert_eq!(track.position(Time::ZERO), points[0].place);
        assert_eq!(track.position(Time(99_000_000_000)), points[2].place);
        let leg = track.leg(Time(99_000_000_000));
        let way = 50.0 + points[1].place.distance_m(points[2].place);
        assert!((leg.travelled_m(Time(99_000_000_000)) - way).abs() < 1e-9);
    }

    #[test]
    fn equal_times_jump_and_backward_times_are_refused() {
        let track = Track::through(&[at(0, 0.0, 0.0), at(10, 1.0, 0.0), at(10, 5.0, 5.0)]).unwrap();
        assert_eq!(track.position(Time(10_000_000)), Position::flat(5.0, 5.0));
        assert_eq!(Track::through(&[at(5, 0.0, 0.0), at(4, 0.0, 0.0)]), None);
        assert_eq!(Track::through(&[]), None);
    }

    #[test]
    fn constant_velocity_goes_on_for_ever() {
        let track = Track::constant_velocity(Position::flat(1.0, 2.0), Position::flat(-3.0, 0.5));
        let end = track.position(Time(1_000_000_000_000));
        assert!(end.distance_m(Position::flat(-2999.0, 502.0)) < 1e-9);
    }
}
