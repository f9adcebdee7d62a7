//! TCP's parameters.

use super::bounds::{number, packet_part, refuse_packet};
use crate::at::{At, Problem, Said};
use crate::nearest::unknown;
use crate::spec::{
    Conventions, DelayedAckSpec, DelayedAckTable, LawKey, LawValue, TcpSpec, VariantKey,
};
use crate::units::WindowSize;
use base::{Options, Span};
use transport::tcp::variants::{Stack, VARIANTS, Variant};
use transport::tcp::{
    DelayedAck, EcnMode, LawName, LossRules, Pacing, Reader, Recovery, RepeatConfig, RtoConfig,
    TcpConfig,
};

/// The largest window: what the receiver's window field holds here, in bytes.
const LARGEST_WINDOW: u64 = u32::MAX as u64;

/// The largest initial window, segments: all of them are sent at one instant and stand in memory.
const LARGEST_INITIAL_WINDOW: u32 = 100_000;

/// The highest duplicate threshold and the largest loss window.
const MOST_SEGMENTS: u32 = 1000;

/// The gains of a smoothed mean.
const GAINS: (f64, f64) = (0.001, 1.0);

/// The parameters of a connection with this variant, whichever the file names.
pub fn config_of(
    spec: &TcpSpec,
    variant: &Variant,
    conventions: Conventions,
) -> Result<TcpConfig, Problem> {
    config(spec, Axes::of(variant), conventions)
}

/// The parameters of a connection with this recovery and law.
pub fn config(spec: &TcpSpec, axes: Axes, conventions: Conventions) -> Result<TcpConfig, Problem> {
    let Axes { recovery, law, options, stack, .. } = axes;
    let own = stack.around(conventions.tcp((recovery, law), None, None), None);
    let mss = spec.mss.as_ref().map_or(Ok(own.mss), packet_part)?;
    let header = spec.header();
    let header_bytes = packet_part(&header)?;
    refuse_packet(spec.mss.as_ref().unwrap_or(&header), mss, header_bytes)?;
    let base = conventions.tcp((recovery, law), Some(mss), window(spec, mss)?);
    let base = stack.around(base, Some(mss));
    let initial_window = match &spec.initial_window {
        None => base.initial_window,
        Some(at) if at.value.0 == 0 => {
            return Err(at.problem("no segment could be sent; allowed: 1 or more"));
        }
        Some(at) if at.value.0 > LARGEST_INITIAL_WINDOW => {
            let message =
                format!("{} segments; allowed: up to {LARGEST_INITIAL_WINDOW}", at.value.0);
            return Err(at.problem(message));
        }
        Some(at) => at.value.0,
    };
    let initial_ssthresh = match spec.initial_ssthresh.as_ref().map(|threshold| threshold.value.0) {
        None => base.initial_ssthresh,
        Some(threshold) => threshold.map(f64::from),
    };
    Ok(TcpConfig {
        law_options: options,
        custom_law: spec.outside.as_ref().map(|law| law.number),
        header_bytes,
        initial_window,
        initial_ssthresh,
        handshake: spec.handshake.said_or(base.handshake),
        rto: rto(spec, base.rto)?,
        delayed_ack: delayed_ack(spec, conventions, base.delayed_ack)?,
        quick_ack: quick_ack(spec, base.quick_ack),
        dup_thresh: number(spec.dup_thresh.as_ref(), base.dup_thresh, (1, MOST_SEGMENTS))?,
        repeat: repeat(spec, base.repeat)?,
        loss_window: number(spec.loss_window.as_ref(), base.loss_window, (1, MOST_SEGMENTS))?,
        abc_limit: abc_limit(spec, base.abc_limit)?,
        limited_transmit: spec.limited_transmit.said_or(base.limited_transmit),
        ..habits(spec, base)?
    })
}

/// The two axes and what the law is given.
pub struct Axes {
    /// The name in results.
    pub name: String,
    recovery: Recovery,
    law: LawName,
    options: Options,
    stack: Stack,
}

