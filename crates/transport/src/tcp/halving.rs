//! Rate halving: recovery sends a segment for two that leave the network (Mathis, Semke, Mahdavi and Lahey, "The
//! Rate-Halving Algorithm for TCP Congestion Control", 1999), as Linux did it before PRR.
//!
//! | Linux 2.6, as ns-2's TCP/Linux has it | here |
//! |---|---|
//! | the window of recovery begins as it was, and is never above the data in the network by more than a segment | `on_ack` |
//! | each segment sent takes one off | `on_send` |
//! | down to half the threshold (`tcp_reno_min_cwnd`), or to the threshold for laws without a `min_cwnd` | `limit` |
//! | from below the threshold recovery ends with at most three segments at once (`tcp_moderate_cwnd`) | `Sender::leave_sack_recovery` |

/// Segments that the end of recovery may send at once.
pub(super) const MOST_AT_ONCE: f64 = 3.0;

/// The window of one recovery, bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Halving {
    window: u64,
}

impl Halving {
    /// Recovery begins with the window that was.
    pub fn new(window: u64) -> Halving {
        Halving { window }
    }

    /// An acknowledgement leaves `pipe` bytes in the network.
    pub fn on_ack(&mut self, pipe: u64, mss: u64) {
        self.window = self.window.min(pipe + mss);
    }

    /// A segment has gone; with it `pipe` bytes are in the network.
    pub fn on_send(&mut self, pipe: u64, mss: u64) {
        self.window = self.window.min(pipe.saturating_sub(mss).max(mss));
    }

    /// The most that may be in the network, where recovery leaves at least `segments` whole segments.
    pub fn limit(&self, segments: u64, mss: u64) -> u64 {
        self.window.max(segments * mss)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_second_acknowledgement_sends_a_segment() {
        // A window of 10, threshold 5: one is lost, three are SACKed, two went for them.
        let (mut halving, mut pipe, mut sent) = (Halving::new(10_000), 9000, vec![]);
        for _ in 0..10 {
            halving.on_ack(pipe, 1000);
            let room = halving.limit(2, 1000).saturating_sub(pipe);
            sent.push(room / 1000);
            if room >= 1000 {
                pipe += 1000;
                halving.on_send(pipe, 1000);
            }
            pipe -= 1000;
        }
        assert_eq!(sent, [1, 0, 1, 0, 1, 0, 1, 0, 1, 0]);
    }

    #[test]
    fn it_ends_at_the_least_window() {
        let mut halving = Halving::new(10_000);
        halving.on_ack(1000, 1000);
        assert_eq!((halving.limit(2, 1000), halving.limit(4, 1000)), (2000, 4000));
    }
}
