//! A link that is not the same for all packets and for all time.

use super::course::{Course, CourseConfig};
use super::jitter::{JitterConfig, Strays};
use super::told::Landed;
use base::{Bytes, PacketId, Purpose, Rate, Rng, Seed, Span, Time};

/// What a link has that is not the same for all packets and for all time.
#[derive(Clone, Debug)]
pub(super) struct Unsteady {
    course: Option<Course>,
    /// Where that does not say: the propagation delay.
    delay: Span,
    jitter: Option<(JitterConfig, Rng)>,
    /// Where packets overtake others.
    strays: Option<Strays>,
    /// The arrival of the last packet, which others wait for where they do not overtake.
    last: Time,
}

impl Unsteady {
    pub fn new(
        (course, jitter): (&Option<CourseConfig>, Option<JitterConfig>),
        delay: Span,
        seed: Seed,
        number: u64,
    ) -> Unsteady {
        let rng = || seed.stream(Purpose::LinkJitter, number);
        let overtakes = jitter.is_some_and(|jitter| jitter.overtakes);
        Unsteady {
            course: course.as_ref().map(Course::new),
            delay,
            jitter: jitter.map(|jitter| (jitter, rng())),
            strays: overtakes.then(Strays::default),
            last: Time::ZERO,
        }
    }

    /// Sends a packet from `start` on: how long that takes, and when it arrives, or would if it were not late.
    #[inline(never)]
    pub fn send(&mut self, start: Time, bytes: u32, rate: Rate) -> (Span, Time) {
        let (departure, delay) = match &mut self.course {
            Some(course) => course.send(start, bytes),
            None => (start + rate.time_for(Bytes(bytes)), self.delay),
        };
        let own = self.jitter.as_mut().map_or(Span::ZERO, |(jitter, rng)| jitter.draw(rng));
        let sending = departure.since(start);
        let arrival = match &mut self.strays {
            Some(strays) => {
                let least = self.course.as_ref().map_or(self.delay, Course::least_delay);
                strays.send(delay - least + own);
                departure + least
            }
            None => (departure + delay + own).max(self.last),
        };
        self.last = arrival;
        (sending, arrival)
    }

    /// The next arrival, where the first in flight would arrive at its time; none where the agenda has it already.
    #[inline(never)]
    pub fn next(&mut self, first: Option<(Time, PacketId)>) -> Option<(Time, PacketId)> {
        let Some(strays) = &mut self.strays else { return first };
        let next = strays.next().into_iter().chain(first).min_by_key(|next| next.0)?;
        strays.announces(next.0).then_some(next)
    }

    /// Probability that a packet is lost that comes at `now`, where that changes.
    pub fn loss(&mut self, now: Time) -> Option<f64> {
        self.course.as_mut().map(|course| course.loss(now))
    }

    /// How much later the packet sent last is than its place among those in flight says.
    pub fn lateness(&self) -> Span {
        self.strays.as_ref().map_or(Span::ZERO, Strays::last)
    }

    /// True where the agenda has to be told of a packet that is put on the line; `is_only`: no other is in flight.
    pub fn announces(&mut self, arrives: Time, is_only: bool) -> bool {
        self.strays.as_mut().map_or(is_only, |strays| strays.announces(arrives))
    }

    /// True where what the agenda says at `now` still holds.
    pub fn is_due(&mut self, now: Time) -> bool {
        self.strays.as_mut().is_none_or(|strays| strays.is_due(now))
    }

    /// The late packet that arrives at `now` (`Err` where it was lost).
    pub fn arrive(&mut self, now: Time) -> Option<Landed> {
        self.strays.as_mut()?.arrive(now)
    }

    /// True where the first of those in flight is late, and comes another time.
    pub fn is_late(&mut self, now: Time, fate: Landed) -> bool {
        self.strays.as_mut().is_some_and(|strays| strays.stray(now, fate))
    }
}
