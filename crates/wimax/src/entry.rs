//! Network entry (802.16-2004, 6.3.9): a station listens until the channels are described, ranges in contention, registers.

use crate::config::{EntryConfig, RequestConfig};
use crate::request::{Expiry, Requester, Step, Wanted};
use base::{Purpose, Seed, Span, Time};

/// Frames of registration: capabilities and registration are requested and answered.
const REGISTRATION_FRAMES: u64 = 4;

impl EntryConfig {
    /// Returns the exponents of the first and of the largest window, where requests have these rules.
    pub fn windows(&self, rules: &RequestConfig) -> (u32, u32) {
        let (start, end) = (rules.window_start, rules.window_end);
        (self.window_start.unwrap_or(start), self.window_end.unwrap_or(end))
    }
}

/// Times of a station's network entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryTimes {
    /// Time at which it was switched on.
    pub on: Time,
    /// Time at which it last heard the channel descriptors and began to range.
    pub heard: Option<Time>,
    /// Time at which it got the answer to its ranging request.
    pub ranged: Option<Time>,
    /// Time at which it had entered the network.
    pub entered: Option<Time>,
    /// Ranging requests that it sent.
    pub attempts: u64,
}

/// Stage of network entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Waits for its switch-on time, or for the channel descriptors.
    Listening,
    /// Contends for ranging, or waits for an answer.
    Ranging,
    /// Registers until then.
    Registering(Time),
}

/// A station that is not in the network.
#[derive(Clone, Debug)]
struct Outsider {
    station: usize,
    stage: Stage,
    requester: Requester,
}

/// Stations outside the network, and the entry times of all.
#[derive(Clone, Debug)]
pub struct Entry {
    /// From the answer to its ranging request until a station is in the network.
    registration: Span,
    /// Rules of the contention.
    rules: RequestConfig,
    /// T3 in frames.
    patience: u64,
    outside: Vec<Outsider>,
    /// By station.
    times: Vec<EntryTimes>,
    /// By opportunity: how many send in it, and the last of them, by its place outside.
    senders: Vec<(u32, usize)>,
}

impl Entry {
    /// All stations are outside, the first of which has random numbers of the owner `first`.
    pub fn new(
        config: &EntryConfig,
        (rules, frame, ranging): (&RequestConfig, Span, u32),
        stations: usize,
        (seed, first): (Seed, u64),
    ) -> Entry {
        let outsider = |station: usize| Outsider {
            station,
            stage: Stage::Listening,
            requester: Requester::new(seed.stream(Purpose::Ranging, first + station as u64)),
        };
        let on = |station: u64| Time::ZERO + config.start + Span(config.apart.0 * station);
        let times = |station| EntryTimes {
            on: on(station),
            heard: None,
            ranged: None,
            entered: None,
            attempts: 0,
        };
        let (window_start, window_end) = config.windows(rules);
        let &EntryConfig { retries, timeout, .. } = config;
        Entry {
            registration: config.registration.unwrap_or(frame * REGISTRATION_FRAMES),
            rules: RequestConfig { window_start, window_end, retries, timeout, ..*rules },
            patience: timeout.0.div_ceil(frame.0),
            outside: (0..stations).map(outsider).collect(),
            times: (0..stations as u64).map(times).collect(),
            senders: vec![(0, 0); ranging as usize],
        }
    }

    /// Entry times of a station.
    pub fn times(&self, station: usize) -> &EntryTimes {
        &self.times[station]
    }

    /// True where all stations are in the network.
    pub fn is_over(&self) -> bool {
        self.outside.is_empty()
    }

    /// Stations that are not in the network.
    pub fn outside(&self) -> impl Iterator<Item = usize> {
        self.outside.iter().map(|outsider| outsider.station)
    }

    /// Begins a frame: calls `told` for each station that is in the network from now on.
    pub fn admit(&mut self, now: Time, mut told: impl FnMut(usize)) {
        let Entry { outside, times, .. } = self;
        outside.retain(|outsider| {
            let Stage::Registering(until) = outsider.stage else { return true };
            if until <= now {
                times[outsider.station].entered = Some(now);
                told(outsider.station);
            }
            until > now
        });
    }

    /// Plays the ranging region of a frame that began at `start`; `described`: the frame has the channel descriptors. A
    /// station alone in its opportunity has the answer when the next frame begins. Calls `sends` for each sender with its
    /// opportunity.
    pub fn range(
        &mut self,
        frame: u64,
        (start, next): (Time, Time),
        described: bool,
        mut sends: impl FnMut(usize, u32),
    ) {
        let Entry { registration, rules, patience, outside, times, senders } = self;
        senders.fill((0, 0));
        let opportunities = senders.len() as u32;
        for (place, outsider) in outside.iter_mut().enumerate() {
            let (times, requester) = (&mut times[outsider.station], &mut outsider.requester);
            if let Expiry::GivenUp(_) = requester.expire(frame, *patience, rules) {
                (outsider.stage, times.heard) = (Stage::Listening, None);
            }
            if outsider.stage == Stage::Listening && described && start >= times.on {
                (outsider.stage, times.heard) = (Stage::Ranging, Some(start));
                requester.begin(Wanted { bytes: 0, packets: 1 }, rules);
            }
            if outsider.stage == Stage::Ranging
                && let Step::Send(opportunity) = requester.step(opportunities)
            {
                requester.send(frame, None);
                times.attempts += 1;
                sends(outsider.station, opportunity);
                let sender = &mut senders[opportunity as usize];
                *sender = (sender.0 + 1, place);
            }
        }
        for &(_, place) in senders.iter().filter(|sender| sender.0 == 1) {
            let outsider = &mut outside[place];
            outsider.requester.answered_ranging();
            times[outsider.station].ranged = Some(next);
            outsider.stage = Stage::Registering(next + *registration);
        }
    }
}
