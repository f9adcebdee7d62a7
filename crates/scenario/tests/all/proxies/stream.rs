//! The bytes of a flow in two legs, through all connections that its legs have had: where each begins, and what is lost
//! between them when their node dies.

use base::{FlowId, Time};
use world::{SplitFlow, SplitPlan};

pub struct Stream {
    pub legs: SplitFlow,
    pub limit: u64,
    dies: Vec<Time>,
    /// The node is dead, and the source has not opened another connection.
    pub is_down: bool,
    /// The byte at which the present connections begin.
    base: u64,
    /// The sink has all up to here but what is lost.
    high: u64,
    lost: u64,
    /// The part of that after the warm-up, and the number of resets in that time.
    pub lost_measured: u64,
    pub resets: u64,
}

impl Stream {
    pub fn new(split: &SplitPlan, legs: SplitFlow) -> Stream {
        Stream {
            legs,
            limit: split.buffer,
            dies: split.dies.clone(),
            is_down: false,
            base: 0,
            high: 0,
            lost: 0,
            lost_measured: 0,
            resets: 0,
        }
    }

    /// True where this is one of both legs.
    pub fn has(&self, flow: FlowId) -> bool {
        [self.legs.flow, self.legs.beyond].contains(&flow)
    }

    /// Returns the next failure of the node before `now` with something to lose; called until there is none.
    pub fn dies_before(&mut self, now: Time, is_open: bool) -> Option<Time> {
        while let Some(at) = self.dies.first().copied().filter(|&at| at < now) {
            self.dies.remove(0);
            if is_open && !self.is_down {
                return Some(at);
            }
        }
        None
    }

    /// The source knows of `heard` bytes of the present connection that they are acknowledged; the sink has `came`.
    pub fn reset(&mut self, heard: u64, came: u64, is_measured: bool) {
        self.high = self.high.max(self.base + came);
        self.base += heard;
        let lost = self.base.saturating_sub(self.high);
        self.high = self.high.max(self.base);
        self.lost += lost;
        self.is_down = true;
        if is_measured {
            self.lost_measured += lost;
            self.resets += 1;
        }
    }

    /// Returns the bytes that the application at the sink has, where the present connection has delivered `came` bytes.
    pub fn delivered(&self, came: u64) -> u64 {
        self.high.max(self.base + came) - self.lost
    }

    /// Returns the bytes that are at the sink or lost, of all that the source counts.
    pub fn settled(&self, came: u64) -> u64 {
        self.high.max(self.base + came)
    }
}
