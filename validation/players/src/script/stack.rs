//! The settings of the stacks that the scripts were written for, as parameters of ours.

use super::event::{Event, Line, What};
use base::{Named, Options, Span};
use serde_json::Value;
use transport::tcp::{
    DelayedAck, EcnMode, LawName, Reader, Recovery, Reduction, SackConfig, SlowStart, TcpConfig,
    Where, variants,
};

/// BSD's receive buffer of 64 KiB.
const BSD_BUFFER: u64 = 65_536;

/// The room of an Ethernet frame beside the headers; timestamps take their part where they are agreed.
const ETHERNET: u32 = 1460;

/// The number of Linux's quick checks of the clock in a second: the scripts do not give it, and both are in
/// use.
pub const LINUX_TICKS: [Span; 2] = [Span::millis(1), Span::millis(4)];

/// Linux' settings that change what is sent, beside those that [`set`] reads: they are named where a case fails.
const NOT_MODELLED: &[&str] =
    &["tcp_mtu_probing", "tcp_base_mss", "tcp_autocorking", "tcp_thin_linear_timeouts"];

/// The kernels that a case may have been written for: today's, but for a collection over many years also an early one.
/// A case that names its own is played by that.
pub fn kernels(case: &Value) -> &'static [Option<&'static str>] {
    let repo = case.pointer("/source/repo").and_then(Value::as_str).unwrap_or("");
    let named = named_kernel(case).is_some();
    if repo.contains("ligurio") && !named { &[None, Some("2.6.39")] } else { &[None] }
}

/// The kernel that a case names.
pub fn named_kernel(case: &Value) -> Option<&str> {
    settings(case).find(|(name, _)| *name == "kernel").map(|(_, kernel)| kernel)
}

/// A case's parameters; `tick`: the kernel's, and `kernel`: its version, where the script leaves them open.
pub fn config(
    case: &Value,
    events: &[Event],
    tick: Span,
    kernel: Option<&str>,
) -> Result<TcpConfig, String> {
    let syn = first_in(events);
    let repo = case.pointer("/source/repo").and_then(Value::as_str).unwrap_or("");
    let mut config = if repo.contains("freebsd") { freebsd() } else { linux(tick)? };
    if let Some(kernel) = kernel {
        set(&mut config, "kernel", kernel).ok_or_else(|| format!("kernel={kernel} is not read"))?;
    }
    for (name, value) in settings(case) {
        set(&mut config, name, value.trim())
            .ok_or_else(|| format!("{name}={value} is not read"))?;
    }
    for event in events {
        if let What::App(call, args, 0) = &event.what
            && call == "setsockopt"
        {
            set_option(&mut config, args)?;
        }
    }
    if let Some(syn) = syn {
        negotiate(&mut config, syn);
    }
    Ok(config)
}

fn settings(case: &Value) -> impl Iterator<Item = (&str, &str)> {
    let table = case.get("stack_settings").and_then(Value::as_object);
    table.into_iter().flatten().filter_map(|(name, value)| Some((name.as_str(), value.as_str()?)))
}

/// The settings of the case that are not modelled.
pub fn unread(case: &Value) -> Vec<String> {
    let not_modelled = settings(case).filter(|(name, _)| NOT_MODELLED.contains(name));
    not_modelled.map(|(name, value)| format!("{name}={value}")).collect()
}

/// One of Linux' settings; `None`: a value that it does not have, or that we do not.
fn set(config: &mut TcpConfig, name: &str, value: &str) -> Option<()> {
    let on = value != "0";
    match name {
        "tcp_congestion_control" => set_law(config, value)?,
        "tcp_slow_start_after_idle" => config.idle_restart = on,
        "tcp_early_retrans" => config.sack.tail_probe = matches!(value, "3" | "4"),
        "tcp_recovery" if !on => config.recovery = Recovery::Sack,
        "tcp_sack" if !on => config.recovery = Recovery::NewReno,
        "tcp_frto" => config.frto = if on { Where::Everywhere } else { Where::Nowhere },
        "tcp_dsack" => config.dsack = on,
        "tcp_reordering" => config.dup_thresh = value.parse().ok().filter(|&n: &u32| n > 0)?,
        "tcp_window_scaling" => config.window_scaling = on,
        "kernel" => make_older(config, value)?,
        "rto_initial_ms" => config.rto.initial = milliseconds(value)?,
        "delayed_ack_ms" => {
            let timeout = milliseconds(value)?;
            // As the script says, and no way of the kernel's own.
            config.delayed_ack = on.then_some(DelayedAck::every(2, timeout));
        }
        "initial_window" => {
            config.initial_window = value.parse().ok().filter(|&n: &u32| n > 0)?;
        }
        _ => {}
    }
    Some(())
}

/// The tolerance of the script for times (packetdrill's `--tolerance_usecs`), where it gives one.
pub fn tolerance(case: &Value) -> Result<Span, String> {
    let said = settings(case).find(|(name, _)| *name == "tolerance_ms");
    let Some((name, value)) = said else { return Ok(Span::ZERO) };
    milliseconds(value).ok_or_else(|| format!("{name}={value} is not read"))
}

