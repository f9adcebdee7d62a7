//! M-TCP's supervisor host (Brown and Singh 1997): it keeps back the acknowledgement of the last byte that the mobile has
//! acknowledged, so that there is one to say with a window of zero when the mobile is gone: the sender waits then, and loses
//! neither its window nor its timer. The mobile's own leg is repaired as by [`Snoop`].

#[cfg(test)]
mod tests;

use super::snoop::counts;
use super::{Fate, Orders, Snoop, SnoopConfig};
use base::{Span, Time};
use net::{Flags, Segment};
use std::ops::{AddAssign, Sub};

/// The parameters of a supervisor host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MtcpConfig {
    /// Repair on the air.
    pub radio: SnoopConfig,
    /// A mobile that owes acknowledgements and is silent for so long is gone.
    pub silence: Span,
    /// When the mobile has acknowledged everything for this long, the last byte is acknowledged: nothing else
    /// may come.
    pub hold: Span,
    /// While the mobile is gone what it waits for is sent so often.
    pub probe: Span,
}

impl Default for MtcpConfig {
    /// Well below the second that a sender's timer waits at least (RFC 6298, 2.4).
    fn default() -> MtcpConfig {
        MtcpConfig {
            radio: SnoopConfig::default(),
            silence: Span::millis(300),
            hold: Span::millis(100),
            probe: Span::millis(200),
        }
    }
}

counts! {
    /// The counts.
    MtcpStats {
        /// Acknowledgements that were passed on without their last byte.
        held,
        /// Last bytes acknowledged because nothing else came.
        released,
        /// Times that the sender was stopped.
        freezes,
        /// Times that the mobile was gone and there was nothing to stop the sender with.
        missed,
        /// Nanoseconds for which the sender was stopped.
        frozen_ns,
    }
}

/// The data of one connection that go to a mobile, at its supervisor host.
#[derive(Clone, Debug)]
pub struct Mtcp {
    config: MtcpConfig,
    radio: Snoop,
    /// The mobile's latest acknowledgement, as it came.
    latest: Option<Segment>,
    /// The sender got an acknowledgement of all but its last byte.
    holds: bool,
    /// Since when the sender is stopped.
    frozen: Option<Time>,
    /// The mobile is gone then.
    silent_at: Time,
    release_at: Time,
    probe_at: Time,
    stats: MtcpStats,
}

impl Mtcp {
    /// Of a connection of which nothing is known.
    pub fn new(config: MtcpConfig) -> Mtcp {
        Mtcp {
            config,
            radio: Snoop::new(config.radio),
            latest: None,
            holds: false,
            frozen: None,
            silent_at: Time::NEVER,
            release_at: Time::NEVER,
            probe_at: Time::NEVER,
            stats: MtcpStats::default(),
        }
    }

    /// A segment passes to the mobile.
    pub fn on_data(&mut self, now: Time, segment: &Segment) {
        self.radio.on_data(now, segment);
        if self.radio.kept() > 0 {
            self.release_at = Time::NEVER;
            if self.frozen.is_none() && self.silent_at == Time::NEVER {
                self.silent_at = now + self.config.silence;
            }
        }
    }

    /// A segment did not get into the station's own queue.
    pub fn on_dropped(&mut self, segment: &Segment) {
        self.radio.on_dropped(segment);
    }

    /// A segment comes from the mobile.
    pub fn on_ack(&mut self, now: Time, segment: &mut Segment, orders: &mut Orders) -> Fate {
        if !segment.flags.has(Flags::ACK) || segment.flags.has(Flags::SYN) {
            return Fate::Pass;
        }
        let thaws = self.frozen.is_some();
        let fate = self.radio.on_ack(now, segment, orders);
        if thaws {
            self.thaw(now, orders);
        }
        let owes = self.radio.kept() > 0;
        self.silent_at = if owes { now + self.config.silence } else { Time::NEVER };
        match (fate, thaws) {
            (Fate::Suppress, false) => return Fate::Suppress,
            // The sender is to hear of the window that is open again.
            (Fate::Suppress, true) => self.radio.pass_after_all(),
            (Fate::Pass, _) => {}
        }
        self.hold_back(segment);
        self.release_at = if self.holds && !owes { now + self.config.hold } else { Time::NEVER };
        Fate::Pass
    }

