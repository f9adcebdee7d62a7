//! Data from a mobile: a base station that sees what comes over the air knows which holes were lost there, and says so in the
//! acknowledgements that ask for them (explicit loss notification, Balakrishnan 1997). It sends nothing itself.

use net::{Flags, Segment};

/// The most separate ranges that are kept: ns-2's `SNOOP_WLSEQS` is 8.
const MOST: usize = 64;

/// The data of one connection that come from a mobile, at its base station.
#[derive(Clone, Debug, Default)]
pub struct Eln {
    /// Disjoint ranges that came over the air and are not acknowledged, in order.
    ranges: Vec<(u64, u64)>,
    acked: u64,
    /// Acknowledgements that were marked.
    marked: u64,
}

impl Eln {
    /// A segment has come over the air.
    pub fn on_data(&mut self, segment: &Segment) {
        let (mut start, mut end) = (segment.seq.max(self.acked), segment.end());
        if start >= end || segment.flags.has(Flags::SYN) {
            return;
        }
        let first = self.ranges.partition_point(|&(_, e)| e < start);
        let last = self.ranges.partition_point(|&(s, _)| s <= end);
        if let Some(&(s, _)) = self.ranges[first..last].first() {
            start = start.min(s);
        }
        if let Some(&(_, e)) = self.ranges[first..last].last() {
            end = end.max(e);
        }
        self.ranges.splice(first..last, [(start, end)]);
        if self.ranges.len() > MOST {
            self.ranges.pop();
        }
    }

    /// An acknowledgement goes to the mobile: it is marked where it asks for what never came over the air, though later data
    /// did.
    pub fn on_ack(&mut self, segment: &mut Segment) {
        if !segment.flags.has(Flags::ACK) || segment.ack < self.acked {
            return;
        }
        let ack = segment.ack;
        self.acked = ack;
        self.ranges.retain_mut(|(start, end)| {
            *start = (*start).max(ack);
            start < end
        });
        if self.ranges.first().is_some_and(|&(start, _)| start > ack) {
            segment.flags = segment.flags.with(Flags::ELN);
            self.marked += 1;
        }
    }

    /// Returns the number of marked acknowledgements.
    pub fn marked(&self) -> u64 {
        self.marked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(seq: u64, len: u32) -> Segment {
        Segment { seq, len, flags: Flags::ACK, ..Segment::default() }
    }

    fn is_marked(eln: &mut Eln, ack: u64) -> bool {
        let mut segment = Segment { ack, flags: Flags::ACK, ..Segment::default() };
        eln.on_ack(&mut segment);
        segment.flags.has(Flags::ELN)
    }

    #[test]
    fn only_a_hole_in_what_came_over_the_air_is_told() {
        let mut eln = Eln::default();
        for seq in [1, 101, 301] {
            eln.on_data(&data(seq, 100));
        }
        assert!(!is_marked(&mut eln, 101), "101 has come over the air: it was lost on the wire");
        assert!(is_marked(&mut eln, 201));
        assert!(is_marked(&mut eln, 201));
        eln.on_data(&data(201, 100));
        assert!(!is_marked(&mut eln, 201));
        assert!(!is_marked(&mut eln, 401), "nothing is known beyond");
        assert_eq!(eln.marked(), 2);
    }

    #[test]
    fn ranges_join() {
        let mut eln = Eln::default();
        for seq in [1, 201, 401, 101, 301] {
            eln.on_data(&data(seq, 100));
        }
        assert_eq!(eln.ranges, [(1, 501)]);
        for seq in (1000..).step_by(200).take(3 * MOST) {
            eln.on_data(&data(seq, 100));
        }
        assert_eq!(eln.ranges.len(), MOST);
    }
}
