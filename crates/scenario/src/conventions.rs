//! What TCP has by the conventions; what else a file leaves unsaid is in the tables of `spec`.

use crate::spec::{Conventions, QueueCounts};
use transport::tcp::{LawName, Recovery, TcpConfig};

impl Conventions {
    /// True for ns-2's.
    pub fn are_ns2(self) -> bool {
        self == Conventions::Ns2
    }

    /// What a queue's limit in packets counts.
    pub fn queue_counts(self) -> QueueCounts {
        match self {
            Conventions::Standard => QueueCounts::Waiting,
            Conventions::Ns2 => QueueCounts::WithService,
        }
    }

    /// TCP with segments of `mss` bytes, where the file gives them, and a window of `window` bytes, where it gives one.
    pub fn tcp(
        self,
        (recovery, law): (Recovery, LawName),
        mss: Option<u32>,
        window: Option<u64>,
    ) -> TcpConfig {
        match self {
            Conventions::Ns2 => {
                let mss = mss.unwrap_or(1000);
                // ns-2's first threshold is the window, in packets; `window_` is 20 unless set.
                let window = window.unwrap_or(20 * u64::from(mss));
                let packets = u32::try_from(window / u64::from(mss)).unwrap_or(u32::MAX);
                let ns2 = TcpConfig::ns2(recovery, mss, packets);
                TcpConfig { law, receive_window: window, ..ns2 }
            }
            Conventions::Standard => {
                let standard = TcpConfig::standard(recovery, law);
                let receive_window = window.unwrap_or(standard.receive_window);
                TcpConfig { mss: mss.unwrap_or(standard.mss), receive_window, ..standard }
            }
        }
    }
}
