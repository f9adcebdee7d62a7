//! Vegas: as much data in the network as keeps a few segments waiting (Brakmo and Peterson, JSAC 13(8), 1995).
//!
//! | section | here |
//! |---|---|
//! | 4.2 congestion avoidance | `diff = W (1 - base/RTT)`, once a round: `< alpha` +1, `> beta` -1 |
//! | 4.3 slow start | doubles every other round, leaves it when `diff > gamma` |
//! | 4.1 retransmission | a loss costs a quarter of the window |
//!
//! The defaults are ns-2's Vegas (1, 3, 1); the rows `linux-vegas` and `linux26-vegas` have Linux's (2, 4, 1), as ns-3.
//! BaseRTT is "the RTT of a segment when the connection is not congested", and in practice the least that was measured
//! (section 4.2). The handshake is not counted: a SYN is shorter on the wire, and against its round trip a full path without
//! a queue would seem to hold a segment for each hop at the bottleneck's rate, one of the alpha to beta that the paper wants
//! in buffers. The paper's next words, "commonly the RTT of the first segment", may be read for the SYN: `base`.
//!
//! *Deviations.* The check for a fine-grained timeout at the first and second duplicate belongs to recovery, not to a
//! law, and is left out. `diff > beta` takes a whole segment at once, `diff < alpha` adds one at once (ns-2
//! spreads it over the round: `spread`; how it counts: `diff`).
//! The paper compares with the actual rate of one marked segment a round; ns-2 takes
//! the mean of the round (default here), Linux its least. Linux 2.6, as it runs in ns-2, adds the segment to the window
//! of the round before, from which cwnd differs by that very segment one round later: one segment in two rounds, which
//! under random losses costs a factor of sqrt(1/2) (`linux26-vegas`; `reference`).

use super::interface::{Ack, Law, LawRow};
use super::round::Delays;
use super::round::Marked;
use crate::tcp::window::{Loss, Window};
use base::{Options, SWITCH, Time, parameters};

parameters! {
    alpha = 1.0, "fewest segments kept waiting (the paper tries 1 and 2; ns-2: 1; Linux, ns-3: 2)";
    beta = 3.0, "most segments kept waiting (the paper tries 3 and 4; ns-2: 3; Linux, ns-3: 4)";
    gamma = 1.0, "segments waiting at which slow start ends";
    double_every = 2.0, "rounds for which slow start needs to double (paper, ns-2: 2; Linux, ns-3: 1)";
    exit = 0.0, of &["eighth", "target"],
        "leaving slow start: an eighth less (paper, ns-2), or down to the path's content + 1 (Linux)";
    base = 0.0, of &["data", "every"],
        "the least round trip is data's (paper, Linux, ns-2), or that of every segment, the shorter SYN's too (ns-3)";
    rtt = 0.0, of &["mean", "min"], "which round-trip time of the round counts (ns-2: mean; Linux: min)";
    min_samples = 0.0, "a round of no more samples grows as Reno's instead (Linux: 2)";
    spread = 0.0, of SWITCH,
        "the segment more comes with the round's acknowledgements, 1/W each: half with delayed ones (ns-2)";
    reference = 0.0, of &["present", "previous"],
        "the window that a round judges and moves: this one (paper, Linux today, ns-3), or the last (Linux 2.6, ns-2)";
    rounds = 0.0, of &["sequence", "delivery"],
        "a round ends when what was out is acknowledged, or what was sent at its begin; then a recovery begins one (Linux)";
    diff = 0.0, of &["window", "counted"],
        "the segments waiting: from the window (paper), or what is outstanding and what was sent in the round, rounded (ns-2)";
    at_loss = 0.0, of &["share", "threshold"],
        "a loss leaves a part of the window, or the threshold where that is at least a segment less (ns-3)";
    whole = 0.0, of SWITCH,
        "diff over the shortest round trip, and what the path holds, in whole segments; samples of a whole us (Linux)";
    loss = 0.75, "what duplicates leave of the window (paper: 3/4; Linux: 1/2, as Reno)";
    keep = 0.0, "part of the window that the threshold never stays below (Linux, ns-3: 0.75; 0: none)";
}

/// Its source and its parameters.
pub(super) const ROW: LawRow =
    LawRow { year: 1995, paper: "Brakmo and Peterson, JSAC 13(8), 1995", parameters: Params::ALL };

/// Vegas at work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vegas {
    p: Params,
    delays: Delays,
    /// Segments that waited in queues in the last round.
    pub backlog: f64,
    /// The window when the last round ended.
    previous: f64,
    /// Rounds so far.
    round: u32,
    by_delivery: Marked,
    /// The growth for each acknowledgement of this round, segments.
    increment: f64,
    begun: Option<Begun>,
}

/// The beginning of a round, for ns-2's count of it.
#[derive(Clone, Copy, Debug)]
struct Begun {
    at: Time,
    /// Segments sent until then, none of them twice.
    sent: f64,
}

impl Vegas {
    /// A fresh law.
    pub fn new(options: &Options) -> Vegas {
        Vegas { p: Params::new(options), ..Vegas::default() }
    }

