//! What Linux's TCP is beside its law: the settings of a kernel of today (6.x), sender and receiver.
//!
//! | Linux | here |
//! |---|---|
//! | `tcp_recovery` 1, `tcp_early_retrans` 3 | RACK-TLP, with timers that go off at ticks of 1 ms (`HZ` 1000) |
//! | `tcp_cwnd_reduction` | PRR |
//! | `tcp_timestamps` | 1 ms |
//! | `TCP_RTO_MIN`, `TCP_RTO_MAX`: 200 ms of variation, 120 s | `rto` |
//! | laws are told what was delivered, all of it (`tcp_cong_control`), also by what ends a recovery | `abc_limit`, `exit_grows` |
//! | `snd_cwnd`, `snd_cwnd_cnt`, `snd_ssthresh` are whole | `whole_steps`, `ssthresh_base` |
//! | `tcp_is_cwnd_limited` | `grow_from_half` |
//! | `after(snd_una, end_seq)` ends a round | `round_beyond` |
//! | `tcp_ack_update_rtt` | `smooth_oldest` |
//! | `tcp_data_queue_ofo` takes `end_seq`, with the FIN's number | `sack_fin` |
//! | `tcp_send_delayed_ack`, `tcp_grow_window` and the rest of `icsk_ack` | `delayed_ack`, `quick_ack` |
//!
//! F-RTO, undo by timestamps and DSACK, three SACK blocks beside timestamps, limited transmit and ten segments at first
//! are the RFCs' too. *Deviations.* SACKs are not compressed (by 1 ms at most); segments do not leave in pairs.

use super::config::{
    DelayedAck, ExitGrowth, LawName, SackConfig, SlowStart, SsthreshBase, TcpConfig,
};
use super::rtt::RtoConfig;
use base::Span;

/// Ethernet's 1500 B without the headers and the timestamps.
const MSS: u32 = 1448;
/// `HZ` 1000.
const TICK: Span = Span::millis(1);
/// `TCP_RTO_MIN`; `TCP_DELACK_MAX`.
const SHORTEST_RTO: Span = Span::millis(200);
const LONGEST_WAIT: Span = Span::millis(200);

impl TcpConfig {
    /// The same window and addresses, but all that Linux does its own way; `mss`: where one was asked for.
    pub fn as_linux(self, mss: Option<u32>) -> TcpConfig {
        let own = TcpConfig::standard(self.recovery, self.law);
        let hystart = self.law == LawName::Cubic;
        TcpConfig {
            custom_law: self.custom_law,
            law_options: self.law_options,
            receive_window: self.receive_window,
            mss: mss.unwrap_or(MSS),
            rto: RtoConfig {
                min: SHORTEST_RTO,
                min_spread: SHORTEST_RTO,
                max: Span::secs(120),
                ..RtoConfig::standard()
            },
            delayed_ack: Some(DelayedAck { segments: 2, timeout: LONGEST_WAIT }),
            quick_ack: true,
            ssthresh_base: SsthreshBase::WholeCwnd,
            abc_limit: f64::INFINITY,
            // `hybla_init`: rho segments, which is one on paths of less than 50 ms.
            initial_window: if self.law == LawName::Hybla { 1 } else { own.initial_window },
            slow_start: if hystart { SlowStart::HyStart } else { SlowStart::Standard },
            grow_from_half: true,
            whole_steps: true,
            round_beyond: true,
            timestamps: Some(TICK),
            sack: SackConfig {
                blocks_count_fin: true,
                smooth_oldest: true,
                exit_grows: ExitGrowth::Delivered,
                timer_slack: TICK + TICK,
                timer_tick: TICK,
                ..own.sack
            },
            ..own
        }
    }
}
