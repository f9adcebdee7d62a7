//! Applications: which goes over what, which key belongs to which, and the sources of datagrams.

use super::{number, packet_part, playout, refuse_packet, video};
use crate::at::Problem;
use crate::conventions::Conventions;
use crate::files::Files;
use crate::spec::{AppKind, AppTable, GameDirectionName, TimesName, TransportName};
use apps::{
    AppConfig, BurstRule, DatagramConfig, Law, OnOffConfig, PeriodicConfig, SourceConfig, Times,
};
use base::{Named, Rate, Span};
use std::ops::Range;

/// What an application goes over.
pub fn transport_of(kind: AppKind) -> TransportName {
    match kind {
        AppKind::Bulk | AppKind::Web | AppKind::RequestResponse | AppKind::ShortFlows => {
            TransportName::Tcp
        }
        AppKind::Cbr
        | AppKind::Saturated
        | AppKind::Periodic
        | AppKind::OnOff
        | AppKind::Voice
        | AppKind::Game
        | AppKind::Video => TransportName::Udp,
    }
}

/// Says what goes over which transport, to who wanted another.
pub fn wrong_transport(wanted: TransportName) -> String {
    let over =
        |transport| listed(AppKind::ALL.iter().filter(|&&kind| transport_of(kind) == transport));
    let (tcp, udp) = (over(TransportName::Tcp), over(TransportName::Udp));
    match wanted {
        TransportName::Tcp => format!("over TCP go the apps {tcp}; {udp} go over UDP"),
        TransportName::Udp => format!("over UDP go the apps {udp}; {tcp} go over TCP"),
    }
}

/// "a", "b" and "c".
fn listed<'a>(kinds: impl Iterator<Item = &'a AppKind>) -> String {
    let quoted: Vec<String> = kinds.map(|kind| format!("\"{}\"", kind.name())).collect();
    match quoted.as_slice() {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        all => all.concat(),
    }
}

/// Refuses a key that belongs to another application.
pub fn refuse_strange_keys(app: &AppTable) -> Result<(), Problem> {
    use AppKind::{
        Bulk, Cbr, Game, OnOff, Periodic, RequestResponse, Saturated, ShortFlows, Video, Voice, Web,
    };
    macro_rules! keys {
        ($($key:ident: $($kind:ident)+;)+) => {
            [$((stringify!($key), app.$key.as_ref().map(|at| &at.place), &[$($kind),+][..])),+]
        };
    }
    let keys = keys! {
        rate: Cbr OnOff Voice;
        payload: Cbr Saturated Periodic OnOff Voice Game Video;
        size: Bulk Web ShortFlows;
        burst: OnOff Voice;
        idle: OnOff Voice;
        times: OnOff Voice;
        shape: OnOff Voice;
        bursts: OnOff Voice;
        begins: OnOff Voice;
        interval: Periodic Voice Game Video;
        jitter: Periodic Game;
        direction: Game;
        deadline: Cbr Periodic OnOff Voice Game Video;
        count_packetisation: Voice;
        codec: Voice;
        film: Video;
        model: Web;
        file: Video;
        format: Video;
        looped: Video;
        offset: Video;
        sessions: Web;
        pages: Web;
        session_gap: Web;
        think: Web RequestResponse;
        think_from: Web;
        objects: Web;
        object_gap: Web;
        main_size: Web;
        request: Web RequestResponse;
        response: RequestResponse;
        requests: RequestResponse;
        interarrival: ShortFlows;
        connections: Web RequestResponse ShortFlows;
        persistent: Web RequestResponse;
        request_apart: Web RequestResponse;
    };
    let strange = keys.into_iter().find_map(|(key, place, kinds)| {
        place.filter(|_| !kinds.contains(&app.kind.0)).map(|place| (key, place, kinds))
    });
    let Some((key, place, kinds)) = strange else { return Ok(()) };
    let apps = if kinds.len() == 1 { "app" } else { "apps" };
    let hint = if app.kind.0 == Bulk && key == "payload" { "; for TCP see tcp.mss" } else { "" };
    let names = listed(AppKind::ALL.iter().filter(|kind| kinds.contains(kind)));
    let key = if key == "looped" { "loop" } else { key };
    let message = format!("{key} is for the {apps} {names}{hint}");
    Err(Problem { place: place.clone(), message })
}

