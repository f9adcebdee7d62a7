//! Losses that were none: what is put back. F-RTO (RFC 5682), Eifel (RFC 3522, 4015) and DSACK (RFC 3708) find them.

use crate::tcp::law::{AnyLaw, Law};
use crate::tcp::tcb::Tcb;
use crate::tcp::window::Window;
use net::Segment;

/// New segments that F-RTO sends to find out (RFC 5682 section 2.1, step 2b; section 3.1, step 2b).
pub const FRTO_SEGMENTS: u32 = 2;

/// The states of F-RTO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frto {
    /// The timeout is taken for what it says.
    Off,
    /// The timer expired; the first acknowledgement is awaited.
    Waiting,
    /// New data are out; the second acknowledgement decides.
    Probing,
}

impl Frto {
    /// The timer expired; `again`: for a loss that is being repaired already.
    pub fn after_timeout(tcb: &Tcb, again: bool) -> Frto {
        let asks = tcb.config.detects_spurious_timeouts() && !again;
        if asks { Frto::Waiting } else { Frto::Off }
    }

    /// Returns its state; from now on it is off.
    pub fn take(&mut self) -> Frto {
        std::mem::replace(self, Frto::Off)
    }
}

/// The clock at the first retransmission since a loss, for the acknowledgement that follows.
#[derive(Clone, Copy, Debug, Default)]
enum FirstStamp {
    /// Nothing was sent again.
    #[default]
    Awaited,
    /// The clock, which is not compared yet.
    At(u32),
    /// It was compared, or there are no timestamps.
    Over,
}

/// The sender as it was before a loss, and what was done since.
#[derive(Clone, Debug, Default)]
pub struct Undo {
    /// What was kept last: its room is used again. There is none where nothing is ever put back.
    saved: Option<Box<(Window, AnyLaw)>>,
    /// It may still be put back.
    is_open: bool,
    /// Retransmissions that DSACK has not reported.
    resent: u32,
    first_stamp: FirstStamp,
}

impl Undo {
    /// Keeps the window and the law as they are before a loss.
    pub fn remember(&mut self, tcb: &Tcb) {
        if !tcb.config.undoes_spurious_cuts() {
            return;
        }
        match &mut self.saved {
            Some(saved) => {
                saved.0 = tcb.window;
                saved.1.clone_from(&tcb.law);
            }
            None => self.saved = Some(Box::new((tcb.window, tcb.law.clone()))),
        }
        (self.is_open, self.resent, self.first_stamp) = (true, 0, FirstStamp::Awaited);
    }

    /// Retransmissions of an earlier recovery are on their way. Where the oldest segment is one of them, with the clock
    /// `stamp`, that is what the next acknowledgement echoes. Neither says anything of what is sent again now (Linux 6.12,
    /// net/ipv4/tcp_input.c, `tcp_init_undo` and `tcp_packet_delayed`).
    pub fn inherit(&mut self, resent: u32, stamp: Option<u32>) {
        self.resent = resent;
        self.first_stamp = stamp.map_or(FirstStamp::Awaited, FirstStamp::At);
    }

    /// A segment is sent again. The first one carries the clock that tells whether it was needed (RFC 3522 section 3.2).
    pub fn on_resend(&mut self, stamp: Option<u32>) {
        self.resent += 1;
        if let FirstStamp::Awaited = self.first_stamp {
            self.first_stamp = stamp.map_or(FirstStamp::Over, FirstStamp::At);
        }
    }

    /// RFC 3522 section 3.2: the first acknowledgement after a retransmission echoes a clock before it.
    pub fn is_refuted_by(&mut self, segment: &Segment) -> bool {
        let FirstStamp::At(first) = self.first_stamp else { return false };
        self.first_stamp = FirstStamp::Over;
        let older = |echo: u32| (echo.wrapping_sub(first) as i32) < 0;
        segment.stamps().is_some_and(|stamps| older(stamps.echo))
    }

    /// Something came twice (RFC 3708 section 3); true where all retransmissions were for nothing.
    pub fn on_dsack(&mut self) -> bool {
        let awaited = self.resent > 0;
        self.resent = self.resent.saturating_sub(1);
        awaited && self.resent == 0
    }

    /// Puts the window and the law back as they were before the loss (RFC 4015 section 3.2); true where that is done.
    pub fn restore(&mut self, tcb: &mut Tcb) -> bool {
        let Some((window, law)) = self.saved.as_deref_mut().filter(|_| self.is_open) else {
            return false;
        };
        self.is_open = false;
        tcb.stats.undone += 1;
        tcb.window.cwnd = tcb.window.cwnd.max(window.cwnd);
        tcb.window.ssthresh = tcb.window.ssthresh.max(window.ssthresh);
        std::mem::swap(&mut tcb.law, law);
        tcb.law.undo(&mut tcb.window);
        tcb.losses.repaired_to(tcb.seq.una());
        true
    }
}
