//! Random waypoint: to a uniform point of a rectangle at a uniform speed, a pause, and on.
//!
//! Started uniformly the model is not stationary: nodes gather in the middle and slow down (Yoon, Liu and Noble 2003), and
//! with a smallest speed of zero it never becomes so. [`WaypointStart::Stationary`] draws the first leg from the stationary
//! law (Navidi and Camp 2004), so that no warm-up is needed.

use super::track::{Leg, Track};
use crate::position::Position;
use base::{Keyed, Purpose, Seed, Span, Time};

/// The rectangle, speeds and pauses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomWaypointConfig {
    /// The corner with the smallest coordinates; all nodes move at its height.
    pub corner: Position,
    /// East-west, metres.
    pub width_m: f64,
    /// North-south, metres.
    pub height_m: f64,
    /// Smallest speed, m/s; more than zero.
    pub slowest_m_per_s: f64,
    /// Largest speed, m/s.
    pub fastest_m_per_s: f64,
    /// At every waypoint.
    pub pause: Span,
    /// Start of a node.
    pub start: WaypointStart,
}

/// The law of the first leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaypointStart {
    /// At a uniform place, setting off at once (setdest of ns-2 begins with a pause instead).
    Uniform,
    /// The stationary distribution.
    Stationary,
}

/// A walk, drawn as far as it has been asked for. Places depend on the key alone, not on what was asked.
#[derive(Clone, Debug)]
pub struct RandomWaypoint {
    config: RandomWaypointConfig,
    key: Keyed,
    /// Numbers drawn so far.
    drawn: u64,
    track: Track,
    /// Time and place at which the drawn part ends.
    ready: (Time, Position),
}

impl RandomWaypoint {
    /// The walk of `node`. `None` where a speed is not positive, the largest is below the smallest, or there is no room.
    pub fn new(config: RandomWaypointConfig, seed: Seed, node: u32) -> Option<RandomWaypoint> {
        let RandomWaypointConfig { slowest_m_per_s, fastest_m_per_s, .. } = config;
        let speeds = slowest_m_per_s > 0.0 && slowest_m_per_s <= fastest_m_per_s;
        let room = config.width_m > 0.0 && config.height_m > 0.0;
        if !(speeds && room && fastest_m_per_s.is_finite()) {
            return None;
        }
        Some(RandomWaypoint::begin(config, seed, node))
    }

    /// The walk of another node, or in another run, by the same rules.
    pub fn anew(&self, seed: Seed, node: u32) -> RandomWaypoint {
        RandomWaypoint::begin(self.config, seed, node)
    }

    fn begin(config: RandomWaypointConfig, seed: Seed, node: u32) -> RandomWaypoint {
        let key = seed.keyed(Purpose::Mobility, u64::from(node));
        let track = Track::fixed(config.corner);
        let mut walk =
            RandomWaypoint { config, key, drawn: 0, track, ready: (Time::ZERO, config.corner) };
        match config.start {
            WaypointStart::Uniform => walk.ready.1 = walk.point(),
            WaypointStart::Stationary => walk.join_stationary(),
        }
        walk
    }

    /// The piece of straight way at `now`.
    pub fn leg(&mut self, now: Time) -> Leg {
        while self.ready.0 <= now {
            let (to, speed) = (self.point(), self.speed());
            self.go(to, speed);
            self.rest(self.config.pause);
        }
        let leg = self.track.leg(now);
        // The last leg that is known ends where the next one is drawn.
        Leg { end: leg.end.min(self.ready.0), ..leg }
    }

    /// On to `to` at `speed`, metres a second.
    fn go(&mut self, to: Position, speed: f64) {
        let (start, from) = self.ready;
        // At least a nanosecond, so that time goes on.
        let span = Span::from_secs(to.distance_m(from) / speed).max(Span(1));
        let velocity = Position::default().plus(to.minus(from), 1.0 / span.as_secs());
        self.track.push(start, from, velocity);
        self.ready = (start + span, to);
    }

    fn rest(&mut self, pause: Span) {
        let (start, place) = self.ready;
        if pause > Span::ZERO {
            self.track.push(start, place, Position::default());
            self.ready.0 = start + pause;
        }
    }

    /// The first leg or pause from the stationary law (Navidi and Camp 2004).
    fn join_stationary(&mut self) {
        let RandomWaypointConfig { slowest_m_per_s: v0, fastest_m_per_s: v1, .. } = self.config;
        let ratio = v1 / v0;
        let slowness = if ratio == 1.0 { 1.0 / v0 } else { libm::log(ratio) / (v1 - v0) };
        let moving_s = mean_distance_m(self.config.width_m, self.config.height_m) * slowness;
        let pause_s = self.config.pause.as_secs();
        if self.unit() * (pause_s + moving_s) < pause_s {
            self.ready.1 = self.point();
            let rest = self.unit() * pause_s;
            self.rest(Span::from_secs(rest));
            return;
        }
        // Ends with a density proportional to their distance, a place uniform between them, slowness preferred.
        let longest = libm::hypot(self.config.width_m, self.config.height_m);
        let (from, to) = loop {
            let (from, to) = (self.point(), self.point());
            if self.unit() * longest < from.distance_m(to) {
                break (from, to);
            }
        };
        let share = self.unit();
        self.ready.1 = from.plus(to.minus(from), share);
        let speed = v0 * libm::pow(ratio, self.unit());
        self.go(to, speed);
        self.rest(self.config.pause);
    }