    /// Takes the last byte off a new acknowledgement; the window's edge stays where it is.
    fn hold_back(&mut self, segment: &mut Segment) {
        let before = self.latest.map_or(0, |latest| latest.ack);
        if segment.ack < before {
            return;
        }
        self.latest = Some(*segment);
        if segment.ack == before {
            // It says once more, or more of, what the sender is to hear at once: of all that is acknowledged.
            self.holds = false;
        } else if segment.ack > 1 {
            self.holds = true;
            self.stats.held += 1;
            *segment = less(segment);
        }
    }

    /// The mobile is there again: all that it waits for goes out.
    fn thaw(&mut self, now: Time, orders: &mut Orders) {
        if let Some(since) = self.frozen.take() {
            self.stats.frozen_ns += now.since(since).0;
            self.probe_at = Time::NEVER;
            self.radio.resend_all(now, orders);
        }
    }

    /// The mobile's association has ended, or it was silent for long: the sender is stopped.
    pub fn freeze(&mut self, now: Time, orders: &mut Orders) {
        self.silent_at = Time::NEVER;
        let Some(latest) = self.latest.filter(|_| self.holds && self.frozen.is_none()) else {
            self.stats.missed += u64::from(self.frozen.is_none());
            return;
        };
        self.holds = false;
        self.release_at = Time::NEVER;
        orders.up.push(Segment { window: 0, ..pure(&latest) });
        self.frozen = Some(now);
        self.stats.freezes += 1;
        self.probe_at = now + self.config.probe;
    }

    /// The time of [`Mtcp::next_timeout`] has come.
    pub fn on_timeout(&mut self, now: Time, orders: &mut Orders) {
        if now >= self.silent_at {
            self.freeze(now, orders);
        }
        if now >= self.release_at {
            self.release(orders);
        }
        if self.frozen.is_some() {
            if now >= self.probe_at {
                self.radio.probe(now, orders);
                self.probe_at = now + self.config.probe;
            }
        } else if now >= self.radio.next_timeout() {
            self.radio.on_timeout(now, orders);
        }
    }

    fn release(&mut self, orders: &mut Orders) {
        self.release_at = Time::NEVER;
        if let Some(latest) = self.latest.filter(|_| self.holds) {
            self.holds = false;
            self.stats.released += 1;
            orders.up.push(pure(&latest));
        }
    }

    /// Returns the time for [`Mtcp::on_timeout`]; [`Time::NEVER`]: no timer runs.
    pub fn next_timeout(&self) -> Time {
        let repair = match self.frozen {
            Some(_) => self.probe_at,
            None => self.radio.next_timeout(),
        };
        self.silent_at.min(self.release_at).min(repair)
    }

    /// True while the sender is stopped.
    pub fn is_frozen(&self) -> bool {
        self.frozen.is_some()
    }

    /// Returns the counts so far.
    pub fn stats(&self) -> &MtcpStats {
        &self.stats
    }

    /// The repair of the mobile's leg.
    pub fn radio(&self) -> &Snoop {
        &self.radio
    }
}

/// The same without the acknowledgement of its last byte.
fn less(segment: &Segment) -> Segment {
    let window = segment.window.saturating_add(1);
    let options = segment.options.without_blocks();
    let mut one = Segment { ack: segment.ack - 1, window, options, ..*segment };
    for (start, end) in segment.sack_blocks() {
        one.push_sack(start, end);
    }
    one
}

/// An acknowledgement alone that says what a segment says.
fn pure(segment: &Segment) -> Segment {
    let seq = segment.end();
    // What it counts of marks stays: without its ACE field a sender would count others (RFC 9768, 3.2.2).
    let flags = Flags::ACK.with_ace(segment.flags.ace().into());
    let options = segment.options.without_blocks();
    Segment { seq, ack: segment.ack, window: segment.window, flags, options, ..Segment::default() }
}
