//! An episode as a row of clusters.

use super::bystanders::Heard;
use crate::frames::Kind;
use base::Time;

/// Frames that began together, or one alone, and the silence before and after.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// The first of the episode's frames that belongs to it, and the one behind its last.
    pub frames: (usize, usize),
    /// Common start of its frames.
    pub start: Time,
}

/// An episode that is made of clusters.
#[derive(Clone, Debug, Default)]
pub struct Clusters {
    /// In their order.
    pub list: Vec<Cluster>,
    /// Each of its frames came alone.
    pub is_plain: bool,
    /// Start of the first of its frames.
    pub start: Time,
    /// The latest end of the NAV of stations that decode all frames.
    pub nav: Time,
    /// End of the last of its frames.
    pub end: Time,
    /// By frame: up to which SINR none of its bits that others disturb can be saved, a ratio; empty where powers decide.
    pub lost_up_to: Vec<f64>,
    /// True if one of its frames is an RTS.
    pub has_rts: bool,
}

impl Clusters {
    /// Reads an episode that is over; returns false if it does not consist of clusters.
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
