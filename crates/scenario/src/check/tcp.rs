//! TCP's parameters.

use super::{packet_part, refuse_packet};
use crate::at::Problem;
use crate::conventions::Conventions;
use crate::spec::{DelayedAckSpec, NewRenoTimer, RecoveryName, SsthreshBaseName, TcpSpec};
use crate::units::WindowSize;
use base::Span;
use transport::tcp::variants::VARIANTS;
use transport::tcp::{
    DelayedAck, LawName, PartialAckTimer, Recovery, RtoConfig, SsthreshBase, TcpConfig,
};
use world::TransportPlan;

/// The largest window: what the receiver's window field holds here, in bytes.
const LARGEST_WINDOW: u64 = u32::MAX as u64;

/// A connection's parameters, with the conventions' values for what is left out.
pub fn tcp(spec: Option<&TcpSpec>, conventions: &Conventions) -> Result<TransportPlan, Problem> {
    let empty = TcpSpec::default();
    let spec = spec.unwrap_or(&empty);
    let (variant, recovery, law) = axes(spec)?;
    let mss = packet_part(spec.mss.as_ref(), conventions.mss)?;
    let header_bytes = packet_part(spec.header.as_ref(), 40)?;
    refuse_packet(spec.mss.as_ref().or(spec.header.as_ref()), mss, header_bytes)?;
    let base = conventions.tcp(recovery, law, mss, window(spec, mss)?);
    let initial_window = match &spec.initial_window {
        None => base.initial_window,
        Some(at) if at.value.0 == 0 => {
            return Err(at.problem("no segment could be sent; allowed: 1 or more"));
        }
        Some(at) => at.value.0,
    };
    let initial_ssthresh = match spec.initial_ssthresh.as_ref().map(|threshold| threshold.value.0) {
        None => base.initial_ssthresh,
        Some(threshold) => threshold.map(f64::from),
    };
    let config = TcpConfig {
        header_bytes,
        initial_window,
        initial_ssthresh,
        handshake: spec.handshake.unwrap_or(base.handshake),
        rto: rto(spec, base.rto)?,
        delayed_ack: delayed_ack(spec, conventions)?,
        limited_transmit: spec.limited_transmit.unwrap_or(base.limited_transmit),
        ..habits(spec, base)
    };
    Ok(TransportPlan::Tcp { variant, config })
}

/// The name in results, the recovery and the law.
fn axes(spec: &TcpSpec) -> Result<(String, Recovery, LawName), Problem> {
    let spelled =
        spec.recovery.as_ref().map(|at| &at.place).or(spec.law.as_ref().map(|at| &at.place));
    match (&spec.variant, spelled) {
        (Some(_), Some(place)) => Err(Problem {
            place: place.clone(),
            message: "a variant is a recovery and a law; give variant, or recovery and law".into(),
        }),
        (Some(variant), None) => {
            let found = variant.value.0;
            Ok((found.name.to_owned(), found.recovery, found.law))
        }
        (None, _) => {
            let name = spec.recovery.as_ref().map_or(RecoveryName::NewReno, |at| at.value);
            let recovery = match name {
                RecoveryName::Tahoe => Recovery::Tahoe,
                RecoveryName::Reno => Recovery::Reno,
                RecoveryName::NewReno => Recovery::NewReno,
            };
            let law = spec.law.as_ref().map_or(LawName::Reno, |at| at.value.0);
            Ok((name_of(recovery, law), recovery, law))
        }
    }
}

/// The variant of these two, or "RECOVERY+LAW".
fn name_of(recovery: Recovery, law: LawName) -> String {
    let variant = VARIANTS.iter().find(|v| v.recovery == recovery && v.law == law);
    let spelled = || format!("{recovery:?}+{}", law.name()).to_lowercase();
    variant.map_or_else(spelled, |variant| variant.name.to_owned())
}

