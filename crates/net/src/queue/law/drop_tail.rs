//! Drop tail, with the simplest of marks: when more than so many wait (RFC 8257 section 3.1).

use crate::queue::limit::{Backlog, Device};
use crate::queue::manage::{Found, Manage, Site, Verdict};
use base::{Options, Time, parameters};

parameters! {
    mark_above = f64::INFINITY, in Packets, "packets that bear marks get one when more than this many wait, they themselves counted (RFC 8257 section 3.1)";
}

/// Whether parameters can be so.
pub(super) fn check(options: &Options) -> Result<(), &'static str> {
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
