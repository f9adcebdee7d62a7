//! Moving pictures: each is sent when it is due, in as many datagrams as it takes.

mod film;
mod memory;
mod trace;

pub use film::FilmModel;
pub use trace::{Trace, TraceError, TraceFormat};

use base::{Purpose, Seed, Span, Time};
use film::Film;
use std::sync::Arc;

/// A video.
#[derive(Clone, Debug, PartialEq)]
pub struct VideoConfig {
    /// Source of the sizes of the pictures.
    pub pictures: Pictures,
    /// The largest payload of a datagram, bytes; more than 0.
    pub packet: u32,
}

/// Source of the sizes of pictures.
#[derive(Clone, Debug, PartialEq)]
pub enum Pictures {
    /// A file.
    Trace {
        /// Trace.
        trace: Arc<Trace>,
        /// Start in the trace.
        start: Start,
        /// True if it starts again when it ends, and then at its first picture.
        looped: bool,
    },
    /// A film of an hour with the statistics of a published one, drawn anew for each flow and replication; it begins
    /// again when it ends.
    Model(FilmModel),
}

/// Start in a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// With the picture that is due so long after the first; round the loop where that is longer.
    At(Span),
    /// With any picture, drawn for each flow and replication.
    Drawn,
}

/// A video at work.
#[derive(Clone, Debug)]
pub struct Video {
    pictures: Playing,
    packet: u32,
}

#[derive(Clone, Debug)]
enum Playing {
    Trace { trace: Arc<Trace>, next: usize, looped: bool },
    Film(Box<Film>),
}

impl Video {
    /// The video of the `flow`-th flow, for a run of `duration`.
    pub fn new(config: &VideoConfig, (seed, flow): (Seed, u64), duration: Span) -> Video {
        let pictures = match &config.pictures {
            Pictures::Trace { trace, start, looped } => {
                let next = match *start {
                    Start::At(offset) => trace.at(offset),
                    Start::Drawn => {
                        let count = trace.pictures().len() as u32;
                        seed.stream(Purpose::App, flow).below(count) as usize
                    }
                };
                Playing::Trace { trace: Arc::clone(trace), next, looped: *looped }
            }
            Pictures::Model(model) => {
                let numbers = seed.keyed(Purpose::App, flow);
                Playing::Film(Box::new(Film::new(*model, numbers, duration)))
            }
        };
        Video { pictures, packet: config.packet }
    }

    /// Size of the picture that is due at `now`, bytes (0: none), and when the next one is.
    pub fn act(&mut self, now: Time) -> (u32, Time) {
        match &mut self.pictures {
            Playing::Film(film) => (film.next_picture(), now + film::CLOCK),
            Playing::Trace { trace, next, looped } => {
                let picture = trace.pictures()[*next];
                *next += 1;
                let ended = *next == trace.pictures().len();
                if ended {
                    *next = 0;
                }
                (picture.bytes, if ended && !*looped { Time::NEVER } else { now + picture.lasts })
            }
        }
    }

    /// The largest payload of a datagram, bytes.
    pub fn packet(&self) -> u32 {
        self.packet
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: Seed = Seed { seed: 1, replication: 0 };

    fn trace(start: Start, looped: bool) -> VideoConfig {
        let text = "1 I 0 500\n2 P 120 300\n3 B 40 0\n4 B 80 100\n";
        let trace = Arc::new(Trace::read(text, TraceFormat::TuBerlin, None).unwrap());
        VideoConfig { pictures: Pictures::Trace { trace, start, looped }, packet: 1000 }
    }

    fn play(config: &VideoConfig, seed: Seed, end: Time) -> Vec<(Time, u32)> {
        let (mut video, mut now) = (Video::new(config, (seed, 0), Span::secs(1)), Time::ZERO);
        let mut played = vec![];
        while now < end {
            let (bytes, next) = video.act(now);
            played.push((now, bytes));
            now = next;
        }
        played
    }

    #[test]
    fn a_loop_has_the_bytes_of_the_file() {
        let played =
            play(&trace(Start::At(Span::ZERO), true), SEED, Time::ZERO + Span::millis(480));
        let ms: Vec<u64> = played.iter().map(|(at, _)| at.0 / 1_000_000).collect();
        assert_eq!(ms, (0..12).map(|i| i * 40).collect::<Vec<_>>());
        let bytes: u32 = played.iter().map(|(_, bytes)| bytes).sum();
        assert_eq!(bytes, 3 * 900);
    }

    #[test]
    fn without_a_loop_it_ends() {
        let played = play(&trace(Start::At(Span::millis(80)), false), SEED, Time::NEVER);
        assert_eq!(played, [(Time::ZERO, 0), (Time::ZERO + Span::millis(40), 100)]);
    }

    #[test]
    fn a_drawn_start_is_any_picture_alike() {
        let mut counts = [0_u32; 4];
        for replication in 0..4000 {
            let first =
                play(&trace(Start::Drawn, true), Seed { replication, ..SEED }, Time(1))[0].1;
            counts[[500, 300, 0, 100].iter().position(|&size| size == first).unwrap()] += 1;
        }
        // Chi-square with 3 degrees of freedom: its 99.9 % quantile is 16.3.
        let chi2: f64 = counts.iter().map(|&c| (f64::from(c) - 1e3).powi(2) / 1e3).sum();
        assert!(chi2 < 16.3, "{counts:?}");
    }
}