    fn point(&mut self) -> Position {
        let RandomWaypointConfig { corner, width_m, height_m, .. } = self.config;
        let (x, y) = (self.unit() * width_m, self.unit() * height_m);
        Position { x_m: corner.x_m + x, y_m: corner.y_m + y, ..corner }
    }

    fn speed(&mut self) -> f64 {
        let RandomWaypointConfig { slowest_m_per_s: v0, fastest_m_per_s: v1, .. } = self.config;
        v0 + (v1 - v0) * self.unit()
    }

    fn unit(&mut self) -> f64 {
        self.drawn += 1;
        self.key.unit(self.drawn)
    }
}

/// Mean distance of two uniform points of a rectangle (Ghosh 1951).
fn mean_distance_m(a: f64, b: f64) -> f64 {
    let d = libm::hypot(a, b);
    let (a2, b2) = (a * a, b * b);
    let cubes = a2 * a / b2 + b2 * b / a2 + d * (3.0 - a2 / b2 - b2 / a2);
    let logs = b2 / a * libm::log((a + d) / b) + a2 / b * libm::log((b + d) / a);
    cubes / 15.0 + logs / 6.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(start: WaypointStart, pause: Span) -> RandomWaypointConfig {
        RandomWaypointConfig {
            corner: Position::default(),
            width_m: 300.0,
            height_m: 100.0,
            slowest_m_per_s: 1.0,
            fastest_m_per_s: 20.0,
            pause,
            start,
        }
    }

    fn walk(start: WaypointStart, pause: Span, node: u32) -> RandomWaypoint {
        RandomWaypoint::new(config(start, pause), Seed { seed: 2, replication: 0 }, node).unwrap()
    }

    /// The unit square's 0.521405 (a known constant), and Ghosh's formula against itself turned round.
    #[test]
    fn the_mean_distance_is_ghoshs() {
        assert!((mean_distance_m(1.0, 1.0) - 0.521_405_433).abs() < 1e-8);
        assert!((mean_distance_m(3.0, 1.0) - mean_distance_m(1.0, 3.0)).abs() < 1e-12);
    }

    #[test]
    fn a_walk_is_the_same_whoever_asks_and_stays_inside() {
        let (mut often, mut once) = (
            walk(WaypointStart::Uniform, Span::secs(1), 1),
            walk(WaypointStart::Uniform, Span::secs(1), 1),
        );
        let mut last = Position::default();
        for second in 0..2000 {
            let now = Time(second * 1_000_000_000);
            let leg = often.leg(now);
            assert!(leg.start <= now && now < leg.end);
            last = leg.position(now);
            assert!((0.0..=300.0).contains(&last.x_m) && (0.0..=100.0).contains(&last.y_m));
        }
        let now = Time(1_999_000_000_000);
        assert_eq!(once.leg(now).position(now), last);
    }

    /// The stationary start and the same walks long after have the same mean speed: 5 % of the uniform start's bias shows.
    #[test]
    fn a_stationary_start_needs_no_warm_up() {
        let nodes = 4000;
        let speed = |start, now: Time| {
            let of =
                |node| libm::sqrt(walk(start, Span::secs(5), node).leg(now).velocity.squared());
            (0..nodes).map(of).sum::<f64>() / f64::from(nodes)
        };
        let (fresh, late) = (
            speed(WaypointStart::Stationary, Time::ZERO),
            speed(WaypointStart::Stationary, Time(500_000_000_000)),
        );
        // Closed form: the mean speed over time is distance over time of a trip with its pause.
        let slowness = libm::log(20.0) / 19.0;
        let distance = mean_distance_m(300.0, 100.0);
        let expected = distance / (distance * slowness + 5.0);
        assert!((fresh / expected - 1.0).abs() < 0.04, "{fresh} {expected}");
        assert!((late / expected - 1.0).abs() < 0.04, "{late} {expected}");
        assert!(speed(WaypointStart::Uniform, Time::ZERO) > 1.4 * expected);
    }

    #[test]
    fn a_speed_of_zero_is_refused() {
        let mut config = config(WaypointStart::Uniform, Span::ZERO);
        config.slowest_m_per_s = 0.0;
        assert!(RandomWaypoint::new(config, Seed { seed: 1, replication: 0 }, 0).is_none());
    }
}
