//! An episode as a row of clusters.

use super::bystanders::Heard;
use crate::frames::Kind;
use base::Time;

/// Frames that began together, or one alone, and the silence before and after.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// The first of the episode's frames that belongs to it, and the one behind its last.
    pub frames: (usize, usize),
    /// When they began.
    pub start: Time,
}

/// An episode that is made of clusters.
#[derive(Clone, Debug, Default)]
pub struct Clusters {
    /// In their order.
    pub list: Vec<Cluster>,
    /// Each of its frames came alone.
    pub is_plain: bool,
    /// When the first of its frames begins.
    pub start: Time,
    /// Until when the last of them keep silent who decode all.
    pub nav: Time,
    /// When the last of its frames ends.
    pub end: Time,
    /// By frame: up to which SINR none of its bits that others disturb can be saved, a ratio; empty where powers decide.
    pub lost_up_to: Vec<f64>,
    /// One of its frames is an RTS.
    pub has_rts: bool,
}

impl Clusters {
    /// Of an episode that is over; false where it is not made of clusters.
    pub fn read(&mut self, frames: &[Heard]) -> bool {
        self.list.clear();
        let Some(first) = frames.first() else { return false };
        (self.start, self.end, self.nav) = (first.frame.start, Time::ZERO, Time::ZERO);
        self.has_rts = false;
        for (i, heard) in frames.iter().enumerate() {
            let start = heard.frame.start;
            match self.list.last_mut() {
                Some(last) if last.start == start => last.frames.1 = i + 1,
                Some(_) if start <= self.end => return false,
                _ => self.list.push(Cluster { frames: (i, i + 1), start }),
            }
            self.end = self.end.max(heard.frame.end());
            self.has_rts |= heard.frame.kind == Kind::Rts;
            self.nav = self.nav.max(heard.frame.nav);
        }
        self.is_plain = self.list.len() == frames.len();
        true
    }
}
