//! Automatic rate fallback, plain and adaptive.
//!
//! ARF (Kamerman and Monteban, "WaveLAN-II: a high-performance wireless LAN for the unlicensed band", 1997): down after
//! two failures in a row; up after ten successes in a row or when a timer expires; the first frame after a step up is a
//! probe, whose failure leads down at once. AARF (Lacage, Manshaei and Turletti, "IEEE 802.11 rate adaptation: a
//! practical approach", 2004, section 3): a probe that fails doubles what the next step up asks for, and a fall by
//! failures in a row makes it small again. The timer counts frames, as both papers' implementations do.

/// The parameters of ARF and AARF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArfConfig {
    /// Successes in a row that lead up. Both papers: 10.
    pub successes: u32,
    /// Failures in a row that lead down. Both papers: 2.
    pub failures: u32,
    /// Frames since the last step after which the next success leads up. AARF's authors: 15.
    pub timer: u32,
    /// AARF: the most that a failed probe lets `successes` grow to; the factor is 2, of the timer as well. `None`: ARF.
    pub most_successes: Option<u32>,
}

impl ArfConfig {
    /// The values of ARF's authors, the timer by Lacage et al.
    pub const ARF: ArfConfig =
        ArfConfig { successes: 10, failures: 2, timer: 15, most_successes: None };
    /// The values of AARF's authors.
    pub const AARF: ArfConfig =
        ArfConfig { successes: 10, failures: 2, timer: 15, most_successes: Some(50) };
}

#[derive(Clone, Debug)]
pub(super) struct Arf {
    config: ArfConfig,
    rung: usize,
    top: usize,
    successes: u32,
    failures: u32,
    frames: u32,
    needed: u32,
    timer: u32,
    probing: bool,
}

impl Arf {
    pub fn new(config: ArfConfig, first: usize, rungs: usize) -> Arf {
        Arf {
            config,
            rung: first,
            top: rungs - 1,
            successes: 0,
            failures: 0,
            frames: 0,
            needed: config.successes,
            timer: config.timer,
            probing: false,
        }
    }

    pub fn rung(&self) -> usize {
        self.rung
    }

    pub fn conclude(&mut self, acknowledged: bool) {
        self.frames += 1;
        if acknowledged {
            self.on_success();
        } else {
            self.on_failure();
        }
    }

    fn on_success(&mut self) {
        (self.successes, self.failures, self.probing) = (self.successes + 1, 0, false);
        let due = self.successes >= self.needed || self.frames >= self.timer;
        if due && self.rung < self.top {
            self.step(self.rung + 1);
            self.probing = true;
        }
    }

    fn on_failure(&mut self) {
        (self.successes, self.failures) = (0, self.failures + 1);
        if self.probing {
            if let Some(most) = self.config.most_successes {
                let doubled = (self.needed * 2).min(most);
                (self.timer, self.needed) = (self.timer * doubled / self.needed, doubled);
            }
            self.step(self.rung.saturating_sub(1));
        } else if self.failures >= self.config.failures {
            (self.needed, self.timer) = (self.config.successes, self.config.timer);
            self.step(self.rung.saturating_sub(1));
        }
    }

    fn step(&mut self, rung: usize) {
        self.rung = rung;
        (self.successes, self.failures, self.frames, self.probing) = (0, 0, 0, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(arf: &mut Arf, results: &str) -> usize {
        for result in results.chars() {
            arf.conclude(result == '+');
        }
        arf.rung()
    }

    #[test]
    fn two_failures_in_a_row_lead_down_and_ten_successes_up() {
        let mut arf = Arf::new(ArfConfig::ARF, 3, 4);
        assert_eq!(told(&mut arf, "-+-+-"), 3);
        assert_eq!(told(&mut arf, "-"), 2);
        assert_eq!(told(&mut arf, "+++++++++"), 2);
        assert_eq!(told(&mut arf, "+"), 3);
        // At the top there is nowhere to go, and at the bottom neither.
        assert_eq!(told(&mut arf, &"+".repeat(40)), 3);
        assert_eq!(told(&mut arf, &"-".repeat(40)), 0);
    }

    #[test]
    fn a_failed_probe_leads_down_at_once() {
        let mut arf = Arf::new(ArfConfig::ARF, 0, 4);
        assert_eq!(told(&mut arf, "++++++++++"), 1);
        assert_eq!(told(&mut arf, "-"), 0);
        // A probe that succeeded is none any more.
        assert_eq!(told(&mut arf, "+++++++++++"), 1);
        assert_eq!(told(&mut arf, "-"), 1);
    }

    #[test]
    fn the_timer_leads_up_where_successes_are_never_ten_in_a_row() {
        let mut arf = Arf::new(ArfConfig::ARF, 0, 4);
        assert_eq!(told(&mut arf, "+++++-++++++-+"), 0);
        assert_eq!(told(&mut arf, "+"), 1);
    }

    #[test]
    fn aarf_asks_for_twice_as_much_after_each_failed_probe() {
        let mut arf = Arf::new(ArfConfig::AARF, 0, 4);
        for needed in [10, 20, 40, 50, 50] {
            assert_eq!(told(&mut arf, &"+".repeat(needed - 1)), 0, "{needed}");
            assert_eq!(told(&mut arf, "+"), 1, "{needed}");
            assert_eq!(told(&mut arf, "-"), 0);
        }
        // Failures in a row bring the first threshold back.
        assert_eq!(told(&mut arf, "--"), 0);
        assert_eq!(told(&mut arf, &"+".repeat(10)), 1);
    }
}