/// An application that sends datagrams, with `header` bytes before each; `place` is that of the application.
pub fn datagrams(
    app: &AppTable,
    place: Option<&Range<usize>>,
    header: u32,
    (conventions, files): (&Conventions, &Files),
) -> Result<AppConfig, Problem> {
    let missing = |message: &str| Problem {
        place: place.cloned().unwrap_or(0..0),
        message: format!("missing key {message}"),
    };
    let source = match app.kind.0 {
        AppKind::Saturated => {
            return Ok(AppConfig::Saturated { payload: payload(app, 1500, header)? });
        }
        AppKind::OnOff => on_off(app, payload(app, 210, header)?, &ON_OFF, conventions)?,
        AppKind::Voice => on_off(app, speech(app, header)?, &VOICE, conventions)?,
        AppKind::Game => game(app, header, missing)?,
        AppKind::Video => video::video(app, header, files, missing)?,
        AppKind::Periodic => {
            let interval = app.interval.as_ref().ok_or_else(|| missing("\"interval\""))?;
            app.payload.as_ref().ok_or_else(|| missing("\"payload\""))?;
            periodic(app, payload(app, 0, header)?, interval.value.0)?
        }
        AppKind::Cbr
        | AppKind::Bulk
        | AppKind::Web
        | AppKind::RequestResponse
        | AppKind::ShortFlows => {
            let rate = app.rate.as_ref().map_or(Rate(448_000), |rate| rate.value.0);
            SourceConfig::Cbr { payload: payload(app, 210, header)?, rate }
        }
    };
    let playout = playout::playout(app, &source)?;
    Ok(AppConfig::Datagrams(DatagramConfig { source, playout }))
}

/// The largest payload of its datagrams, bytes.
pub fn largest_payload(config: &AppConfig) -> u32 {
    match config {
        AppConfig::Bulk { .. } | AppConfig::Web(_) => 0,
        AppConfig::Saturated { payload } => *payload,
        AppConfig::Datagrams(config) => config.source.largest(),
    }
}

pub(super) fn payload(app: &AppTable, default: u32, header: u32) -> Result<u32, Problem> {
    let payload = packet_part(app.payload.as_ref(), default)?;
    refuse_packet(app.payload.as_ref(), payload, header)?;
    Ok(payload)
}

/// What an on/off source has where nothing is said.
struct OnOffDefaults {
    rate: Rate,
    burst: Span,
    idle: Span,
    /// `None`: as the conventions have it.
    rule: Option<BurstRule>,
}

/// ns-2's `Application/Traffic/Exponential` and `/Pareto`.
const ON_OFF: OnOffDefaults = OnOffDefaults {
    rate: Rate(64_000),
    burst: Span::millis(500),
    idle: Span::millis(500),
    rule: None,
};

/// petrovic2003's: 32 kbit/s, talk spurts of 1.0 s, silences of 1.35 s. A spurt is made of whole datagrams.
const VOICE: OnOffDefaults = OnOffDefaults {
    rate: Rate(32_000),
    burst: Span::secs(1),
    idle: Span::millis(1350),
    rule: Some(BurstRule::Packets),
};

/// Payload of a datagram of speech; 20 ms at 32 kbit/s unless the file says otherwise.
fn speech(app: &AppTable, header: u32) -> Result<u32, Problem> {
    let Some(interval) = &app.interval else { return payload(app, 80, header) };
    if app.payload.is_some() {
        return Err(interval.problem("interval and payload say the same; leave one of them out"));
    }
    let rate = app.rate.as_ref().map_or(VOICE.rate, |rate| rate.value.0);
    let bits = u128::from(rate.0) * u128::from(interval.value.0.0);
    let (bytes, left) = (bits / 8_000_000_000, bits % 8_000_000_000);
    if left != 0 || bytes == 0 || bytes + u128::from(header) > 65_535 {
        let message = format!(
            "{} s of {} bit/s are {} B; allowed: a whole number of bytes that fits a packet",
            interval.value.0.as_secs(),
            rate.0,
            bits as f64 / 8e9
        );
        return Err(interval.problem(message));
    }
    Ok(bytes as u32)
}

