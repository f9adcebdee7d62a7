//! Drop tail with threshold marking: packets are marked while more than a given number wait (RFC 8257 section 3.1).

use super::row::Row;
use crate::queue::limit::{Backlog, Device};
use crate::queue::manage::{Found, Manage, Site, Verdict};
use base::{Options, Time, parameters};

parameters! {
    mark_above = f64::INFINITY, in Packets, "marks ECN-capable packets when more than this many wait, including the packet itself (RFC 8257 section 3.1)";
}

/// Its source, its parameters and how it is asked.
pub(super) const ROW: Row = Row {
    source: "RFC 7567 section 2.1",
    limit: None,
    parameters: &[Params::ALL],
    checks: &[check],
    departs: false,
};

/// Checks the parameters.
fn check(options: &Options) -> Result<(), &'static str> {
    _ = Params::new(options);
    Ok(())
}

/// Drop tail at work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DropTail {
    /// Marks when more wait.
    mark_above: u32,
}

impl DropTail {
    pub fn new(site: &Site<'_>) -> DropTail {
        // A number too large for any queue becomes the largest.
        DropTail { mark_above: Params::new(site.options).mark_above as u32 }
    }
}

impl DropTail {
    /// True where a packet that finds this is not marked, whatever it is.
    #[inline(always)]
    pub fn takes(&self, found: Backlog) -> bool {
        found.packets < self.mark_above || found.device == Device::Idle
    }
}

impl Manage for DropTail {
    fn on_arrival(&mut self, _now: Time, found: &Found) -> Verdict {
        let marks = !self.takes(found.backlog) && found.markable;
        if marks { Verdict::Mark } else { Verdict::Take }
    }
}
