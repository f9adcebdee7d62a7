//! The machine of a connection, and its counts.

use crate::plan::GuardKind;
use base::Time;
use net::Segment;
use std::ops::{AddAssign, Sub};
use transport::proxy::{Eln, Fate, Mtcp, MtcpStats, Orders, Snoop, SnoopStats};

/// The counts of a flow.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub snoop: SnoopStats,
    pub mtcp: MtcpStats,
    /// Acknowledgements that were marked with explicit loss notification.
    pub marked: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.snoop += other.snoop;
        self.mtcp += other.mtcp;
        self.marked += other.marked;
    }
}

impl Sub for Counts {
    type Output = Counts;

    fn sub(self, before: Counts) -> Counts {
        Counts {
            snoop: self.snoop - before.snoop,
            mtcp: self.mtcp - before.mtcp,
            marked: self.marked - before.marked,
        }
    }
}

/// The machines of a connection.
#[derive(Clone, Debug)]
pub enum Machine {
    /// Data to the mobile, and data from it.
    Snoop(Snoop, Eln),
    /// Data to the mobile.
    Mtcp(Mtcp),
}

impl Machine {
    pub fn new(kind: &GuardKind) -> Machine {
        match kind {
            GuardKind::Snoop(config) => Machine::Snoop(Snoop::new(*config), Eln::default()),
            GuardKind::Mtcp(config) => Machine::Mtcp(Mtcp::new(*config)),
        }
    }

    /// A segment goes to the mobile.
    pub fn on_down(&mut self, now: Time, segment: &mut Segment) {
        match self {
            Machine::Snoop(snoop, eln) => {
                snoop.on_data(now, segment);
                eln.on_ack(segment);
            }
            Machine::Mtcp(mtcp) => mtcp.on_data(now, segment),
        }
    }

    /// A segment comes from the mobile.
    pub fn on_up(&mut self, now: Time, segment: &mut Segment, orders: &mut Orders) -> Fate {
        match self {
            Machine::Snoop(snoop, eln) => {
                eln.on_data(segment);
                snoop.on_ack(now, segment, orders)
            }
            Machine::Mtcp(mtcp) => mtcp.on_ack(now, segment, orders),
        }
    }

    pub fn on_dropped(&mut self, segment: &Segment) {
        match self {
            Machine::Snoop(snoop, _) => snoop.on_dropped(segment),
            Machine::Mtcp(mtcp) => mtcp.on_dropped(segment),
        }
    }

    pub fn on_left(&mut self, now: Time, orders: &mut Orders) {
        match self {
            Machine::Snoop(..) => {}
            Machine::Mtcp(mtcp) => mtcp.freeze(now, orders),
        }
    }

    pub fn on_timeout(&mut self, now: Time, orders: &mut Orders) {
        match self {
            Machine::Snoop(snoop, _) => snoop.on_timeout(now, orders),
            Machine::Mtcp(mtcp) => mtcp.on_timeout(now, orders),
        }
    }

    pub fn next_timeout(&self) -> Time {
        match self {
            Machine::Snoop(snoop, _) => snoop.next_timeout(),
            Machine::Mtcp(mtcp) => mtcp.next_timeout(),
        }
    }

    fn snoop(&self) -> &Snoop {
        match self {
            Machine::Snoop(snoop, _) => snoop,
            Machine::Mtcp(mtcp) => mtcp.radio(),
        }
    }

    /// Returns the number of segments kept.
    pub fn kept(&self) -> u64 {
        self.snoop().kept() as u64
    }

    pub fn counts(&self) -> Counts {
        let snoop = *self.snoop().stats();
        match self {
            Machine::Snoop(_, eln) => Counts { snoop, marked: eln.marked(), ..Counts::default() },
            Machine::Mtcp(mtcp) => Counts { snoop, mtcp: *mtcp.stats(), ..Counts::default() },
        }
    }
}