impl Axes {
    fn of(variant: &Variant) -> Axes {
        let Variant { name, recovery, law, options, stack, .. } = *variant;
        Axes { name: name.to_owned(), recovery, law, options: Options::of(options), stack }
    }
}

/// A variant by its name, or recovery and law spelled out; with the law's parameters.
pub fn axes(spec: &TcpSpec) -> Result<Axes, Problem> {
    let spelled =
        spec.recovery.as_ref().map(|at| &at.place).or(spec.law.as_ref().map(|at| &at.place));
    let mut axes = match (&spec.variant, spelled) {
        (Some(_), Some(place)) => {
            let message = "a variant is a recovery and a law; give variant, or recovery and law";
            return Err(Problem { place: place.clone(), message: message.into() });
        }
        (Some(variant), None) => match variant.value {
            VariantKey::Named(variant) => Axes::of(variant),
            // Where a law from outside takes its place the recovery is the default's.
            VariantKey::Auto => spelled_out(spec),
        },
        (None, _) => spelled_out(spec),
    };
    match &spec.outside {
        None => law_options(spec, axes.law, &mut axes.options)?,
        Some(outside) => {
            let recovery = format!("{:?}", axes.recovery).to_lowercase();
            axes.name = format!("{recovery}+{}", outside.name);
            axes.law = LawName::Reno;
            axes.options = outside_options(spec)?;
        }
    }
    Ok(axes)
}

/// Recovery and law, each with its default.
fn spelled_out(spec: &TcpSpec) -> Axes {
    let law = match spec.law.as_ref().map(|at| &at.value) {
        Some(LawKey::Own(law)) => *law,
        Some(LawKey::Other(_)) | None => LawName::Reno,
    };
    let outside = spec.outside.as_ref();
    let model_based = outside.map_or_else(|| law.is_model_based(), |outside| outside.model_based);
    let default = Recovery::default_for(model_based);
    let recovery = spec.recovery.as_ref().map_or(default, |at| at.value.0);
    let (name, options) = (name_of(recovery, law), Options::default());
    Axes { name, recovery, law, options, stack: Stack::Conventions }
}

/// The variant of these two, or "RECOVERY+LAW".
fn name_of(recovery: Recovery, law: LawName) -> String {
    let plain = |v: &&Variant| {
        (v.recovery, v.law, v.stack) == (recovery, law, Stack::Conventions) && v.options.is_empty()
    };
    let spelled = || format!("{recovery:?}+{}", law.row().name).to_lowercase();
    VARIANTS.iter().find(plain).map_or_else(spelled, |variant| variant.name.to_owned())
}

/// Sets the law's parameters; a name or a choice that it does not have is refused.
fn law_options(spec: &TcpSpec, law: LawName, options: &mut Options) -> Result<(), Problem> {
    for (name, at) in &spec.law_options {
        let LawValue::OfLaw(table) = &at.value else {
            law_option(law, (name, at), options)?;
            continue;
        };
        let names: Vec<&str> = LawName::ROWS.iter().map(|row| row.name).collect();
        let of = LawName::by_name(name);
        let of = of.ok_or_else(|| at.problem(unknown("law", name, &names)))?;
        // What is said of another law is checked all the same.
        let mut unused = Options::default();
        let into = if of == law { &mut *options } else { &mut unused };
        for (name, at) in table {
            law_option(of, (name, at), into)?;
        }
    }
    Ok(())
}

/// Sets one parameter.
fn law_option(
    law: LawName,
    (name, at): (&str, &At<LawValue>),
    options: &mut Options,
) -> Result<(), Problem> {
    let known = law.parameters();
    let Some(parameter) = known.iter().find(|parameter| parameter.name == name) else {
        let names: Vec<&str> = known.iter().map(|parameter| parameter.name).collect();
        let what = format!("parameter of the law \"{}\"", law.row().name);
        return Err(at.problem(unknown(&what, name, &names)));
    };
    let value = match &at.value {
        LawValue::Number(number) => *number,
        LawValue::Choice(choice) => {
            let place = parameter.choices.iter().position(|known| known == choice);
            let refused = || at.problem(unknown("choice", choice, parameter.choices));
            place.ok_or_else(refused)? as f64
        }
        LawValue::OfLaw(_) => {
            return Err(at.problem("a table; allowed: a number, or the name of a choice"));
        }
    };
    options.set(name, value);
    Ok(())
}

