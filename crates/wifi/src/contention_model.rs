//! The contention clock against a model that keeps every station's counter by itself and walks over all of them.

use crate::contention::Contention;
use base::{Span, StationId, Time};
use proptest::prelude::*;

const STATIONS: usize = 6;
const SLOT: Span = Span::micros(20);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Counter {
    Idle,
    Post(u64),
    Armed(u64),
}

/// One counter a station, in slots left; one start of counting a station.
#[derive(Debug)]
struct Model {
    counters: [Counter; STATIONS],
    starts: [Time; STATIONS],
    idle: bool,
}

impl Model {
    fn end(&self, station: usize, left: u64) -> Time {
        self.starts[station] + SLOT * left
    }

    fn next_start(&self) -> Time {
        let ends = (0..STATIONS).filter_map(|i| match self.counters[i] {
            Counter::Armed(left) => Some(self.end(i, left)),
            _ => None,
        });
        ends.min().unwrap_or(Time::NEVER)
    }

    fn finished(&self, station: usize, now: Time) -> bool {
        match self.counters[station] {
            Counter::Idle => true,
            Counter::Post(left) => self.idle && self.end(station, left) <= now,
            Counter::Armed(_) => false,
        }
    }

    fn begin(&mut self, sense: Span) -> Vec<(StationId, Time)> {
        let start = self.next_start();
        let horizon = start + Span(sense.0.max(1));
        let mut winners = Vec::new();
        for i in 0..STATIONS {
            let passed = start.since(self.starts[i]).0 / SLOT.0;
            self.counters[i] = match self.counters[i] {
                Counter::Armed(left) if self.end(i, left) < horizon => {
                    winners.push((StationId(i as u32), self.end(i, left)));
                    Counter::Idle
                }
                Counter::Armed(left) => Counter::Armed(left - passed.min(left)),
                // A post-backoff with no slot left is over, though its inter-frame space was cut short.
                Counter::Post(left) if left <= passed => Counter::Idle,
                Counter::Post(left) => Counter::Post(left - passed),
                Counter::Idle => Counter::Idle,
            };
        }
        self.idle = false;
        winners.sort_by_key(|&(station, at)| (at, station));
        winners
    }
}

/// A frame for a station: at once on an idle medium if it has no backoff, else after one of `draw` slots.
fn arrive(c: &mut Contention, m: &mut Model, station: usize, now: Time, draw: u32) {
    if matches!(m.counters[station], Counter::Armed(_)) {
        return;
    }
    let id = StationId(station as u32);
    let finished = m.finished(station, now);
    assert_eq!(c.is_finished(id, now, m.idle), finished, "station {station} at {now}");
    if finished && m.idle {
        let start = now.max(m.starts[station]);
        assert_eq!(c.space_ends(id), m.starts[station]);
        c.draw_from(id, start, 0);
        (m.starts[station], m.counters[station]) = (start, Counter::Armed(0));
    } else if finished {
        c.draw(id, draw);
        m.counters[station] = Counter::Armed(u64::from(draw));
    } else if let Counter::Post(left) = m.counters[station] {
        m.counters[station] = Counter::Armed(left);
    }
    c.arm(id);
}

proptest! {
    #[test]
    fn the_clock_agrees_with_one_counter_a_station(
        sense_us in prop::sample::select(vec![0_u64, 15]),
        rounds in prop::collection::vec(
            (
                prop::collection::vec((0..STATIONS, 0_u64..900, 0_u32..32), 0..4),
                prop::collection::vec((0..STATIONS, 0_u32..32), 0..3),
                100_u64..3000,
                prop::collection::vec((0..STATIONS, 0_u64..400), 0..3),
                prop::collection::vec(0_u32..64, STATIONS),
                any::<bool>(),
                prop::option::of((prop::collection::vec(any::<bool>(), STATIONS), 0_u64..200)),
            ),
            1..60,
        ),
    ) {
        let sense = Span::micros(sense_us);
        let mut c = Contention::new(STATIONS, 1023, SLOT);
        let mut m = Model {
            counters: [Counter::Idle; STATIONS],
            starts: [Time::ZERO; STATIONS],
            idle: true,
        };
        let mut now = Time::ZERO;
        for (idle_arrivals, busy_arrivals, busy_us, apart, draws, more, split) in rounds {
            for (station, gap, draw) in idle_arrivals {
                let at = (now + Span::micros(gap)).min(m.next_start());
                now = at;
                arrive(&mut c, &mut m, station, at, draw);
                prop_assert_eq!(c.next_start(), m.next_start());
            }
            if m.next_start() == Time::NEVER {
                continue;
            }
            now = m.next_start();
            let mut winners = Vec::new();
            c.begin(sense, &mut winners);
            prop_assert_eq!(&winners, &m.begin(sense));
            for (station, draw) in busy_arrivals {
                if winners.iter().all(|w| w.0.index() != station) {
                    arrive(&mut c, &mut m, station, now, draw);
                }
            }
            now += Span::micros(busy_us);
            m.idle = true;
            m.starts = [now + Span::micros(50); STATIONS];
            let base = now + Span::micros(50);
            let behind = base + Span::micros(split.as_ref().map_or(0, |(_, behind_us)| *behind_us));
            c.resume(behind);
            if let Some((late, _)) = split {
                for (i, is_late) in late.into_iter().enumerate() {
                    c.late_mut()[i] = if is_late { u32::MAX } else { 0 };
                    m.starts[i] = if is_late { behind } else { base };
                }
                c.split(base, sense);
            }
            for (station, wait) in apart {
                let start = now + Span::micros(wait);
                c.set_apart(StationId(station as u32), start);
                m.starts[station] = start;
            }
            for &(id, _) in &winners {
                c.draw(id, draws[id.index()]);
                m.counters[id.index()] = Counter::Post(u64::from(draws[id.index()]));
                if more {
                    c.arm(id);
                    m.counters[id.index()] = Counter::Armed(u64::from(draws[id.index()]));
                }
            }
            c.settle();
            prop_assert_eq!(c.next_start(), m.next_start());
        }
    }
}
