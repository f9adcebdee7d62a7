//! One station's view of the medium.

use super::config::Member;
use super::counter::Counter;
use super::counters::Counters;
use super::frame::Slot;
use super::receiver::Lock;
use crate::config::{AccessRule, SilenceRule, SlotRule};
use crate::exchange::Frame;
use crate::frames::{Kind, Timing};
use crate::mlme::Channel;
use crate::outcome::Failure;
use crate::rates::RateRef;
use crate::station::Interval;
use base::{Keyed, Purpose, Seed, Span, StationId, Time};

/// Answer that a sender waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// To its RTS.
    Cts,
    /// To its data, after a CTS or not.
    Ack,
}

/// The parts of [`Timing`] that a station needs whenever the medium changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waits {
    /// SIFS.
    pub sifs: Span,
    /// DIFS, or the queue's AIFS.
    pub difs: Span,
    /// [`Timing::after_error`].
    pub after_error: Span,
    /// [`Timing::after_timeout`].
    pub after_timeout: Span,
    /// [`Timing::nav_timeout`].
    pub nav_timeout: Span,
}

impl Waits {
    /// Those among `timing`.
    pub fn new(timing: &Timing) -> Waits {
        let &Timing { sifs, difs, after_error, after_timeout, nav_timeout, .. } = timing;
        Waits { sifs, difs, after_error, after_timeout, nav_timeout }
    }
}

/// A station's receiver, carrier sense, reservations, and its part of an exchange.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its spaces and waits.
    pub waits: Waits,
    /// Rule for access without a backoff.
    pub access: AccessRule,
    /// Rule for leaving an RTS unanswered.
    pub silence: SilenceRule,
    /// True if it resets a NAV set by an RTS that no frame follows.
    pub resets_nav: bool,
    /// The rates of its present exchange.
    pub rates: RateRef,
    /// Bits sent for its data.
    pub sent_bits: u64,
    /// aSlotTime.
    pub slot: Span,
    /// Starts nearer than this to another's go on regardless; at least 1 ns.
    pub sense_time: Span,
    /// Its backoff; with access functions that of management frames.
    pub counter: Counter,
    /// The backoffs of its access functions, where it has some.
    pub functions: Option<Box<Counters>>,
    /// True where it loses no slots and has no access functions.
    pub is_plain: bool,
    /// Transmissions of others that it notices now.
    pub sensed: u32,
    /// Somebody was noticed since this was last asked.
    pub noticed: bool,
    /// Channel to change to when its exchange is over, and the time for which it is then deaf.
    pub retune: Option<(Channel, Span)>,
    /// Its own frame on the air.
    pub sending: Option<Slot>,
    /// The frame that it listens to.
    pub lock: Option<Lock>,
    /// True if it could not decode the last frame.
    pub errored: bool,
    /// End of its NAV.
    pub nav: Time,
    /// Time at which it resets a NAV set by an RTS unless it hears a frame before; [`Time::NEVER`]: it does not.
    pub nav_reset: Time,
    /// Time before which it counts no slots: it waits for an answer, or has waited in vain.
    pub hold: Time,
    /// Time until which it keeps silent though its NAV is not set.
    pub silent_until: Time,
    /// Answer that it waits for.
    pub awaited: Option<Awaited>,
    /// A CTS has come in this exchange.
    pub cts_came: bool,
    /// Time at which it knows that no answer comes.
    pub deadline: Time,
    /// Frame to be sent after a SIFS.
    pub reply: Option<Frame>,
    /// Start of its exchange, and end of its last frame.
    pub exchange: Interval,
    /// Why its exchange fails, if it does.
    pub blame: Failure,
    /// Draws the error budgets of its receptions.
    pub errors: Keyed,
    /// Draws the slots that it loses; `None`: it loses none.
    pub lost_slots: Option<Keyed>,
    /// Station whose acknowledgement ended the last exchange that it heard, and the time at which it began to count slots
    /// after it.
    pub answerer: (StationId, Time),
}

