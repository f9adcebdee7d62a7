//! Snoop (Balakrishnan, Seshan, Amir and Katz 1995): a base station keeps what a mobile has not acknowledged, sends again what
//! the air has lost, and keeps the duplicate acknowledgements of it from the sender. It acknowledges nothing.

mod duplicates;
#[cfg(test)]
mod tests;

use super::cache::{Cache, Cached};
use super::radio_rtt::RadioRtt;
use super::{Fate, Orders};
use base::{Span, Time};
use duplicates::{Duplicates, Echo};
use net::{Flags, Segment};
use std::ops::{AddAssign, Sub};

/// The parameters of a base station.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SnoopConfig {
    /// The most segments of a connection that it keeps.
    pub cache: usize,
    /// The number of times that it sends a segment again, until the sender does.
    pub retries: u32,
    /// The number of duplicates after which it sends a segment again.
    pub dup_thresh: u32,
    /// The least time that it waits for an acknowledgement before it sends again.
    pub min_timeout: Span,
}

impl Default for SnoopConfig {
    /// The first duplicate counts, as the paper has it; the rest is ns-2's `Snoop`.
    fn default() -> SnoopConfig {
        SnoopConfig { cache: 100, retries: 10, dup_thresh: 1, min_timeout: Span::millis(100) }
    }
}

macro_rules! counts {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: u64,)*
        }

        impl AddAssign for $name {
            fn add_assign(&mut self, other: $name) {
                $(self.$field += other.$field;)*
            }
        }

        impl Sub for $name {
            type Output = $name;

            fn sub(self, before: $name) -> $name {
                $name { $($field: self.$field - before.$field,)* }
            }
        }
    };
}
pub(super) use counts;

counts! {
    /// The counts.
    SnoopStats {
        /// Segments sent to the mobile once more.
        local_retransmissions,
        /// Of those, for want of any acknowledgement in time.
        local_timeouts,
        /// Duplicate acknowledgements that went no further.
        suppressed,
        /// Duplicates that went on: the loss was not on the air, or it could not be repaired from here.
        passed,
        /// Gaps in what came from the wire.
        wire_gaps,
        /// Segments that the sender sent again though they had been here.
        sender_repeats,
        /// Segments for which the cache had no room.
        uncached,
    }
}

/// The data of one connection that go to a mobile, at its base station.
#[derive(Clone, Debug)]
pub struct Snoop {
    config: SnoopConfig,
    cache: Cache,
    /// One past the highest number that came from the wire; 0: none has come.
    seen: u64,
    /// The highest byte that the mobile has acknowledged, as far as known here.
    acked: u64,
    /// The sender has repeated some of that: it has not heard, and hears the next of it, whatever that answers.
    unheard: bool,
    window: u32,
    duplicates: Duplicates,
    rtt: RadioRtt,
    deadline: Time,
    stats: SnoopStats,
}

impl Snoop {
    /// Of a connection of which nothing is known: a new one, or one that has come from elsewhere.
    pub fn new(config: SnoopConfig) -> Snoop {
        Snoop {
            config,
            cache: Cache::new(config.cache),
            seen: 0,
            acked: 0,
            unheard: false,
            window: 0,
            duplicates: Duplicates::default(),
            rtt: RadioRtt::default(),
            deadline: Time::NEVER,
            stats: SnoopStats::default(),
        }
    }

    /// A segment passes to the mobile.
    pub fn on_data(&mut self, now: Time, segment: &Segment) {
        let (start, end) = (segment.seq, segment.end());
        if segment.flags.has(Flags::SYN) || start == end {
            return;
        }
        if end <= self.acked {
            // The mobile has it, and its acknowledgement was lost on the wire: it will say so again.
            self.stats.sender_repeats += 1;
            self.unheard = true;
            self.duplicates.await_echo(Echo::OfSender, self.seen);
        } else if let Some(cached) = self.cache.get_mut(start) {
            self.stats.sender_repeats += 1;
            self.duplicates.await_echo(Echo::OfSender, self.seen);
            *cached = Cached { segment: *segment, sent: now, copies: 0, by_sender: true };
            self.restart_timer(now);
        } else {
            self.enter(now, segment);
        }
        self.seen = self.seen.max(end);
    }

    /// One that is not here.
    fn enter(&mut self, now: Time, segment: &Segment) {
        let in_order = segment.seq >= self.seen;
        self.stats.wire_gaps += u64::from(self.seen > 0 && segment.seq > self.seen);
        let cached = Cached {
            segment: *segment,
            sent: now,
            copies: 0,
            // Lost on the wire before, or late: the mobile's reports about it are for the sender.
            by_sender: !in_order,
        };
        if !self.cache.insert(cached) {
            self.stats.uncached += 1;
        } else if self.deadline == Time::NEVER {
            self.restart_timer(now);
        }
    }

    /// A segment did not get into the station's own queue: that is congestion, and the sender's to repair.
    pub fn on_dropped(&mut self, segment: &Segment) {
        self.cache.forget(segment.seq);
    }

    /// A segment comes from the mobile.
    pub fn on_ack(&mut self, now: Time, segment: &mut Segment, orders: &mut Orders) -> Fate {
        if !segment.flags.has(Flags::ACK) {
            return Fate::Pass;
        }
        if segment.ack > self.acked {
            self.on_new_ack(now, segment, orders);
            return Fate::Pass;
        }
        let pure = segment.len == 0 && segment.flags.without(Flags::MARKS) == Flags::ACK;
        if segment.ack < self.acked || !pure || segment.window != self.window {
            self.window = segment.window;
            return Fate::Pass;
        }
        let fate = match (self.on_duplicate(now, segment, orders), self.unheard) {
            (Fate::Suppress, false) => Fate::Suppress,
            _ => Fate::Pass,
        };
        self.unheard = false;
        match fate {
            Fate::Pass => self.stats.passed += 1,
            Fate::Suppress => self.stats.suppressed += 1,
        }
        fate
    }

