//! Who gets how much of a frame among those who want something: three rules, each a few lines, for either direction.

use crate::config::Scheduling;

/// What a rule asks of the frame.
pub trait Room {
    /// Gives a station so many bytes more, in so many symbols more at the most: how many bytes it got room for; `None`:
    /// nothing is left for it.
    fn give(&mut self, station: usize, bytes: u64, symbols: u32) -> Option<u64>;

    /// Symbols that are left.
    fn left(&self) -> u32;
}

/// A rule at work over the stations of one class.
#[derive(Clone, Debug)]
pub struct Scheduler {
    rule: Scheduling,
    /// Who is first next time.
    next: usize,
    /// Deficit: bytes that a station may have.
    credit: Vec<u64>,
    /// Deficit: the last frame ended in a station's turn, which goes on.
    goes_on: bool,
}

/// A weight's bytes in each round of the deficit rule: a large packet.
const QUANTUM: u64 = 1500;

impl Scheduler {
    /// At rest, among so many stations.
    pub fn new(rule: Scheduling, stations: usize) -> Scheduler {
        Scheduler { rule, next: 0, credit: vec![0; stations], goes_on: false }
    }

    /// Gives out what is left; `wants` are bytes by station, which get less by what is given.
    pub fn run(&mut self, wants: &mut [u64], weights: &[u32], room: &mut impl Room) {
        match self.rule {
            Scheduling::RoundRobin => self.in_turn(wants, room),
            Scheduling::Weighted => {
                self.by_weight(wants, weights, room);
                self.in_turn(wants, room);
            }
            Scheduling::Deficit => self.by_deficit(wants, weights, room),
        }
    }

    /// All that each wants, until nothing is left.
    fn in_turn(&mut self, wants: &mut [u64], room: &mut impl Room) {
        for station in turns(self.next, wants.len()) {
            if wants[station] == 0 {
                continue;
            }
            let Some(got) = room.give(station, wants[station], u32::MAX) else { break };
            wants[station] = wants[station].saturating_sub(got);
            self.next = after(station, wants.len());
        }
    }

    /// First to each a share of the symbols by its weight.
    fn by_weight(&mut self, wants: &mut [u64], weights: &[u32], room: &mut impl Room) {
        let waiting = wants.iter().zip(weights).filter(|(bytes, _)| **bytes > 0);
        let all: u64 = waiting.map(|(_, &weight)| u64::from(weight)).sum();
        let whole = u64::from(room.left());
        for station in turns(self.next, wants.len()) {
            if wants[station] == 0 {
                continue;
            }
            let share = (whole * u64::from(weights[station]) / all.max(1)) as u32;
            if let Some(got) = room.give(station, wants[station], share) {
                wants[station] = wants[station].saturating_sub(got);
            }
        }
    }

    /// Rounds of so many bytes each; what one cannot use now it keeps while it waits (Shreedhar and Varghese 1996).
    fn by_deficit(&mut self, wants: &mut [u64], weights: &[u32], room: &mut impl Room) {
        while wants.iter().any(|&bytes| bytes > 0) {
            for station in turns(self.next, wants.len()) {
                if wants[station] == 0 {
                    self.credit[station] = 0;
                    self.goes_on &= station != self.next;
                    continue;
                }
                if !std::mem::take(&mut self.goes_on) {
                    self.credit[station] += QUANTUM * u64::from(weights[station]);
                }
                let bytes = wants[station].min(self.credit[station]);
                let got = room.give(station, bytes, u32::MAX).unwrap_or(0);
                self.credit[station] = self.credit[station].saturating_sub(got);
                wants[station] = wants[station].saturating_sub(got);
                if got < bytes {
                    (self.next, self.goes_on) = (station, true);
                    return;
                }
            }
        }
    }
}

/// All stations once, from this one on.
fn turns(first: usize, count: usize) -> impl Iterator<Item = usize> {
    (first..count).chain(0..first)
}

fn after(station: usize, count: usize) -> usize {
    if station + 1 < count { station + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame of symbols of ten bytes.
    struct Frame {
        left: u32,
        got: Vec<u64>,
    }

    impl Room for Frame {
        fn give(&mut self, station: usize, bytes: u64, symbols: u32) -> Option<u64> {
            let symbols = (bytes.div_ceil(10) as u32).min(self.left).min(symbols);
            self.left -= symbols;
            self.got[station] += 10 * u64::from(symbols);
            (symbols > 0).then_some(10 * u64::from(symbols))
        }

        fn left(&self) -> u32 {
            self.left
        }
    }

    /// What stations that always want more have got after so many frames of 700 symbols.
    fn shares(rule: Scheduling, weights: &[u32], frames: u32) -> Vec<u64> {
        let mut scheduler = Scheduler::new(rule, weights.len());
        let mut frame = Frame { left: 0, got: vec![0; weights.len()] };
        for _ in 0..frames {
            frame.left = 700;
            let mut wants = vec![100_000; weights.len()];
            scheduler.run(&mut wants, weights, &mut frame);
            assert_eq!(frame.left, 0, "{rule:?}");
        }
        frame.got
    }

    #[test]
    fn in_turn_weights_do_not_count() {
        assert_eq!(shares(Scheduling::RoundRobin, &[1, 5, 1], 30), [70_000; 3]);
    }

    #[test]
    fn by_weight_every_frame_is_divided() {
        let weights = [1, 2, 4];
        assert_eq!(shares(Scheduling::Weighted, &weights, 1), [1000, 2000, 4000]);
        let deficit = shares(Scheduling::Deficit, &weights, 300);
        for (bytes, weight) in deficit.iter().zip(weights) {
            let fair = 7000 * 300 * u64::from(weight) / 7;
            assert!(bytes.abs_diff(fair) <= 2 * QUANTUM * u64::from(weight), "{deficit:?}");
        }
    }

    #[test]
    fn what_one_does_not_want_is_there_for_others() {
        for rule in [Scheduling::RoundRobin, Scheduling::Weighted, Scheduling::Deficit] {
            let mut scheduler = Scheduler::new(rule, 3);
            let mut frame = Frame { left: 700, got: vec![0; 3] };
            scheduler.run(&mut [100, 0, 100_000], &[5, 5, 1], &mut frame);
            assert_eq!(frame.got, [100, 0, 6900], "{rule:?}");
        }
    }
}