fn window(spec: &TcpSpec, mss: u32) -> Result<Option<u64>, Problem> {
    let Some(at) = &spec.window else { return Ok(None) };
    let bytes = match at.value {
        WindowSize::Bytes(bytes) => bytes,
        WindowSize::Packets(packets) => u64::from(packets) * u64::from(mss),
    };
    if bytes < u64::from(mss) {
        let message = format!("a window of {bytes} B holds no segment of {mss} B");
        return Err(at.problem(message));
    }
    if bytes > LARGEST_WINDOW {
        return Err(at.problem(format!("a window of {bytes} B; at most {LARGEST_WINDOW} B")));
    }
    Ok(Some(bytes))
}

/// Shorter timeouts than this, where nothing comes back, make a run crawl through retransmissions.
const SHORTEST_RTO: Span = Span::millis(1);

fn rto(spec: &TcpSpec, base: RtoConfig) -> Result<RtoConfig, Problem> {
    let or = |own: Option<&crate::at::At<crate::units::Duration>>, default: Span| {
        own.map_or(default, |at| at.value.0)
    };
    let rto = RtoConfig {
        initial: or(spec.rto_initial.as_ref(), base.initial),
        min: or(spec.rto_min.as_ref(), base.min),
        max: or(spec.rto_max.as_ref(), base.max),
        granularity: or(spec.rto_granularity.as_ref(), base.granularity),
        round_samples: spec.rto_round_samples.unwrap_or(base.round_samples),
    };
    if let Some(at) = spec.rto_max.as_ref().or(spec.rto_min.as_ref())
        && rto.min > rto.max
    {
        return Err(at.problem("rto_min is above rto_max; allowed: rto_min <= rto_max"));
    }
    for at in [&spec.rto_initial, &spec.rto_max].into_iter().flatten() {
        if at.value.0 < SHORTEST_RTO {
            return Err(at.problem("too short a timeout; allowed: \"1 ms\" or more"));
        }
    }
    if let Some(at) = spec.rto_granularity.as_ref().filter(|at| at.value.0 == Span::ZERO) {
        return Err(at.problem("a clock needs a tick; allowed: more than \"0 s\""));
    }
    Ok(rto)
}

fn delayed_ack(spec: &TcpSpec, conventions: &Conventions) -> Result<Option<DelayedAck>, Problem> {
    let default = DelayedAck { segments: 2, timeout: conventions.delayed_ack };
    match spec.delayed_ack.as_ref().map(|at| &at.value) {
        None | Some(DelayedAckSpec::Off) => Ok(None),
        Some(DelayedAckSpec::On) => Ok(Some(default)),
        Some(DelayedAckSpec::Table(table)) => {
            if let Some(at) = table.segments.as_ref().filter(|at| at.value == 0) {
                return Err(at.problem("0 segments; allowed: 1 or more"));
            }
            Ok(Some(DelayedAck {
                segments: table.segments.as_ref().map_or(default.segments, |at| at.value),
                timeout: table.timeout.as_ref().map_or(default.timeout, |at| at.value.0),
            }))
        }
    }
}

/// What a sender does at a loss and in NewReno's recovery.
fn habits(spec: &TcpSpec, mut base: TcpConfig) -> TcpConfig {
    match spec.ssthresh_base {
        None => {}
        Some(SsthreshBaseName::FlightSize) => base.ssthresh_base = SsthreshBase::FlightSize,
        Some(SsthreshBaseName::Window) => base.ssthresh_base = SsthreshBase::Window,
        Some(SsthreshBaseName::WholeWindow) => base.ssthresh_base = SsthreshBase::WholeWindow,
    }
    match spec.newreno_timer {
        None => {}
        Some(NewRenoTimer::First) => base.newreno.timer = PartialAckTimer::First,
        Some(NewRenoTimer::Every) => base.newreno.timer = PartialAckTimer::Every,
    }
    base.newreno.deflate = spec.newreno_deflate.unwrap_or(base.newreno.deflate);
    base.newreno.careful_exit = spec.newreno_careful_exit.unwrap_or(base.newreno.careful_exit);
    base
}
