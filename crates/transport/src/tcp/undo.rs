//! Losses that were none: F-RTO (RFC 5682), Eifel (RFC 3522, 4015), DSACK (RFC 3708).

use super::law::{AnyLaw, Law};
use super::record::News;
use super::sack::Phase;
use super::sender::Sender;
use super::window::Window;
use base::Time;
use net::Segment;

/// New segments that F-RTO sends to find out (RFC 5682 section 3.1, step 2b).
pub(super) const FRTO_SEGMENTS: u32 = 2;

/// Where F-RTO stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frto {
    /// The timeout is taken for what it says.
    Off,
    /// The timer expired then; the first acknowledgement is awaited.
    Waiting(Time),
    /// New data are out; the second acknowledgement decides.
    Probing,
}

/// The sender as it was before a loss, and what was done since.
#[derive(Clone, Debug, Default)]
pub(super) struct Undo {
    saved: Option<(Window, AnyLaw)>,
    /// Retransmissions that DSACK has not reported.
    resent: u32,
    /// The clock at the first retransmission.
    first_stamp: Option<u32>,
}

impl Undo {
    /// A segment is sent again.
    pub fn on_resend(&mut self, stamp: Option<u32>) {
        self.resent += 1;
        if self.resent == 1 {
            self.first_stamp = stamp;
        }
    }
}

impl Sender {
    /// Keeps the window and the law as they are before a loss.
    pub(super) fn remember_for_undo(&mut self) {
        if !self.config.undoes_spurious_cuts() {
            return;
        }
        let saved = Some((self.window, self.law.clone()));
        self.sack.undo = Undo { saved, ..Undo::default() };
    }

    /// RFC 3522 section 3.2: the first acknowledgement after a retransmission echoes a clock before it.
    pub(super) fn is_spurious_by_stamps(&mut self, segment: &Segment) -> bool {
        let Some(first) = self.sack.undo.first_stamp.take() else { return false };
        let older = |echo: u32| (echo.wrapping_sub(first) as i32) < 0;
        let repairing = !self.by_board || self.sack.phase != Phase::Open;
        segment.stamps().is_some_and(|stamps| older(stamps.echo)) && repairing
    }

    /// [start, end) came twice (RFC 3708 section 3): were all retransmissions for nothing?
    pub(super) fn on_dsack(&mut self, _twice: (u64, u64)) {
        self.stats.dsacks += 1;
        self.sack.rack.on_dsack(self.una, self.max);
        if self.sack.undo.resent == 0 {
            return;
        }
        self.sack.undo.resent -= 1;
        if self.sack.undo.resent == 0 {
            self.undo();
        }
    }

    /// RFC 5682 section 3.1, in the phase after a timeout.
    pub(super) fn follow_frto(
        &mut self,
        now: Time,
        acked: u64,
        news: &News,
        out: &mut Vec<Segment>,
    ) {
        match self.sack.frto {
            Frto::Off => {}
            Frto::Waiting(_) => {
                self.sack.frto = Frto::Off;
                let before = out.len();
                if acked > 0 && self.una < self.recover {
                    for _ in 0..FRTO_SEGMENTS {
                        if let Some(len) = self.fits_before(self.edge) {
                            self.send_new(now, len, out);
                        }
                    }
                }
                if out.len() > before {
                    self.sack.frto = Frto::Probing;
                }
            }
            Frto::Probing => {
                self.sack.frto = Frto::Off;
                // What was sent before the timeout, and only then, has arrived.
                if acked > 0 && news.once.is_some() {
                    self.undo();
                }
            }
        }
    }

    /// Puts the window and the law back as they were before the loss (RFC 4015 section 3.2).
    pub(super) fn undo(&mut self) {
        let Some((window, law)) = self.sack.undo.saved.take() else { return };
        if !self.config.undoes_spurious_cuts() {
            return;
        }
        self.stats.undone += 1;
        self.window.cwnd = self.window.cwnd.max(window.cwnd);
        self.window.ssthresh = self.window.ssthresh.max(window.ssthresh);
        self.law = law;
        self.law.undo(&mut self.window);
        self.sack.board.forgive();
        self.sack.phase = Phase::Open;
        self.sack.frto = Frto::Off;
        self.in_recovery = false;
        self.recover = self.una;
        if !self.by_board {
            // What go-back-N was about to send again has arrived.
            (self.inflation, self.dup_acks, self.nxt) = (0.0, 0, self.max);
        }
    }
}
