//! Where the unsaid comes from, and what TCP has by it; what else a file leaves unsaid is in the tables of `spec`.

use base::named;
use transport::tcp::{LawName, Recovery, TcpConfig};

named! {
    /// Where the unsaid comes from.
    pub enum Conventions, "set of conventions" {
        Standard = "standard": "the standards: IEEE 802.11-2020 and the RFCs",
        Ns2 = "ns2": "ns-2.35's ways where they differ, for comparison with published studies",
    }
}

impl Conventions {
    /// True for ns-2's.
    pub fn are_ns2(self) -> bool {
        self == Conventions::Ns2
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
