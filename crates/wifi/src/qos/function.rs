//! An access function (EDCAF) of a station: its queue, its windows, what it sends next, and what becomes of that.

use super::agreement::Action;
use super::attempt::{Attempt, Sends};
use super::category::{AccessParameters, Category};
use super::line::Line;
use super::peer::{Parting, Peer, Rules};
use super::peers::Peers;
use super::stats::AccessStats;
use super::window::{Budget, Msdu, Psdu, Window};
use crate::outcome::Outcome;
use base::{PacketId, Rng, StationId, Time};
use net::DropReason;
use std::collections::VecDeque;

mod asking;
mod backoff;
mod counting;
mod feeding;
mod ordering;
mod parting;
mod receiving;

/// An access function at work.
#[derive(Clone, Debug)]
pub struct Function {
    pub category: Category,
    pub parameters: AccessParameters,
    pub rules: Rules,
    pub stats: AccessStats,
    /// The exchange that runs.
    pub attempt: Option<Attempt>,
    /// That exchange, or the last, has begun since the measurement began.
    is_counted: bool,
    began: Time,
    /// It counts down, or has the medium.
    pub contends: bool,
    cw: u32,
    rng: Rng,
    /// Exchanges in a row that have failed (QSRC).
    failures: u32,
    /// The receiver after whose failures others go first, if nothing has come through since.
    failed: Option<StationId>,
    /// Packets that were never sent.
    line: Line,
    peers: Peers,
    /// The receivers of the aggregates that are built ahead, in order.
    turns: VecDeque<StationId>,
    /// The agreement of the exchange that runs ends with it.
    parting: Option<Parting>,
    /// Action frames, which go before all else.
    actions: VecDeque<Action>,
}

impl Function {
    /// An idle one.
    pub fn new(
        (category, parameters): (Category, AccessParameters),
        rules: Rules,
        line: Line,
        rng: Rng,
    ) -> Function {
        Function {
            category,
            parameters,
            rules,
            stats: AccessStats::default(),
            attempt: None,
            is_counted: false,
            began: Time::ZERO,
            contends: false,
            cw: parameters.cw_min,
            rng,
            failures: 0,
            failed: None,
            line,
            peers: Peers::new(rules.window),
            turns: VecDeque::new(),
            parting: None,
            actions: VecDeque::new(),
        }
    }

    /// Chooses what it sends to [`Function::receiver`], within `budget`. `lost` gets packets whose lifetime is over.
    pub fn begin(
        &mut self,
        now: Time,
        budget: &Budget,
        mut lost: impl FnMut(PacketId),
    ) -> Option<Attempt> {
        let to = self.receiver()?;
        self.expire(now, to, &mut lost);
        let attempt = if self.needs_request(to) {
            Attempt { to, sends: Sends::Request, psdu: Psdu::default() }
        } else {
            let psdu = self.fill(now, to, budget, lost);
            // Of what is sent again the oldest always goes, so one alone begins the window: its ACK says all.
            let sends = match psdu.mpdus {
                0 => return None,
                1 => Sends::Single,
                _ => Sends::Aggregate,
            };
            Attempt { to, sends, psdu }
        };
        (self.attempt, self.is_counted, self.began) = (Some(attempt), true, now);
        self.stats.count_begun(&attempt);
        self.attempt
    }

    /// Gives up what has been sent in vain for too long.
    fn expire(&mut self, now: Time, to: StationId, lost: impl FnMut(PacketId)) {
        let lifetime = self.rules.lifetime;
        let is_last = self.line.waiting_for(to) == 0;
        let expired =
            self.peers.change(to, |peer| peer.window.expire(now, lifetime, is_last, lost));
        self.stats.expired += u64::from(expired);
        self.close_gap(to);
    }

    /// Where MPDUs were given up that the receiver waits for, a request tells it so, if there is an agreement.
    fn close_gap(&mut self, to: StationId) {
        let is_agreed = match self.rules.asks {
            true => self.may_aggregate(to),
            false => self.rules.always_agreed || self.parameters.ampdu > 0,
        };
        let Some(peer) = self.peers.get(to) else { return };
        // Its receiver waits no longer when it hears that the agreement is over.
        if !peer.window.is_behind() || peer.is_silent || peer.agreement.is_ending() {
            return;
        }
        if is_agreed && peer.has_qos {
            self.peers.change(to, |peer| peer.needs_request = true);
        } else {
            // Nothing is held back: each MPDU goes up as it comes.
            self.peers.change(to, |peer| peer.window.request(|_, _| ()));
        }
    }

    fn fill(
        &mut self,
        now: Time,
        to: StationId,
        budget: &Budget,
        mut lost: impl FnMut(PacketId),
    ) -> Psdu {
        let lifetime = self.rules.lifetime;
        let Function { peers, line, stats, .. } = self;
        peers.change(to, |Peer { window, has_qos, .. }| {
            *has_qos = budget.agreed;
            let mut has_some = window.outstanding() > 0;
            let mut filling = window.fill(budget);
            line.hand_out(now, to, |next, behind| {
                if !filling.has_room_for(next.bytes) {
                    return false;
                }
                // One is kept, so that a function that has won the medium never comes up empty.
                if now.since(next.since) > lifetime && (has_some || behind > 0) {
                    stats.expired += 1;
                    lost(next.id);
                    return true;
                }
                has_some = true;
                filling.take(Msdu { id: next.id, since: next.since }, next.bytes);
                true
            });
            filling.finish()
        })
    }

