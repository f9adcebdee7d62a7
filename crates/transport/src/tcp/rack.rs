//! RACK: a segment is lost when one sent later enough was delivered (RFC 8985 section 6).

use super::record::NewlyDelivered;
use super::scoreboard::Scoreboard;
use base::{Span, Time};

/// Recoveries for which a wider window of reordering is kept (section 6.2, step 4: RACK.reo_wnd_persist).
const PERSIST: u32 = 16;

/// The state of section 5.2.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rack {
    /// RACK.xmit_ts and RACK.end_seq: the delivered segment that was sent last.
    sent: Time,
    end: u64,
    rtt: Span,
    reordering_seen: bool,
    /// RACK.reo_wnd_mult, less one.
    widened: u32,
    persist: u32,
    /// The end of the round in which DSACK widened the window.
    dsack_round: Option<u64>,
}

/// The inputs of the reordering window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    pub now: Time,
    pub min_rtt: Option<Span>,
    pub srtt: Option<Span>,
    pub in_recovery: bool,
    /// The number of SACKed segments that indicates a loss without waiting, while no reordering was seen.
    pub dup_thresh: u64,
}

impl Rack {
    /// Steps 1 to 3: takes what was delivered.
    pub fn on_delivered(&mut self, context: &Context, newly: &NewlyDelivered) {
        self.reordering_seen |= newly.reordered_by > 0;
        let (Some(newest), Some(last_sent)) = (newly.rack, newly.last_sent) else { return };
        self.rtt = context.now.since(last_sent);
        // RACK_sent_after: of segments that were sent at once the one with the higher number is the later.
        if newest > (self.sent, self.end) {
            (self.sent, self.end) = newest;
        }
    }

    /// Step 4, DSACK's part: `una` and `max` as they are.
    pub fn on_dsack(&mut self, una: u64, max: u64) {
        // A DSACK says that the window was too narrow; several in a round trip say so of the same reordering.
        if self.dsack_round.is_none_or(|end| una >= end) {
            self.dsack_round = Some(max);
            self.widened += 1;
            self.persist = PERSIST;
        }
    }

    /// Step 4: a recovery has ended.
    pub fn on_recovered(&mut self) {
        self.persist = self.persist.saturating_sub(1);
        if self.persist == 0 {
            self.widened = 0;
        }
    }

    /// Step 4: how much later a segment must have been sent.
    fn window(&self, context: &Context, sacked_segments: u64) -> Span {
        // On a path that never reordered, a loss that is certain anyway is not waited for.
        if !self.reordering_seen && (context.in_recovery || sacked_segments >= context.dup_thresh) {
            return Span::ZERO;
        }
        let quarter = context.min_rtt.unwrap_or(Span::ZERO).0 / 4;
        let wide = quarter.saturating_mul(u64::from(self.widened) + 1);
        Span(wide).min(context.srtt.unwrap_or(Span(wide)))
    }

    /// Section 6.3: the timer has expired. The oldest segment is lost, and of the others what was sent long enough ago.
    pub fn mark_at_timeout(&self, context: &Context, board: &mut Scoreboard) {
        let window = self.window(context, board.sacked_segments());
        if let Some(first) = board.first() {
            board.lose(first);
        }
        let mut next = board.oldest_sent();
        while let Some(number) = next {
            next = board.sent_after(number);
            let sent = board.get(number).map(|record| record.sent);
            if sent.is_some_and(|sent| sent + self.rtt + window <= context.now) {
                board.lose(number);
            }
        }
    }

    /// Step 5: marks what is lost, and says when to look again.
    pub fn detect(&self, context: &Context, board: &mut Scoreboard) -> Time {
        let window = self.window(context, board.sacked_segments());
        let mut later = Time::NEVER;
        let mut next = board.oldest_sent();
        while let Some(number) = next {
            next = board.sent_after(number);
            let Some(record) = board.get(number) else { break };
            if (record.sent, record.end) >= (self.sent, self.end) {
                // They are in the order of transmission: later ones were sent after those that have arrived.
                break;
            }
            let due = record.sent + self.rtt + window;
            if due <= context.now {
                board.lose(number);
            } else {
                // The latest of them, as section 6.3 has it: one look for all.
                later = if later == Time::NEVER { due } else { later.max(due) };
            }
        }
        later
    }
}