/// A burst shorter than this part of a datagram is refused: a source would go through thousands for each.
const SHORTEST_BURST: f64 = 1e-3;

fn on_off(
    app: &AppTable,
    payload: u32,
    defaults: &OnOffDefaults,
    conventions: &Conventions,
) -> Result<SourceConfig, Problem> {
    let rate = app.rate.as_ref().map_or(defaults.rate, |rate| rate.value.0);
    let burst = app.burst.as_ref().map_or(defaults.burst, |at| at.value.0);
    let datagram_s = f64::from(payload) * 8.0 / rate.0 as f64;
    if let Some(at) = app.burst.as_ref().filter(|_| burst.as_secs() < SHORTEST_BURST * datagram_s) {
        let message = format!(
            "{} s, where a datagram takes {datagram_s} s; allowed: a thousandth of that or more",
            burst.as_secs()
        );
        return Err(at.problem(message));
    }
    let law = law(app)?;
    let rule = app.bursts.as_ref().map(|at| at.value.0).or(defaults.rule);
    Ok(SourceConfig::OnOff(OnOffConfig {
        payload,
        rate,
        burst: Times { law, mean: burst },
        idle: Times { law, mean: app.idle.as_ref().map_or(defaults.idle, |at| at.value.0) },
        rule: rule.unwrap_or(conventions.bursts),
        begins: app.begins.as_ref().map_or(conventions.begins, |at| at.value.0),
    }))
}

fn law(app: &AppTable) -> Result<Law, Problem> {
    let is_pareto = app.times.as_ref().is_some_and(|at| at.value.0 == TimesName::Pareto);
    match &app.shape {
        Some(at) if !is_pareto => Err(at.problem("shape is for times = \"pareto\"")),
        // Below this even the mean is out of reach: a run would see a few of the times that make it.
        shape if is_pareto => {
            Ok(Law::Pareto { shape: number(shape.as_ref(), 1.5, (1.01, 100.0))? })
        }
        _ => Ok(Law::Exponential),
    }
}

/// janevski2011's game: 42 B every 60 ms up, 200 B every 50 ms down.
fn game(
    app: &AppTable,
    header: u32,
    missing: impl Fn(&str) -> Problem,
) -> Result<SourceConfig, Problem> {
    let direction = app.direction.as_ref().map(|at| at.value.0);
    let (bytes, interval) = match direction {
        Some(GameDirectionName::Up) => (42, Span::millis(60)),
        Some(GameDirectionName::Down) => (200, Span::millis(50)),
        None => {
            return Err(missing(
                "\"direction\": \"up\" (42 B every 60 ms) or \"down\" (200 B every 50 ms)",
            ));
        }
    };
    let interval = app.interval.as_ref().map_or(interval, |at| at.value.0);
    periodic(app, payload(app, bytes, header)?, interval)
}

fn periodic(app: &AppTable, payload: u32, interval: Span) -> Result<SourceConfig, Problem> {
    if let Some(at) = app.interval.as_ref().filter(|_| interval < Span::micros(1)) {
        return Err(at.problem("too short; allowed: 1 us or more"));
    }
    let jitter = app.jitter.as_ref().map_or(Span::ZERO, |at| at.value.0);
    if let Some(at) = app.jitter.as_ref().filter(|_| jitter > interval) {
        let most = interval.as_secs();
        return Err(at.problem(format!(
            "datagrams would overtake each other; allowed: up to the interval, {most} s"
        )));
    }
    Ok(SourceConfig::Periodic(PeriodicConfig { payload, interval, jitter }))
}