impl Node {
    /// A station that has heard nothing for long.
    pub fn new(member: &Member, seed: Seed) -> Node {
        let (phy, mac) = (member.station.ladder.phy(), member.station.mac);
        let truncates = mac.slots == SlotRule::Truncated;
        Node {
            waits: Waits::new(&Timing::new(phy, &mac)),
            access: mac.access,
            silence: mac.silence,
            resets_nav: mac.nav_reset,
            rates: RateRef::default(),
            sent_bits: 0,
            slot: phy.slot,
            sense_time: Span(phy.sense_time.0.max(1)),
            counter: Counter::idle(),
            functions: None,
            is_plain: !truncates,
            sensed: 0,
            noticed: false,
            retune: None,
            sending: None,
            lock: None,
            errored: false,
            nav: Time::ZERO,
            nav_reset: Time::NEVER,
            hold: Time::ZERO,
            silent_until: Time::ZERO,
            awaited: None,
            cts_came: false,
            deadline: Time::NEVER,
            reply: None,
            exchange: Interval { start: Time::ZERO, end: Time::ZERO },
            blame: Failure::Channel,
            errors: seed.keyed(Purpose::ChannelError, member.stream),
            lost_slots: truncates.then(|| seed.keyed(Purpose::LostSlot, member.stream)),
            answerer: (StationId(u32::MAX), Time::NEVER),
        }
    }

    /// Returns true if it has lost a slot when it hears `from` begin at `now`.
    pub fn loses_slot(&self, from: StationId, now: Time) -> bool {
        let Some(luck) = self.lost_slots else { return false };
        let counted = self.counter.runs_from();
        (from, counted) == self.answerer
            && now.since(counted) >= self.slot
            && luck.word(now.0) & 1 == 1
    }

    /// True where it neither sends nor notices anybody.
    pub fn is_idle(&self) -> bool {
        self.sensed == 0 && self.sending.is_none()
    }

    /// True where it neither sends nor notices or follows anything, and loses no slots.
    #[inline(always)] // for all whom a frame reaches
    pub fn is_at_leisure(&self) -> bool {
        self.is_idle() && self.lock.is_none() && self.is_plain
    }

    /// True in the midst of an exchange: it sends, waits for an answer or owes one.
    pub fn is_engaged(&self) -> bool {
        let has_txop = || self.functions.as_ref().is_some_and(|functions| functions.is_held);
        self.sending.is_some() || self.awaited.is_some() || self.reply.is_some() || has_txop()
    }

    /// End of its reservations, if it hears nothing more.
    pub fn reserved_until(&self) -> Time {
        self.nav.min(self.nav_reset)
    }

    /// Gives it the backoffs of access functions.
    pub fn employ(&mut self, functions: Counters) {
        (self.functions, self.is_plain) = (Some(Box::new(functions)), false);
    }

    /// Time at which it begins to transmit if the medium stays as it is.
    #[inline(always)] // for all whom a frame reaches
    pub fn start(&self) -> Time {
        let own = self.counter.start(self.slot);
        if self.functions.is_none() { own } else { own.min(self.start_of_functions()) }
    }

    #[cold]
    fn start_of_functions(&self) -> Time {
        self.functions.as_ref().map_or(Time::NEVER, |functions| functions.start())
    }

    /// Time at which slots begin to pass for a function with such a space, on a medium that is idle from `now` on.
    pub fn space_of_function_ends(&self, now: Time, space: Span) -> Time {
        let error = Span(if self.errored { self.error_space().0 } else { 0 });
        let reserved = self.reserved_until().max(self.silent_until);
        (now + error).max(reserved).max(self.hold) + space
    }

    /// What EIFS has more than DIFS or AIFS.
    fn error_space(&self) -> Span {
        Span(self.waits.after_error.0.saturating_sub(self.waits.difs.0))
    }

    /// Time at which slots begin to pass on a medium that is idle from `now` on.
    pub fn space_ends(&self, now: Time) -> Time {
        let difs = self.waits.difs;
        let space = if self.errored { self.waits.after_error } else { difs };
        let reserved = self.reserved_until().max(self.silent_until);
        (now + space).max(reserved + difs).max(self.hold)
    }

    /// A frame comes to a station that had none to send. `draw` gives the slots of a backoff, where one is needed.
    pub fn request(&mut self, now: Time, draw: impl FnOnce() -> u32) {
        let space_ends = self.counter.runs_from();
        let idle = space_ends != Time::NEVER;
        if self.counter.is_finished(now, self.slot) {
            let access = self.access;
            let backs_off = !idle || access == AccessRule::AlwaysBackoff;
            self.counter.draw(if backs_off { draw() } else { 0 });
            if idle {
                let waits = (self.waits.difs, self.slot);
                self.counter.defer(access.earliest(now, space_ends, waits));
            }
            if idle && access == AccessRule::ImmediateAfterDifs {
                self.counter.arm_at_once();
            }
        }
        self.counter.arm();
    }

