//! One connection's requests (802.16-2004, 6.3.6, 6.3.8): truncated binary exponential backoff, T16, retries. The state
//! of its side; what the base station knows of it is elsewhere.

use crate::config::{Draw, RequestConfig};
use base::Rng;

/// State of a station's bandwidth request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// No request.
    Idle,
    /// Lets this many opportunities pass, from the first of the present region on.
    Defer(u32),
    /// Waits for a grant; the last request or grant was in this frame.
    Wait(u64),
}

/// Bandwidth wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Bytes of PDUs.
    pub bytes: u64,
    /// Packets that they empty.
    pub packets: u32,
}

/// Action of a station in a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Keeps silent.
    Silent,
    /// Sends its request in this opportunity.
    Send(u32),
}

/// State of T16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expiry {
    /// Not expired.
    None,
    /// The request counts as lost, and is contended for again.
    Again,
    /// Retries used up; holds the bandwidth that was requested.
    GivenUp(Wanted),
}

/// The requests of one connection.
#[derive(Clone, Debug)]
pub struct Requester {
    state: State,
    /// Number of times the window has doubled.
    stage: u32,
    tries: u32,
    /// Bandwidth requested.
    asks: Wanted,
    /// Bytes that it has asked for and counts on.
    out: u64,
    rng: Rng,
}

impl Requester {
    /// One that wants nothing, with random numbers of its own.
    pub fn new(rng: Rng) -> Requester {
        Requester { state: State::Idle, stage: 0, tries: 0, asks: Wanted::default(), out: 0, rng }
    }

    /// Checks whether T16 has expired, after `patience` frames.
    pub fn expire(&mut self, frame: u64, patience: u64, config: &RequestConfig) -> Expiry {
        let State::Wait(since) = self.state else { return Expiry::None };
        if frame - since < patience {
            return Expiry::None;
        }
        self.out = 0;
        self.tries += 1;
        self.stage += 1;
        if self.tries > config.retries {
            self.state = State::Idle;
            return Expiry::GivenUp(self.asks);
        }
        self.draw(config);
        Expiry::Again
    }

    /// True where it neither contends nor waits.
    pub fn is_idle(&self) -> bool {
        self.state == State::Idle
    }

    /// True where its contention has not failed yet.
    pub fn is_first(&self) -> bool {
        self.stage == 0
    }

    /// Begins a contention for what is wanted, where none is under way.
    pub fn begin(&mut self, wanted: Wanted, config: &RequestConfig) {
        if self.state == State::Idle && wanted.packets > 0 {
            (self.stage, self.tries, self.asks) = (0, 0, wanted);
            self.draw(config);
        }
    }

    fn draw(&mut self, config: &RequestConfig) {
        let power = (config.window_start + self.stage).min(config.window_end);
        let window = match config.draw {
            Draw::Exclusive => 1 << power,
            Draw::Inclusive => (1 << power) + 1,
        };
        self.state = State::Defer(self.rng.below(window));
    }

    /// Begins a region of `opportunities` opportunities.
    pub fn step(&mut self, opportunities: u32) -> Step {
        let State::Defer(count) = &mut self.state else { return Step::Silent };
        if *count < opportunities {
            return Step::Send(*count);
        }
        *count -= opportunities;
        Step::Silent
    }

    /// The request goes out in this frame: with what is wanted now, where that is what it says.
    pub fn send(&mut self, frame: u64, wanted: Option<Wanted>) {
        self.asks = wanted.unwrap_or(self.asks);
        self.out = self.asks.bytes;
        self.state = State::Wait(frame);
    }

    /// Bytes requested and not yet granted.
    pub fn outstanding(&self) -> u64 {
        self.out
    }

    /// A ranging request has been heard: contention is over.
    pub fn answered_ranging(&mut self) {
        self.state = State::Idle;
    }

    /// A poll has been answered: contention, if any, is over.
    pub fn answered(&mut self, bytes: u64) {
        self.out = bytes;
    }

    /// Takes a grant of `bytes` bytes into account.
    pub fn granted(&mut self, bytes: u64) {
        self.out = self.out.saturating_sub(bytes);
    }

    /// The burst of a grant has been filled; `more` was asked for in it.
    pub fn after_burst(&mut self, frame: u64, more: u64) {
        self.out += more;
        (self.stage, self.tries) = (0, 0);
        self.state = if self.out > 0 { State::Wait(frame) } else { State::Idle };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{Purpose, Seed};

    fn config(retries: u32) -> RequestConfig {
        RequestConfig { window_end: 4, retries, ..RequestConfig::default() }
    }

    fn requester(owner: u64) -> Requester {
        Requester::new(Seed { seed: 1, replication: 0 }.stream(Purpose::Request, owner))
    }

    /// The opportunity in which it sends, counted from the first of the region in which it draws.
    fn sends_after(requester: &mut Requester) -> u32 {
        let mut passed = 0;
        loop {
            match requester.step(1) {
                Step::Send(_) => return passed,
                Step::Silent => passed += 1,
            }
        }
    }

    #[test]
    fn the_window_doubles_up_to_its_end_and_starts_anew_after_a_grant() {
        let (config, wanted) = (config(16), Wanted { bytes: 100, packets: 1 });
        let mut largest = [0; 4];
        for owner in 0..200 {
            let mut requester = requester(owner);
            requester.begin(wanted, &config);
            for (stage, most) in largest.iter_mut().enumerate() {
                *most = (*most).max(sends_after(&mut requester));
                requester.send(stage as u64, None);
                assert_eq!(requester.expire(stage as u64 + 10, 10, &config), Expiry::Again);
            }
        }
        assert_eq!(largest, [7, 15, 15, 15]);
    }

    #[test]
    fn after_the_last_retry_it_gives_up_what_it_asked_for() {
        let (config, wanted) = (config(1), Wanted { bytes: 100, packets: 2 });
        let mut requester = requester(0);
        requester.begin(wanted, &config);
        for last in [Expiry::Again, Expiry::GivenUp(wanted)] {
            sends_after(&mut requester);
            requester.send(0, None);
            assert_eq!(requester.expire(9, 10, &config), Expiry::None);
            assert_eq!(requester.expire(10, 10, &config), last);
        }
        assert_eq!(requester.step(5), Step::Silent);
    }
}
