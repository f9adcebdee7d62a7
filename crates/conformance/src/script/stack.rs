//! The settings of the stacks that the scripts were written for, as parameters of ours.

use super::event::{Event, Line, What};
use base::Span;
use serde_json::Value;
use transport::tcp::{
    DelayedAck, EcnMode, LawName, Reader, Recovery, RtoConfig, SackConfig, SlowStart, SsthreshBase,
    TcpConfig,
};

/// BSD's receive buffer of 64 KiB.
const BSD_BUFFER: u64 = 65_536;

/// How many quick checks of the clock Linux makes a second: the scripts do not say, and both are in use.
pub const LINUX_TICKS: [Span; 2] = [Span::millis(1), Span::millis(4)];

/// A case's parameters; `tick`: the kernel's, where the script leaves it open.
pub fn config(case: &Value, events: &[Event], tick: Span) -> TcpConfig {
    let syn = first_in(events);
    let repo = case.pointer("/source/repo").and_then(Value::as_str).unwrap_or("");
    let mut config = if repo.contains("freebsd") { freebsd() } else { linux(tick) };
    if let Some(syn) = syn {
        negotiate(&mut config, syn);
    }
    config
}

/// The first segment from the other side.
pub fn first_in(events: &[Event]) -> Option<&Line> {
    events.iter().find_map(|event| match &event.what {
        What::In(line) => Some(line),
        _ => None,
    })
}

/// What the other side's SYN offers is what the connection has.
fn negotiate(config: &mut TcpConfig, syn: &Line) {
    config.mss = syn.mss.unwrap_or(config.mss);
    config.window_scaling = syn.scale.is_some();
    config.timestamps = syn.stamps.map(|_| Span::millis(1));
    if syn.stamps.is_some() {
        config.mss -= 12;
    }
    if syn.flags.contains("ECE") && syn.flags.contains("CWR") {
        config.ecn = EcnMode::Classic;
    }
    if config.recovery.uses_sack() && !syn.sack_permitted {
        config.recovery = Recovery::NewReno;
    }
    if config.reader == Reader::Manual {
        // BSD rounds the buffer up to whole segments.
        let mss = u64::from(config.mss);
        config.receive_window = config.receive_window.div_ceil(mss) * mss;
    }
}

/// Linux: CUBIC with HyStart, RACK-TLP and PRR, ten segments first, timeouts of at least 200 ms of variation. A new
/// connection acknowledges each segment (`TCP_MAX_QUICKACKS`).
fn linux(tick: Span) -> TcpConfig {
    let min = Span::millis(200);
    TcpConfig {
        rto: RtoConfig { min, min_spread: min, max: Span::secs(120), ..RtoConfig::standard() },
        abc_limit: f64::INFINITY,
        ssthresh_base: SsthreshBase::Cwnd,
        grow_from_half: true,
        slow_start: SlowStart::HyStart,
        receive_window: 65_535,
        reader: Reader::Manual,
        sack: SackConfig {
            // TCP_TIMEOUT_MIN: two ticks; a timer goes off at the tick after.
            timer_slack: tick + tick,
            timer_tick: tick,
            ..SackConfig::standard()
        },
        ..TcpConfig::standard(Recovery::RackTlp, LawName::Cubic)
    }
}

/// FreeBSD: every second segment acknowledged, at most 40 ms late (`net.inet.tcp.delacktime`).
fn freebsd() -> TcpConfig {
    TcpConfig {
        receive_window: BSD_BUFFER,
        reader: Reader::Manual,
        delayed_ack: Some(DelayedAck { segments: 2, timeout: Span::millis(40) }),
        ..TcpConfig::standard(Recovery::Sack, LawName::Reno)
    }
}
