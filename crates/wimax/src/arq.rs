//! ARQ (802.16-2004, 6.3.4): packets in blocks, sent again where they were lost, handed up in order.
//!
//! The receiver's feedback costs nothing and is never lost: what was lost is known to be so when the retry time is over,
//! what came at once.

use crate::config::ArqConfig;
use crate::piece::{OnAir, Piece};
use base::{Span, Time};
use std::collections::VecDeque;

/// A packet that has been begun and not been handed up.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// With its first piece's time on the air.
    packet: Piece,
    /// Bytes that have not come; a packet without bytes has one.
    missing: u64,
    state: State,
}

/// State of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Not handed up yet.
    Waiting,
    /// Handed up before others that began earlier.
    HandedUp,
    /// Its lifetime is over; reported when its turn comes.
    GivenUp,
}

/// Bytes of a packet that were lost.
#[derive(Clone, Copy, Debug)]
struct Again {
    number: u64,
    bytes: u64,
    due: Time,
}

/// A packet that is over.
#[derive(Clone, Copy, Debug)]
pub struct Done {
    /// The packet.
    pub packet: Piece,
    /// Time at which it is handed up or given up.
    pub at: Time,
    /// True if it was given up.
    pub is_lost: bool,
}

/// The repetitions of one connection.
#[derive(Clone, Debug)]
pub struct Arq {
    config: ArqConfig,
    /// Packets in their order; the number of the first.
    open: VecDeque<Open>,
    first: u64,
    /// In the order in which they are due.
    again: VecDeque<Again>,
    /// Packets that the last burst has completed, for the caller to take.
    pub done: Vec<Done>,
    /// Pieces sent again.
    pub resent: u64,
}

impl Arq {
    /// Creates the state of a connection without packets.
    pub fn new(config: ArqConfig) -> Arq {
        let (open, again) = (VecDeque::new(), VecDeque::new());
        Arq { config, open, first: 0, again, done: Vec::new(), resent: 0 }
    }

    /// Lost bytes that are due, and how many pieces they were.
    pub fn due(&self, now: Time) -> (u64, u64) {
        let due = self.again.iter().take_while(|again| again.due <= now);
        due.fold((0, 0), |(pieces, bytes), again| (pieces + 1, bytes + again.bytes))
    }

    /// True where a packet of this size may be begun.
    pub fn may_begin(&self, size: u64) -> bool {
        let blocks = |size: u64| size.div_ceil(u64::from(self.config.block));
        let out: u64 = self.open.iter().map(|open| blocks(open.packet.size)).sum();
        self.open.is_empty() || out + blocks(size) <= u64::from(self.config.window)
    }

    /// Gives packets up whose life is over; true where the last is among them.
    pub fn expire(&mut self, now: Time) -> bool {
        let lifetime = self.config.lifetime;
        let mut last = false;
        for i in 0..self.open.len() {
            let open = &mut self.open[i];
            let began = open.packet.began.unwrap_or(now);
            if lifetime == Span::ZERO || now < began + lifetime {
                break;
            }
            if open.state == State::Waiting && open.missing > 0 {
                open.state = State::GivenUp;
                let number = self.first + i as u64;
                self.again.retain(|again| again.number != number);
                last = i + 1 == self.open.len();
            }
        }
        self.release(now);
        last
    }

    /// The last packet is given up from outside.
    pub fn forget_last(&mut self) {
        if self.open.pop_back().is_some() {
            let number = self.first + self.open.len() as u64;
            self.again.retain(|again| again.number != number);
        }
    }

    /// The bytes that are next to be sent again, and their packet.
    pub fn next_again(&self, now: Time) -> Option<(u64, Piece)> {
        let again = self.again.front().filter(|again| again.due <= now)?;
        Some((again.bytes, self.open[(again.number - self.first) as usize].packet))
    }

    /// Takes `bytes` bytes off the piece to be resent.
    pub fn resend(&mut self, bytes: u64, on_air: OnAir) {
        self.resent += 1;
        let Some(again) = self.again.front_mut() else { return };
        let number = again.number;
        again.bytes -= bytes;
        if again.bytes == 0 {
            self.again.pop_front();
        }
        self.came(number, bytes, on_air);
    }

    /// A piece of the newest packet is sent; it is its first where `is_first`.
    pub fn send(&mut self, piece: Piece, is_first: bool, on_air: OnAir) {
        if is_first {
            let packet = Piece { began: Some(on_air.start), ..piece };
            self.open.push_back(Open { packet, missing: piece.size.max(1), state: State::Waiting });
        }
        let number = self.first + self.open.len() as u64 - 1;
        self.came(number, piece.bytes, on_air);
    }

    /// Bytes of a packet have come, or were lost.
    fn came(&mut self, number: u64, bytes: u64, OnAir { end, is_lost, .. }: OnAir) {
        if is_lost {
            let due = end + self.config.retry;
            return self.again.push_back(Again { number, bytes, due });
        }
        let open = &mut self.open[(number - self.first) as usize];
        open.missing -= if open.packet.size == 0 { 1 } else { bytes };
        if open.missing == 0 && !self.config.in_order {
            open.state = State::HandedUp;
            self.done.push(Done { packet: open.packet, at: end, is_lost: false });
        }
        self.release(end);
    }

    /// Hands up, in order, the packets that no earlier one holds back, and reports those given up among them.
    fn release(&mut self, at: Time) {
        while let Some(&Open { packet, missing, state }) = self.open.front() {
            match state {
                State::Waiting if missing > 0 => return,
                State::Waiting => self.done.push(Done { packet, at, is_lost: false }),
                State::GivenUp => self.done.push(Done { packet, at, is_lost: true }),
                State::HandedUp => {}
            }
            self.open.pop_front();
            self.first += 1;
        }
    }
}