    /// `counted`: the segments waiting as ns-2 counts them, where it is to be its way.
    fn end_round(&mut self, w: &mut Window, counted: Option<f64>) {
        let rtt = if self.p.rtt == 1.0 { self.delays.min } else { self.delays.mean() };
        let previous = std::mem::replace(&mut self.previous, w.cwnd);
        let judged = if self.p.reference == 0.0 { w.cwnd } else { previous };
        let diff = counted.unwrap_or_else(|| self.difference(judged, rtt));
        self.backlog = diff;
        self.increment = 0.0;
        if w.in_slow_start() {
            if diff > self.p.gamma {
                self.leave_slow_start(w, self.content(w.cwnd, diff, rtt));
            }
        } else {
            let more = f64::from(i8::from(diff < self.p.alpha) - i8::from(diff > self.p.beta));
            if more > 0.0 && self.p.spread == 1.0 {
                self.increment = 1.0 / w.cwnd;
            } else {
                // From the present window it is the whole step, from the last one at most that.
                w.cwnd = (w.cwnd + (judged + more - w.cwnd).clamp(-1.0, 1.0)).max(2.0);
            }
            if more < 0.0 {
                // Else the way down would be slow start, and the next acknowledgements undo it.
                w.ssthresh = w.ssthresh.min(w.cwnd - 1.0).max(2.0);
            }
        }
        if self.p.keep > 0.0 && !w.in_slow_start() {
            w.ssthresh = w.ssthresh.min(w.cwnd - 1.0).max(self.p.keep * w.cwnd).max(2.0);
        }
    }

    /// The segments waiting as ns-2 counts them (`VegasTcpAgent::recv`), where a round ends: with the first segment that was
    /// sent after its begin. Expected is what is outstanding after the acknowledgement, and one that it lets go; actual is
    /// what was sent in the round. An acknowledgement of two makes expected a segment less than the window, and one that ends
    /// a recovery finds far more sent than outstanding. Its own sample belongs to the next round. A round of one segment sets
    /// the shortest round trip, were it longer than before.
    fn count(&mut self, a: &Ack) -> Option<f64> {
        let sent = a.delivered + a.inflight;
        let outstanding = a.flight - a.covered;
        // Halves, since these are whole numbers out of divisions.
        if self.begun.is_some_and(|begun| sent - outstanding < begun.sent + 0.5) {
            return None;
        }
        let Some(begun) = self.begun.replace(Begun { at: a.now, sent }) else { return Some(0.0) };
        let measured = self.delays.samples > 0.0;
        let rtt = if measured { self.delays.mean() } else { a.now.since(begun.at).as_secs() };
        self.delays.begin_round();
        if rtt <= 0.0 {
            return Some(0.0);
        }
        let in_round = sent - begun.sent;
        if rtt < self.delays.base || in_round < 1.5 {
            self.delays.base = rtt;
        }
        Some(libm::trunc(outstanding + 1.0 - in_round * self.delays.base / rtt + 0.5))
    }

    /// Segments that wait in queues; in whole numbers Linux divides by the shortest round trip where the paper has the
    /// present one.
    fn difference(&self, cwnd: f64, rtt: f64) -> f64 {
        if self.p.whole == 0.0 {
            return self.delays.backlog(cwnd, rtt);
        }
        let (base, rtt) = (micros(self.delays.base), micros(rtt));
        libm::floor(cwnd * (rtt - base) / base)
    }

    /// Segments that the path holds.
    fn content(&self, cwnd: f64, diff: f64, rtt: f64) -> f64 {
        if self.p.whole == 0.0 {
            return cwnd - diff;
        }
        libm::floor(cwnd * micros(self.delays.base) / micros(rtt))
    }

    /// `target` segments fill the path without a queue.
    fn leave_slow_start(&self, w: &mut Window, target: f64) {
        if self.p.exit == 1.0 {
            w.cwnd = w.cwnd.min(target + 1.0).max(2.0);
            w.ssthresh = w.ssthresh.min(w.cwnd - 1.0).max(2.0);
        } else {
            w.cwnd = (w.cwnd * 7.0 / 8.0).max(2.0);
            w.ssthresh = 2.0;
        }
    }
}

/// A round trip in whole us, and one more (`vrtt` in Linux).
fn micros(rtt: f64) -> f64 {
    libm::floor(rtt * 1e6 + 1e-3) + 1.0
}

impl Law for Vegas {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        let counted = if self.p.diff == 1.0 { self.count(a) } else { None };
        let ended = if self.p.diff == 1.0 {
            counted.is_some()
        } else if self.p.rounds == 0.0 {
            a.round_ended
        } else {
            self.by_delivery.ends(a, &mut self.delays)
        };
        self.delays.on_ack(a);
        if let Some(least) = a.min_rtt.get().filter(|_| self.p.base == 1.0) {
            self.delays.base = self.delays.base.min(least.as_secs());
        }
        if a.may_grow() && ended {
            if counted.is_some() || self.delays.samples > self.p.min_samples {
                self.end_round(w, counted);
            } else if !w.in_slow_start() {
                w.grow(a.acked, 1.0);
            }
        }
        if a.may_grow() {
            w.cwnd += self.increment;
        }
        if a.may_grow() && w.in_slow_start() && f64::from(self.round) % self.p.double_every == 0.0 {
            w.grow(a.acked, 0.0);
        }
        if ended {
            self.round = self.round.wrapping_add(1);
            if counted.is_none() {
                self.delays.begin_round();
            }
        }
    }

    fn on_recovered(&mut self, _w: &mut Window) {
        self.by_delivery = Marked::default();
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        let threshold = w.ssthresh.min(w.cwnd - 1.0);
        match why {
            _ if self.p.at_loss == 1.0 => w.shrink(why, threshold),
            Loss::DupAcks => w.cut(base * self.p.loss),
            _ => w.shrink(why, base / 2.0),
        }
        self.increment = 0.0;
        if self.p.diff == 0.0 {
            self.delays.begin_round();
        }
    }
}

#[cfg(test)]
mod tests;