    /// The medium becomes busy. False where the station is about to begin, and notices it too late. `draw` gives the
    /// slots of a backoff, where its frame now needs one that it had no need of before.
    #[inline(always)] // for all whom a frame reaches
    pub fn sense(&mut self, now: Time, draw: impl FnOnce() -> u32) -> bool {
        let start = self.start();
        if start >= now && start < now + self.sense_time {
            return false;
        }
        self.stop_slots(now, draw);
        true
    }

    /// Slots do not pass any more. `draw` gives those of a backoff, where its frame now needs one.
    #[inline(always)] // for all whom a frame reaches
    pub fn stop_slots(&mut self, now: Time, draw: impl FnOnce() -> u32) {
        self.hear_somebody(now);
        if self.counter.freeze(now, self.slot) {
            self.counter.draw(draw());
            self.counter.arm();
        }
        if self.functions.is_some() {
            self.stop_functions(now);
        }
    }

    #[cold]
    fn stop_functions(&mut self, now: Time) {
        if let Some(functions) = &mut self.functions {
            functions.freeze(now);
        }
    }

    /// Somebody uses what an RTS has reserved.
    #[inline(always)] // for all whom a frame reaches
    pub fn hear_somebody(&mut self, now: Time) {
        if self.nav_reset > now {
            self.nav_reset = Time::NEVER;
        }
    }

    /// Clears errors and waits for answers when it begins to send: nothing heard meanwhile delays it afterwards.
    pub fn go_deaf(&mut self) {
        (self.errored, self.hold) = (false, Time::ZERO);
    }

    /// Lets it count slots again where it notices nobody, and says whether it does.
    #[inline]
    pub fn resume_if_idle(&mut self, now: Time) -> bool {
        let idle = self.is_idle();
        if idle {
            if self.functions.is_some() {
                self.resume_functions(now);
            } else {
                self.counter.resume(self.space_ends(now));
            }
        }
        idle
    }

    /// Lets its functions count slots again, and the backoff of management frames.
    #[cold]
    fn resume_functions(&mut self, now: Time) {
        let Some(mut functions) = self.functions.take() else { return };
        functions.idle_since = now;
        functions.resume(|space| self.space_of_function_ends(now, space));
        let own = self.space_of_function_ends(now, self.waits.difs);
        self.counter.resume(if functions.is_held { Time::NEVER } else { own });
        self.functions = Some(functions);
    }

    /// Handles a decoded frame for another station that lasted until `now`.
    pub fn overhear(&mut self, frame: &Frame, now: Time) {
        self.overhear_at_rate(frame, self.waits.nav_timeout, now);
    }

    /// The same of a frame at whose rate an answer to it, if it is an RTS, must have begun after `nav_timeout` (802.11-2020, 10.3.2.4).
    pub fn overhear_at_rate(&mut self, frame: &Frame, nav_timeout: Span, now: Time) {
        // A reservation that has been given up is none, however long it would have lasted.
        if self.nav_reset <= now {
            (self.nav, self.nav_reset) = (self.nav_reset, Time::NEVER);
        }
        if frame.nav > self.nav {
            self.nav = frame.nav;
            let reset = frame.kind == Kind::Rts && self.resets_nav;
            self.nav_reset = if reset { now + nav_timeout } else { Time::NEVER };
            if let Some(functions) = &mut self.functions {
                functions.reserved_by = frame.owner();
            }
        } else if frame.kind == Kind::End {
            (self.nav, self.nav_reset) = (Time::ZERO, Time::NEVER);
        }
    }

    /// Handles the decoded frames of an exchange of others, of which the last asks for no answer and which reserve the medium until
    /// `nav` at the latest: what [`Node::overhear`] and [`Node::hear_somebody`] of one after the other come to.
    #[inline]
    pub fn overhear_exchange(&mut self, nav: Time) {
        self.errored = false;
        self.nav = self.reserved_until().max(nav);
        self.nav_reset = Time::NEVER;
    }

    /// Returns true if it may answer an RTS that ends at `now`.
    pub fn may_answer(&self, rts: &Frame, now: Time) -> bool {
        // The holder of the TXOP for which it is set is answered all the same (802.11-2020, 10.23.2.4).
        let holder = self.functions.as_ref().map(|functions| functions.reserved_by);
        if holder == Some(rts.from) {
            return true;
        }
        match self.silence {
            SilenceRule::WhileNavIsSet => self.reserved_until() <= now,
            SilenceRule::WhileItAwaitsData => self.silent_until <= now,
        }
    }
}
