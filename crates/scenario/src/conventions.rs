//! Where the unsaid comes from, and what TCP has by it; what else a file leaves unsaid is in the tables of `spec`.

use base::{Span, named};
use transport::tcp::{LawName, NewRenoConfig, PartialAckTimer, Recovery, RtoConfig, TcpConfig};

named! {
    /// Where the unsaid comes from.
    pub enum Conventions, "set of conventions" {
        Standard = "standard": "the standards, which are IEEE 802.11-2020 and the RFCs",
        Ns235 = "ns2.35": "ns-2.35 (2011) where it differs from the standards, for comparison with published studies",
        Ns2 = "ns2": "the same as ns2.35",
        Ns21b8 = "ns2.1b8": "ns-2.1b8 (June to November 2001)",
        Ns21b7 = "ns2.1b7": "ns-2.1b7 (October 2000 to May 2001)",
    }
}

impl Conventions {
    /// True for those of any ns-2.
    pub fn are_ns2(self) -> bool {
        self != Conventions::Standard
    }

    /// True for those of an ns-2 before 2002: it had one rate for all bits of a cell, and counted TCP's header in a packet's
    /// size.
    pub fn are_before_2002(self) -> bool {
        matches!(self, Conventions::Ns21b7 | Conventions::Ns21b8)
    }

    /// TCP with segments of `mss` bytes, where the file gives them, and a window of `window` bytes, where it gives one.
    pub fn tcp(
        self,
        (recovery, law): (Recovery, LawName),
        mss: Option<u32>,
        window: Option<u64>,
    ) -> TcpConfig {
        if !self.are_ns2() {
            let standard = TcpConfig::standard(recovery, law);
            let receive_window = window.unwrap_or(standard.receive_window);
            return TcpConfig { mss: mss.unwrap_or(standard.mss), receive_window, ..standard };
        }
        let mss = mss.unwrap_or(if self.are_before_2002() { 960 } else { 1000 });
        // ns-2's first threshold is the window, in packets; `window_` is 20 unless set.
        let window = window.unwrap_or(20 * u64::from(mss));
        let packets = u32::try_from(window / u64::from(mss)).unwrap_or(u32::MAX);
        let ns2 = TcpConfig::ns2(recovery, mss, packets);
        self.dated(TcpConfig { law, receive_window: window, ..ns2 })
    }

    /// As the version had it, by ns-2's change log and the dates in its `ns-default.tcl`: SYN, initial window of 2 and a
    /// smallest timeout of 1 s on 27 May 2001 (two ticks before, 0.2 s from 2004); limited transmit on 28 November 2001; a tick
    /// of 10 ms on 8 March 2002; NewReno's timer and deflation on 5 May 2003; a first timeout of 3 s in 2006.
    fn dated(self, now: TcpConfig) -> TcpConfig {
        if !self.are_before_2002() {
            return now;
        }
        let (initial_window, min) = match self {
            Conventions::Ns21b7 => (1, Span::millis(200)),
            _ => (2, Span::secs(1)),
        };
        TcpConfig {
            handshake: self != Conventions::Ns21b7,
            initial_window,
            limited_transmit: false,
            rto: RtoConfig {
                initial: Span::secs(6),
                min,
                granularity: Span::millis(100),
                ..now.rto
            },
            newreno: NewRenoConfig { timer: PartialAckTimer::Every, deflate: false, ..now.newreno },
            ..now
        }
    }
}
