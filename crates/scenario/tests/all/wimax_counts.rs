//! Counts of an 802.16 cell at the edges of the measured time.

use crate::wimax::{DOWN, document, text};

/// A frame that begins with the measurement is measured, the one that begins at its end is not: 1,200 frames of 5 ms are in
/// 6 s, and no more bursts to a station than that.
#[test]
fn as_many_frames_are_counted_as_are_sent() {
    for (warmup, frames) in [("0 s", 1200), ("1 s", 1000)] {
        let measured =
            text("", DOWN).replace("warmup = \"1 s\"", &format!("warmup = \"{warmup}\""));
        let run = document(&measured);
        assert_eq!(run["wimax"][0]["frames"].as_u64(), Some(frames), "{}", run["wimax"][0]);
        let bursts = run["subscribers"][0]["down"]["bursts"].as_u64();
        assert!(bursts > Some(0) && bursts <= Some(frames), "{bursts:?}");
    }
}