/// What a law from outside is given: it knows its own names, but its values are numbers.
fn outside_options(spec: &TcpSpec) -> Result<Options, Problem> {
    let mut options = Options::default();
    for (name, at) in &spec.law_options {
        match &at.value {
            LawValue::Number(number) => options.set(name, *number),
            LawValue::Choice(_) => {
                return Err(at.problem("a law from outside takes numbers; allowed: a number"));
            }
            LawValue::OfLaw(_) => {}
        }
    }
    Ok(options)
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
        return Err(
            at.problem(format!("a window of {bytes} B; allowed: at most {LARGEST_WINDOW} B"))
        );
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
        min_spread: or(spec.rto_min_spread.as_ref(), base.min_spread),
        max: or(spec.rto_max.as_ref(), base.max),
        granularity: or(spec.rto_granularity.as_ref(), base.granularity),
        round_samples: spec.rto_round_samples.said_or(base.round_samples),
        alpha: number(spec.rto_alpha.as_ref(), base.alpha, GAINS)?,
        beta: number(spec.rto_beta.as_ref(), base.beta, GAINS)?,
        k: number(spec.rto_k.as_ref(), base.k, (0.0, 100.0))?,
        times_handshake: base.times_handshake,
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

/// Selective repeat's window and timer.
fn repeat(spec: &TcpSpec, base: RepeatConfig) -> Result<RepeatConfig, Problem> {
    let window = spec.repeat_window.as_ref().map_or(base.window, |at| at.value.0);
    let after = spec.repeat_after.as_ref().map_or(base.after, |at| at.value.0);
    if let Some(at) = spec.repeat_window.as_ref().filter(|_| !(1..=MOST_SEGMENTS).contains(&window))
    {
        return Err(at.problem(format!("{window} packets; allowed: 1 to {MOST_SEGMENTS}")));
    }
    if let Some(at) = spec.repeat_after.as_ref().filter(|_| after < SHORTEST_RTO) {
        return Err(at.problem("too short a time; allowed: \"1 ms\" or more"));
    }
    Ok(RepeatConfig { window, after })
}

fn delayed_ack(
    spec: &TcpSpec,
    conventions: Conventions,
    own: Option<DelayedAck>,
) -> Result<Option<DelayedAck>, Problem> {
    let of = |table: &DelayedAckTable| {
        let segments = table.segments();
        if segments.value == 0 {
            return Err(segments.problem("0 segments; allowed: 1 or more"));
        }
        let timeout = table.timeout(conventions).value.0;
        Ok(Some(DelayedAck { segments: segments.value, timeout }))
    };
    match spec.delayed_ack.as_ref().map(|at| &at.value) {
        None => Ok(own),
        Some(DelayedAckSpec::Off) => Ok(None),
        Some(DelayedAckSpec::On) => of(&DelayedAckTable::default()),
        Some(DelayedAckSpec::Linux) => Ok(TcpConfig::default().as_linux(None).delayed_ack),
        Some(DelayedAckSpec::Table(table)) => of(table),
    }
}

/// True where acknowledgements wait as Linux lets them.
fn quick_ack(spec: &TcpSpec, own: bool) -> bool {
    spec.delayed_ack.as_ref().map_or(own, |at| at.value == DelayedAckSpec::Linux)
}

fn abc_limit(spec: &TcpSpec, default: f64) -> Result<f64, Problem> {
    match &spec.abc_limit {
        None => Ok(default),
        Some(at) if at.value.0 == Some(0) => {
            Err(at.problem("the window would never grow; allowed: 1 or more, or \"unlimited\""))
        }
        Some(at) => Ok(at.value.0.map_or(f64::INFINITY, f64::from)),
    }
}

/// What a sender does at a loss and in NewReno's recovery.
fn habits(spec: &TcpSpec, mut base: TcpConfig) -> Result<TcpConfig, Problem> {
    base.ssthresh_base = spec.ssthresh_base.said_or(base.ssthresh_base);
    base.loss_rules = spec.loss_rules.said_or(base.loss_rules);
    if base.loss_rules == LossRules::Ns2 {
        let beyond = [("frto", &spec.frto), ("undo", &spec.undo)].into_iter();
        let mut said = beyond.filter_map(|(key, said)| Some((key, said.as_ref()?)));
        if let Some((key, at)) = said.find(|(_, at)| at.value) {
            let message =
                format!("ns-2's rules at a loss have no {key}; give loss_rules = \"rfc\" too");
            return Err(at.problem(message));
        }
    }
    if let Some(at) = &spec.eln {
        if at.value && base.recovery.uses_sack() {
            let message = "the recoveries with SACK know nothing of it; allowed: recovery tahoe, reno or newreno";
            return Err(at.problem(message));
        }
        base.eln = at.value;
    }
    base.newreno.timer = spec.newreno_timer.said_or(base.newreno.timer);
    base.slow_start_at_threshold =
        spec.slow_start_at_threshold.said_or(base.slow_start_at_threshold);
    base.newreno.deflate = spec.newreno_deflate.said_or(base.newreno.deflate);
    base.newreno.careful_exit = spec.newreno_careful_exit.said_or(base.newreno.careful_exit);
    Ok(extensions(spec, base))
}

/// What came after NewReno: SACK's choices, timestamps, ECN, HyStart, pacing, a slow reader.
fn extensions(spec: &TcpSpec, mut base: TcpConfig) -> TcpConfig {
    // DCTCP is nothing without marks (RFC 8257).
    let ecn = if base.law == LawName::Dctcp { EcnMode::EveryMark } else { base.ecn };
    base.ecn = spec.ecn.said_or(ecn);
    base.slow_start = spec.slow_start.said_or(base.slow_start);
    base.sack.reduction = spec.sack_reduction.said_or(base.sack.reduction);
    if let Some(at) = &spec.timestamps {
        base.timestamps = at.value.0.map(|tick| tick.0);
    }
    if let Some(pacing) = &spec.pacing {
        base.pacing = pacing.value.then_some(Pacing { slow_start: 2.0, avoidance: 1.2 });
    }
    if let Some(at) = &spec.read_rate {
        base.reader = Reader::Rate((at.value.0.0 / 8).max(1));
    }
    base.idle_restart = spec.idle_restart.said_or(base.idle_restart);
    base.dsack = spec.dsack.said_or(base.dsack);
    base.window_scaling = spec.window_scaling.said_or(base.window_scaling);
    base.frto = spec.frto.as_ref().map(|at| at.value).or(base.frto);
    base.undo = spec.undo.as_ref().map(|at| at.value).or(base.undo);
    base.sack.exit_grows = spec.exit_grows.as_ref().map_or(base.sack.exit_grows, |at| at.value.0);
    base.write_size = spec.write_size.as_ref().map_or(base.write_size, |at| at.value.0);
    base.grow_from_half = spec.grow_from_half.said_or(base.grow_from_half);
    base.whole_steps = spec.whole_steps.said_or(base.whole_steps);
    base.round_beyond = spec.round_beyond.said_or(base.round_beyond);
    base.sack.blocks_count_fin = spec.sack_fin.said_or(base.sack.blocks_count_fin);
    base.sack.smooth_oldest = spec.smooth_oldest.said_or(base.sack.smooth_oldest);
    base.sack.detect_lost_retransmits =
        spec.detect_lost_retransmits.said_or(base.sack.detect_lost_retransmits);
    base.sack.tail_probe = spec.tail_probe.said_or(base.sack.tail_probe);
    base
}