/// A minute at most.
fn milliseconds(value: &str) -> Option<Span> {
    value.parse().ok().filter(|&ms: &u64| ms <= 60_000).map(Span::millis)
}

/// Linux of a version such as "3.2": what came later goes. Ten segments first came with 2.6.39, RFC 6298's initial
/// timeout and a sample of the handshake with 3.1, PRR with 3.2, the tail loss probe with 3.10, RACK with 4.4.
fn make_older(config: &mut TcpConfig, version: &str) -> Option<()> {
    let parts = self::version(version)?;
    if parts < [4, 4, 0] {
        config.recovery = Recovery::Sack;
    }
    if parts < [3, 10, 0] {
        config.sack.tail_probe = false;
    }
    if parts < [3, 2, 0] {
        config.sack.reduction = Reduction::RateHalving;
    }
    if parts < [3, 1, 0] {
        config.rto.initial = Span::secs(3);
        config.rto.times_handshake = false;
    }
    if parts < [2, 6, 39] {
        config.initial_window = 3;
    }
    Some(())
}

/// The numbers of a version such as "3.2" or "2.6.39".
pub fn version(text: &str) -> Option<[u32; 3]> {
    let mut parts = [0; 3];
    let mut words = text.split('.');
    for (part, word) in parts.iter_mut().zip(&mut words) {
        *part = word.parse::<u32>().ok()?;
    }
    words.next().is_none().then_some(parts)
}

/// Linux' laws by their names there.
fn set_law(config: &mut TcpConfig, name: &str) -> Option<()> {
    let ours = if name == "westwood" { "westwood+" } else { name };
    let variant = variants::by_name(&format!("linux-{name}"));
    config.law = variant.map(|variant| variant.law).or_else(|| LawName::by_name(ours))?;
    config.law_options = Options::of(variant.map_or(&[][..], |variant| variant.options));
    // HyStart is a part of Linux' CUBIC.
    config.slow_start = if name == "cubic" { SlowStart::HyStart } else { SlowStart::Standard };
    Some(())
}

/// A socket's option, where it changes what is sent: `3, SOL_TCP, TCP_CONGESTION, "reno", 4`.
fn set_option(config: &mut TcpConfig, args: &str) -> Result<(), String> {
    let mut words = args.split(',').map(|word| word.trim().trim_matches(['[', ']', '"']));
    let (Some(option), Some(value)) = (words.nth(2), words.next()) else { return Ok(()) };
    match option {
        "TCP_CONGESTION" => {
            set_law(config, value).ok_or_else(|| format!("no law for TCP_CONGESTION {value:?}"))
        }
        "TCP_MAXSEG" => {
            let mss = value.parse().ok().filter(|&mss: &u32| mss > 0);
            config.mss = mss.ok_or_else(|| format!("TCP_MAXSEG {value:?} is not read"))?;
            Ok(())
        }
        _ => Ok(()),
    }
}

/// The first segment from the other side.
pub fn first_in(events: &[Event]) -> Option<&Line> {
    events.iter().find_map(|event| match &event.what {
        What::In(line) => Some(line),
        _ => None,
    })
}

/// The connection has the options that the other side's SYN offers.
fn negotiate(config: &mut TcpConfig, syn: &Line) {
    config.mss = syn.mss.unwrap_or(config.mss).min(config.mss);
    config.window_scaling = syn.scale.is_some();
    config.timestamps = syn.stamps.map(|_| Span::millis(1));
    if syn.stamps.is_some() {
        config.mss -= 12;
    }
    // RFC 3168 section 6.1.1: a SYN with both flags offers, a SYN-ACK with ECE alone agrees.
    if syn.flags.contains("ECE") && syn.flags.contains("CWR") != syn.flags.contains("ACK") {
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

/// Linux of today with CUBIC, its clock and what the suite sets.
fn linux(tick: Span) -> Result<TcpConfig, String> {
    let own = scenario::tcp_config("standard", "variant = \"linux-cubic\"")
        .map_err(|problem| problem.message)?;
    Ok(TcpConfig {
        mss: ETHERNET,
        // The suite's defaults.sh turns it off.
        idle_restart: false,
        frto: Where::Everywhere,
        undo: Where::Everywhere,
        receive_window: 65_535,
        reader: Reader::Manual,
        sack: SackConfig {
            // TCP_TIMEOUT_MIN: two ticks; a timer goes off at the tick after.
            timer_slack: tick + tick,
            timer_tick: tick,
            ..own.sack
        },
        ..own
    })
}

/// FreeBSD: every second segment acknowledged, at most 40 ms late (`net.inet.tcp.delacktime`).
fn freebsd() -> TcpConfig {
    TcpConfig {
        receive_window: BSD_BUFFER,
        reader: Reader::Manual,
        delayed_ack: Some(DelayedAck::every(2, Span::millis(40))),
        ..TcpConfig::standard(Recovery::Sack, LawName::Reno)
    }
}
