//! Pictures on their way: which arrived whole, and when.

use std::collections::VecDeque;

/// Number of pictures remembered, equal to that of datagrams in [`transport::udp::Sink`]: anything older no longer counts.
const REMEMBERED: usize = 1024;

/// A picture on its way.
#[derive(Clone, Copy, Debug)]
struct UnderWay {
    /// The number of its first datagram.
    first: u64,
    /// Datagrams that have not arrived.
    missing: u32,
    broken: bool,
}

/// Counts of pictures by fate; those neither complete nor with a loss are on their way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PictureCounts {
    /// Handed to the network.
    pub sent: u64,
    /// Arrived whole by the deadline; without one, whole.
    pub in_time: u64,
    /// Arrived whole after it.
    pub late: u64,
    /// A datagram was lost.
    pub broken: u64,
}

/// The pictures of one flow. It allocates when it is made, and never again.
#[derive(Clone, Debug)]
pub struct PicturesUnderWay {
    under_way: VecDeque<UnderWay>,
    /// Counts of pictures by fate.
    pub counts: PictureCounts,
}

impl Default for PicturesUnderWay {
    fn default() -> PicturesUnderWay {
        PicturesUnderWay {
            under_way: VecDeque::with_capacity(REMEMBERED),
            counts: PictureCounts::default(),
        }
    }
}

impl PicturesUnderWay {
    /// Notes that a picture is sent in `datagrams` datagrams, of which the first has the number `first`.
    pub fn on_sent(&mut self, first: u64, datagrams: u32) {
        if self.under_way.len() == REMEMBERED {
            self.under_way.pop_front();
        }
        self.under_way.push_back(UnderWay { first, missing: datagrams, broken: false });
        self.counts.sent += 1;
    }

    /// A datagram arrives for the first time; `late`: after its deadline. A picture is as late as the last of its datagrams.
    pub fn on_datagram(&mut self, number: u64, late: bool) {
        let Some(picture) = self.find(number) else { return };
        picture.missing = picture.missing.saturating_sub(1);
        if picture.missing == 0 {
            *(if late { &mut self.counts.late } else { &mut self.counts.in_time }) += 1;
        }
    }

    /// A datagram is lost.
    pub fn on_lost(&mut self, number: u64) {
        let Some(picture) = self.find(number) else { return };
        let broken = std::mem::replace(&mut picture.broken, true);
        self.counts.broken += u64::from(!broken);
    }

    fn find(&mut self, number: u64) -> Option<&mut UnderWay> {
        let after = self.under_way.partition_point(|picture| picture.first <= number);
        self.under_way.get_mut(after.checked_sub(1)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_whole_with_its_last_datagram_in_any_order() {
        let mut pictures = PicturesUnderWay::default();
        for (first, datagrams) in [(0, 3), (3, 1), (4, 2)] {
            pictures.on_sent(first, datagrams);
        }
        // The second and the third are whole before the first, whose middle comes late; that of the third came in time.
        for (number, late) in [(2, false), (3, true), (0, false), (5, false), (4, false), (1, true)]
        {
            pictures.on_datagram(number, late);
        }
        let counts = PictureCounts { sent: 3, in_time: 1, late: 2, broken: 0 };
        assert_eq!(pictures.counts, counts);
    }

    #[test]
    fn a_picture_breaks_once_and_is_never_whole() {
        let mut pictures = PicturesUnderWay::default();
        pictures.on_sent(0, 3);
        pictures.on_sent(3, 2);
        pictures.on_datagram(0, false);
        pictures.on_lost(1);
        pictures.on_lost(2);
        pictures.on_datagram(3, false);
        let counts = PictureCounts { sent: 2, in_time: 0, late: 0, broken: 1 };
        assert_eq!(pictures.counts, counts);
    }

    #[test]
    fn what_is_too_old_is_forgotten_without_a_trace() {
        let mut pictures = PicturesUnderWay::default();
        for first in 0..REMEMBERED as u64 + 1 {
            pictures.on_sent(first, 1);
        }
        pictures.on_datagram(0, false);
        pictures.on_lost(0);
        assert_eq!(pictures.counts, PictureCounts { sent: 1025, ..PictureCounts::default() });
        pictures.on_datagram(1, false);
        assert_eq!(pictures.counts.in_time, 1);
        assert_eq!(pictures.under_way.capacity(), REMEMBERED);
    }
}