    /// The duplicate that was just kept back goes on all the same.
    pub(super) fn pass_after_all(&mut self) {
        self.stats.suppressed -= 1;
        self.stats.passed += 1;
    }

    fn on_new_ack(&mut self, now: Time, segment: &mut Segment, orders: &mut Orders) {
        (self.acked, self.window, self.unheard) = (segment.ack, segment.window, false);
        // What was sent twice does not tell which of both is acknowledged (Karn).
        let last = self.cache.flush(segment.ack);
        if let Some(last) = last.filter(|last| last.copies == 0 && !last.by_sender) {
            self.rtt.sample(last.sent, now);
        }
        self.duplicates.begin(segment.ack);
        self.restart_timer(now);
        if tells_of_more(segment) && self.is_mine() {
            // The next hole is on the air as well. Its blocks would make the sender repair what is repaired here.
            strip(segment);
            self.on_loss(now, orders);
        }
    }

    fn on_duplicate(&mut self, now: Time, segment: &Segment, orders: &mut Orders) -> Fate {
        // With SACK one that tells of nothing beyond was caused by what came twice (RFC 2883).
        let by_repeat = segment.has_sack() && !tells_of_more(segment);
        if let Some(echo) = self.duplicates.take_echo(by_repeat) {
            return if echo == Echo::OfSender { Fate::Pass } else { Fate::Suppress };
        }
        if by_repeat || !self.is_mine() {
            return Fate::Pass;
        }
        self.on_loss(now, orders)
    }

    /// True where the segment that the mobile waits for was lost on the air, and can be sent from here.
    fn is_mine(&mut self) -> bool {
        self.cache.covering(self.acked).is_some_and(|(head, _)| !head.by_sender)
    }

    /// Something beyond what the mobile waits for has come to it.
    fn on_loss(&mut self, now: Time, orders: &mut Orders) -> Fate {
        if !self.duplicates.tells_of_loss(self.config.dup_thresh) {
            return Fate::Suppress;
        }
        if self.retransmit(now, orders) { Fate::Suppress } else { Fate::Pass }
    }

    /// Sends what the mobile waits for; false where that has been tried often enough.
    fn retransmit(&mut self, now: Time, orders: &mut Orders) -> bool {
        let Some((head, beyond)) = self.cache.covering(self.acked) else { return false };
        if head.copies >= self.config.retries {
            self.deadline = Time::NEVER;
            return false;
        }
        (head.copies, head.sent) = (head.copies + 1, now);
        orders.down.push(head.segment);
        self.stats.local_retransmissions += 1;
        self.duplicates.on_repair(beyond);
        self.restart_timer(now);
        true
    }

    /// The time of [`Snoop::next_timeout`] has come.
    pub fn on_timeout(&mut self, now: Time, orders: &mut Orders) {
        self.deadline = Time::NEVER;
        if self.retransmit(now, orders) {
            self.stats.local_timeouts += 1;
            // It may have been late only: then the copy is acknowledged once more.
            self.duplicates.await_echo(Echo::OfCopy, self.seen);
        }
    }

    /// Returns the time for [`Snoop::on_timeout`]; [`Time::NEVER`]: no timer runs.
    pub fn next_timeout(&self) -> Time {
        self.deadline
    }

    fn restart_timer(&mut self, now: Time) {
        let waits = !self.cache.is_empty();
        let timeout = self.rtt.timeout(self.config.min_timeout);
        self.deadline = if waits { now + timeout } else { Time::NEVER };
    }

    /// Sends all that the mobile has not acknowledged.
    pub(super) fn resend_all(&mut self, now: Time, orders: &mut Orders) {
        // A copy that was ordered at this moment is among them.
        self.stats.local_retransmissions -= orders.down.len() as u64;
        orders.down.clear();
        for cached in self.cache.iter_mut() {
            (cached.copies, cached.sent) = (cached.copies + 1, now);
            orders.down.push(cached.segment);
            self.stats.local_retransmissions += 1;
            self.duplicates.await_echo(Echo::OfCopy, self.seen);
        }
        self.restart_timer(now);
    }

    /// Sends the first segment that the mobile has not acknowledged, however often that was done; the timer
    /// is stopped.
    pub(super) fn probe(&mut self, now: Time, orders: &mut Orders) {
        self.deadline = Time::NEVER;
        if let Some((head, _)) = self.cache.covering(self.acked) {
            (head.copies, head.sent) = (head.copies + 1, now);
            orders.down.push(head.segment);
            self.stats.local_retransmissions += 1;
            self.duplicates.await_echo(Echo::OfCopy, self.seen);
        }
    }

    /// Returns the number of segments kept.
    pub fn kept(&self) -> usize {
        self.cache.len()
    }

    /// Returns the counts so far.
    pub fn stats(&self) -> &SnoopStats {
        &self.stats
    }
}

/// True where SACK says that data beyond the acknowledgement have come.
fn tells_of_more(segment: &Segment) -> bool {
    segment.sack_blocks().any(|(start, _)| start > segment.ack)
}

/// Takes the SACK blocks away; they are advice, which a receiver may take back (RFC 2018, section 8).
fn strip(segment: &mut Segment) {
    segment.options = segment.options.without_blocks();
}
