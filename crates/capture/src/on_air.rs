//! A frame as its receivers see it.

use crate::band::Tuned;
use crate::dot11::{DATA_HEADER, FCS};
use crate::pcapng::Way;
use crate::radiotap::{Ampdu, CCK, OFDM, Radiotap};
use crate::sorter::Record;
use base::{Rate, Span, Time};
use std::sync::Arc;
use wifi::Sent;

/// A frame on the air: its bytes, and the metadata of a receiver.
#[derive(Clone, Debug)]
pub struct OnAir {
    /// The MPDU, as much of it as is kept.
    kept: Arc<[u8]>,
    /// Its whole length.
    len: usize,
    tap: Radiotap,
    /// Its first and its last instant.
    pub span: (Time, Time),
}

/// A PLCP with the short preamble (802.11-2020, 16.2.2.3).
const SHORT_PREAMBLE: Span = Span::micros(96);

impl OnAir {
    /// `frame`, whose bytes are `mpdu`, or one of whose MPDUs they are, on a channel. At most `snap` bytes of it are kept, radiotap
    /// included.
    pub fn new(
        frame: &Sent,
        (mpdu, ampdu): (&[u8], Option<Ampdu>),
        channel: Tuned,
        snap: usize,
    ) -> OnAir {
        let modulation = if is_dsss(frame.rate) && frame.mode.is_none() { CCK } else { OFDM };
        let tap = Radiotap {
            tsft_us: (frame.start + frame.plcp).0 / 1000,
            short_preamble: frame.plcp == SHORT_PREAMBLE,
            bad_fcs: false,
            rate_bps: frame.rate.0,
            mode: frame.mode,
            ampdu,
            frequency_mhz: channel.frequency_mhz,
            channel_flags: channel.flags | modulation,
            signal_dbm: None,
        };
        OnAir {
            kept: Arc::from(&mpdu[..mpdu.len().min(snap.saturating_sub(tap.most()))]),
            len: mpdu.len(),
            tap,
            span: (frame.start, frame.start + frame.airtime),
        }
    }

    /// The same with `power_w` at the receiver, W. A frame that was not decoded keeps at most its MAC header,
    /// since its body is unknown.
    #[must_use]
    pub fn heard(&self, power_w: Option<f64>, decoded: bool) -> OnAir {
        let mut heard = self.clone();
        heard.tap.signal_dbm = power_w.map(dbm);
        heard.tap.bad_fcs = !decoded;
        if !decoded {
            let header = DATA_HEADER.min(self.len.saturating_sub(FCS)).min(self.kept.len());
            heard.kept = Arc::from(&self.kept[..header]);
        }
        heard
    }

    /// For a file.
    pub fn record(&self, at: Time, port: usize, way: Way) -> Record {
        let head = self.tap.bytes();
        let len = head.1 + self.len;
        Record { at, port, way, head, body: self.kept.clone(), len }
    }
}

/// The rates of clauses 15 and 16, which no OFDM mode has.
fn is_dsss(rate: Rate) -> bool {
    matches!(rate.0, 1_000_000 | 2_000_000 | 5_500_000 | 11_000_000)
}

fn dbm(power_w: f64) -> i8 {
    let dbm = libm::round(10.0 * libm::log10(power_w * 1e3));
    dbm.clamp(f64::from(i8::MIN), f64::from(i8::MAX)) as i8
}