    /// The agreement with a receiver, if there is one.
    pub fn window_to(&self, to: StationId) -> Option<&Window> {
        self.peers.get(to).map(|peer| &peer.window)
    }

    /// The agreement of the exchange that runs.
    pub fn window(&self) -> Option<&Window> {
        self.window_to(self.attempt?.to)
    }

    /// Its exchange has ended at `now`. `lost` gets packets that are given up.
    pub fn conclude(
        &mut self,
        now: Time,
        outcome: Outcome,
        lost: impl FnMut(PacketId, DropReason),
    ) {
        let Some(attempt) = self.attempt.take() else { return };
        let Attempt { to, sends, .. } = attempt;
        let before = self.stats;
        match outcome {
            _ if matches!(sends, Sends::Action | Sends::Request) => {}
            Outcome::NoCts(_) => self.peers.change(to, |peer| peer.window.recall()),
            _ => self.stats.count_sent(&attempt),
        }
        let stays = match outcome {
            _ if sends == Sends::Action => {
                self.conclude_action(outcome);
                true
            }
            Outcome::Success => {
                self.succeed(to, sends, lost);
                self.needs_request(to)
            }
            Outcome::NoCts(failure) | Outcome::NoAck(failure) | Outcome::NoAckAfterCts(failure) => {
                self.stats.count_failure(failure);
                let yields = self.widen() && self.rules.yields;
                let repeats = self.fail((to, sends), outcome, failure.reason(), lost);
                if yields {
                    self.fall_behind(now, to);
                }
                repeats && !yields
            }
        };
        // Its turn is over unless the same is to be sent once more, or asked about.
        if !stays && let Some(place) = self.turns.iter().position(|&turn| turn == to) {
            self.turns.remove(place);
        }
        // What has begun before the measurement does not count.
        if !self.is_counted {
            self.stats = before;
        }
    }

    fn succeed(&mut self, to: StationId, sends: Sends, mut lost: impl FnMut(PacketId, DropReason)) {
        self.narrow();
        self.failed = None;
        let limit = self.rules.ampdu_retry_limit;
        let (acknowledged, given_up) = self.peers.change(to, |peer| {
            peer.note_answer();
            peer.needs_request &= sends != Sends::Request;
            // A block acknowledgement tells of all that its window covers.
            let acknowledged = peer.window.acknowledge(sends != Sends::Single);
            let mut give_up =
                |limit| peer.window.give_up_after(limit, |id| lost(id, DropReason::RetryChannel));
            (acknowledged, limit.map_or(0, &mut give_up))
        });
        self.close_gap(to);
        self.stats.successes += 1;
        self.stats.acknowledged += u64::from(acknowledged);
        self.stats.retry_drops += u64::from(given_up);
    }

    /// An exchange has failed: returns whether the same is to be sent again, or asked about.
    fn fail(
        &mut self,
        (to, sends): (StationId, Sends),
        outcome: Outcome,
        reason: DropReason,
        mut lost: impl FnMut(PacketId, DropReason),
    ) -> bool {
        let was_sent = !matches!(outcome, Outcome::NoCts(_));
        let is_silent = self.peers.get(to).is_some_and(|peer| peer.is_silent);
        let is_over = self.rules.asks && !self.may_aggregate(to);
        let asks = self.rules.request_after_miss && !is_silent && !is_over;
        match sends {
            // It is repeated for a lifetime: nothing else says where the receiver's window is.
            Sends::Request => return self.fail_to_ask(to),
            // What an answer would have said is asked for.
            Sends::Aggregate if was_sent && asks => {
                self.peers.change(to, |peer| peer.needs_request = true);
                return true;
            }
            _ => {}
        }
        let failures = self.peers.change(to, Peer::count_failure);
        if self.rules.retry_limit.is_none_or(|limit| failures < limit) {
            return true;
        }
        let give_up = |peer: &mut Peer| peer.window.give_up_aloft(|id| lost(id, reason));
        let given_up = self.peers.change(to, give_up);
        self.stats.retry_drops += u64::from(given_up);
        self.close_gap(to);
        self.needs_request(to)
    }

    /// As many exchanges in a row have failed as a frame may be sent: other receivers go first.
    fn fall_behind(&mut self, now: Time, to: StationId) {
        self.failed = Some(to);
        self.peers.change(to, |peer| peer.behind_since = now);
    }

    /// A request has failed. One that has for a lifetime is put off: returns false.
    fn fail_to_ask(&mut self, to: StationId) -> bool {
        let (began, lifetime) = (self.began, self.rules.lifetime);
        let is_silent = self.peers.change(to, |peer| {
            peer.unheard_since = peer.unheard_since.min(began);
            if began.since(peer.unheard_since) > lifetime {
                (peer.is_silent, peer.unheard_since) = (true, Time::NEVER);
                peer.needs_request = false;
            }
            peer.is_silent
        });
        if is_silent {
            self.narrow();
        }
        !is_silent
    }
}
