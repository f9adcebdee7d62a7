//! Three scheduling rules, which divide a frame among the stations with demand, in either direction.

use crate::config::Scheduling;

/// The room of a frame, as a rule sees it.
pub trait Room {
    /// Gives a station up to `bytes` more bytes, in at most `symbols` more symbols, and returns the bytes that fitted;
    /// `None`: nothing is left for it.
    fn give(&mut self, station: usize, bytes: u64, symbols: u32) -> Option<u64>;

    /// Symbols left if `more` further stations get a burst, less the gaps and maps that those bursts need.
    fn left(&self, more: u32) -> u32;

    /// Returns true if a station has a burst.
    fn has_burst(&self, station: usize) -> bool;
}

/// A rule at work over the stations of one class.
#[derive(Clone, Debug)]
pub struct Scheduler {
    rule: Scheduling,
    /// First station of the next round.
    next: usize,
    /// Deficit: bytes that a station may have.
    credit: Vec<u64>,
    /// Deficit: the last frame ended in a station's turn, which goes on.
    goes_on: bool,
    /// Weighted: frames that were divided.
    divided: u64,
}

/// A weight's bytes in each round of the deficit rule: a large packet.
const QUANTUM: u64 = 1500;

/// A large prime: its multiples visit all remainders.
const SCATTER: u64 = 2_654_435_761;

impl Scheduler {
    /// Creates a scheduler at rest for `stations` stations.
    pub fn new(rule: Scheduling, stations: usize) -> Scheduler {
        Scheduler { rule, next: 0, credit: vec![0; stations], goes_on: false, divided: 0 }
    }

    /// Gives out what is left; `wants` are bytes by station, which get less by what is given.
    pub fn run(&mut self, wants: &mut [u64], weights: &[u32], room: &mut impl Room) {
        match self.rule {
            Scheduling::RoundRobin => self.in_turn(wants, room),
            Scheduling::Weighted => {
                let unserved = self.by_weight(wants, weights, room);
                self.in_turn(wants, room);
                self.next = unserved.unwrap_or(self.next);
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

    /// Gives each a share of the symbols by its weight. Returns the first station for which the frame has no further burst,
    /// if any.
    ///
    /// The symbols divided are those that all bursts together leave, so that the last gets as much as the first. Shares are
    /// whole symbols: the stations that rounding favours change from frame to frame, so that over many frames each has its
    /// exact share.
    fn by_weight(
        &mut self,
        wants: &mut [u64],
        weights: &[u32],
        room: &mut impl Room,
    ) -> Option<usize> {
        let (mut bursts, mut all, mut unserved) = (0, 0, None);
        for station in turns(self.next, wants.len()).filter(|&station| wants[station] > 0) {
            let more = bursts + u32::from(!room.has_burst(station));
            if room.left(more) == 0 {
                unserved = Some(station);
                break;
            }
            (bursts, all) = (more, all + u64::from(weights[station]));
        }
        let (whole, all) = (u64::from(room.left(bursts)), all.max(1));
        self.divided += 1;
        let mut upto = self.divided.wrapping_mul(SCATTER) % all;
        for station in
            turns(self.next, wants.len()).take_while(|&station| Some(station) != unserved)
        {
            if wants[station] == 0 {
                continue;
            }
            let end = upto + whole * u64::from(weights[station]);
            let share = (end / all - upto / all) as u32;
            upto = end;
            if let Some(got) = room.give(station, wants[station], share) {
                wants[station] = wants[station].saturating_sub(got);
            }
        }
        unserved
    }

    /// Serves rounds of a fixed number of bytes; a station keeps unused credit while it waits (Shreedhar and Varghese
    /// 1996).
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

    /// A frame of symbols of ten bytes. Each burst needs some more for its gap and its map element.
    struct Frame {
        left: u32,
        beside: u32,
        got: Vec<u64>,
    }

    impl Room for Frame {
        fn give(&mut self, station: usize, bytes: u64, symbols: u32) -> Option<u64> {
            let beside = if self.has_burst(station) { 0 } else { self.beside };
            let left = self.left.saturating_sub(beside);
            let symbols = (bytes.div_ceil(10) as u32).min(left).min(symbols);
            if symbols == 0 {
                return None;
            }
            self.left -= symbols + beside;
            let given = bytes.min(10 * u64::from(symbols));
            self.got[station] += given;
            Some(given)
        }

        fn left(&self, more: u32) -> u32 {
            self.left.saturating_sub(more * self.beside)
        }

        fn has_burst(&self, station: usize) -> bool {
            self.got[station] > 0
        }
    }

    /// Bytes that saturated stations have got after `frames` frames of 700 symbols, where each burst takes `beside` of them
    /// for itself.
    fn shares(rule: Scheduling, weights: &[u32], frames: u32, beside: u32) -> Vec<u64> {
        let mut scheduler = Scheduler::new(rule, weights.len());
        let mut all = vec![0; weights.len()];
        for _ in 0..frames {
            let mut frame = Frame { left: 700, beside, got: vec![0; weights.len()] };
            scheduler.run(&mut vec![100_000; weights.len()], weights, &mut frame);
            assert!(frame.left <= beside, "{rule:?} leaves {}", frame.left);
            all.iter_mut().zip(frame.got).for_each(|(all, got)| *all += got);
        }
        all
    }

    #[test]
    fn in_turn_weights_do_not_count() {
        assert_eq!(shares(Scheduling::RoundRobin, &[1, 5, 1], 30, 0), [70_000; 3]);
    }

    #[test]
    fn by_weight_every_frame_is_divided() {
        let weights = [1, 2, 4];
        assert_eq!(shares(Scheduling::Weighted, &weights, 1, 0), [1000, 2000, 4000]);
        let deficit = shares(Scheduling::Deficit, &weights, 300, 0);
        for (bytes, weight) in deficit.iter().zip(weights) {
            let fair = 7000 * 300 * u64::from(weight) / 7;
            assert!(bytes.abs_diff(fair) <= 2 * QUANTUM * u64::from(weight), "{deficit:?}");
        }
    }

    #[test]
    fn at_equal_weights_the_last_in_a_frame_gets_as_much_as_the_first() {
        for rule in [Scheduling::Weighted, Scheduling::Deficit] {
            for stations in 2..12 {
                let got = shares(rule, &vec![1; stations], 600, 9);
                let (least, most) = (got.iter().min(), got.iter().max());
                let (least, most) = (*least.expect("some"), *most.expect("some"));
                // A large packet either way is what one turn more or less of the deficit rule makes.
                assert!(most - least <= 2 * QUANTUM + most / 1000, "{rule:?}, {stations}: {got:?}");
            }
        }
    }

    #[test]
    fn by_weight_those_for_whom_a_frame_has_no_burst_are_first_in_the_next() {
        // Of 700 symbols four bursts leave room, a fifth does not.
        let got = shares(Scheduling::Weighted, &[1; 10], 100, 150);
        assert!(got.iter().all(|&bytes| bytes.abs_diff(got[0]) <= got[0] / 100), "{got:?}");
    }

    #[test]
    fn what_one_does_not_want_is_there_for_others() {
        for rule in [Scheduling::RoundRobin, Scheduling::Weighted, Scheduling::Deficit] {
            let mut scheduler = Scheduler::new(rule, 3);
            let mut frame = Frame { left: 700, beside: 0, got: vec![0; 3] };
            scheduler.run(&mut [100, 0, 100_000], &[5, 5, 1], &mut frame);
            assert_eq!(frame.got, [100, 0, 6900], "{rule:?}");
        }
    }
}
