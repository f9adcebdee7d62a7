//! Applications: their transports, their keys, and the sources of datagrams.

use super::bounds::{bounded, payload};
use super::context::Context;
use super::{playout, video};
use crate::at::At;
use crate::at::Problem;
use crate::code::Code;
use crate::kinds::quoted;
use crate::spec::{
    AppKind, AppSpec, GameDirectionName, GameTable, OnOffTable, TimesName, TransportName,
    VoiceTable,
};
use crate::units::{Duration, Size};
use apps::{
    AppConfig, DatagramConfig, Law, OnOffConfig, OnOffRules, PeriodicConfig, SourceConfig, Times,
    VoiceRules,
};
use base::{Named, Rate, Span};
use std::ops::Range;

/// Returns the transport of an application.
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

/// Returns the message about an application that uses another transport than `wanted`.
pub fn wrong_transport(wanted: TransportName) -> String {
    let over = |transport| {
        let kinds = AppKind::ALL.iter().filter(|&&kind| transport_of(kind) == transport);
        quoted(&kinds.map(|kind| kind.name()).collect::<Vec<_>>())
    };
    let (tcp, udp) = (over(TransportName::Tcp), over(TransportName::Udp));
    match wanted {
        TransportName::Tcp => format!("over TCP go the apps {tcp}; {udp} go over UDP"),
        TransportName::Udp => format!("over UDP go the apps {udp}; {tcp} go over TCP"),
    }
}

/// An application that sends datagrams, with `header` bytes before each; `place` is that of the application.
pub fn datagrams(
    app: &AppSpec,
    place: Option<&Range<usize>>,
    header: u32,
    context: &Context<'_>,
) -> Result<AppConfig, Problem> {
    let files = context.files;
    let missing = |message: &str| {
        let place = place.cloned().unwrap_or(0..0);
        Code::MissingKey.says(format!("missing key {message}")).at(place)
    };
    let source = match app {
        AppSpec::Saturated(table) => {
            return Ok(AppConfig::Saturated { payload: payload(&table.payload(), header)? });
        }
        AppSpec::OnOff(table) => SourceConfig::OnOff(on_off(table, header, context)?),
        AppSpec::Voice(table) => SourceConfig::OnOff(voice(table, header, context)?),
        AppSpec::Game(table) => game(table, header)?,
        AppSpec::Video(table) => video::video(table, header, files, missing)?,
        AppSpec::Periodic(table) => {
            let bytes = payload(&table.payload, header)?;
            periodic(bytes, &table.interval, &table.jitter())?
        }
        AppSpec::Cbr(table) => {
            let rate = table.rate().value.0;
            SourceConfig::Cbr { payload: payload(&table.payload(), header)?, rate }
        }
        AppSpec::Bulk(_)
        | AppSpec::Web(_)
        | AppSpec::RequestResponse(_)
        | AppSpec::ShortFlows(_) => unreachable!("it goes over TCP"),
    };
    let playout = playout::playout(app, &source)?;
    Ok(AppConfig::Datagrams(Box::new(DatagramConfig { source, playout })))
}

/// Returns the largest payload of its datagrams, bytes.
pub fn largest_payload(config: &AppConfig) -> u32 {
    match config {
        AppConfig::Bulk { .. } | AppConfig::Web(_) => 0,
        AppConfig::Saturated { payload } => *payload,
        AppConfig::Datagrams(config) => config.source.largest(),
    }
}

/// Returns the payload of a datagram of speech; 20 ms at 32 kbit/s by default.
fn speech(app: &VoiceTable, header: u32) -> Result<u32, Problem> {
    let Some(interval) = &app.interval else { return payload(&app.payload(), header) };
    if app.payload.is_some() {
        return Err(interval.problem(
            "interval and payload both set the size of a datagram; leave one of them out",
        ));
    }
    let rate = app.rate().value.0;
    let bits = u128::from(rate.0) * u128::from(interval.value.0.0);
    let (bytes, left) = (bits / 8_000_000_000, bits % 8_000_000_000);
    if left != 0 || bytes == 0 || bytes + u128::from(header) > 65_535 {
        let message = format!(
            "{} s of {} bit/s are {} B; allowed: a whole number of bytes that fits a packet",
            interval.value.0.as_secs(),
            rate.0,
            bits as f64 / 8e9
        );
        return Err(interval.out_of_range(message));
    }
    Ok(bytes as u32)
}

fn on_off(app: &OnOffTable, header: u32, context: &Context<'_>) -> Result<OnOffConfig, Problem> {
    let (payload, rate) = (payload(&app.payload(), header)?, app.rate().value.0);
    let law = law(app.times().value.0, app.shape.as_ref(), &app.shape())?;
    let OnOffRules { bursts, begins } = context.overlays.settled(&app.settings).value;
    Ok(OnOffConfig {
        payload,
        rate,
        burst: Times { law, mean: burst(&app.burst(), payload, rate)? },
        idle: Times { law, mean: app.idle().value.0 },
        rule: bursts,
        begins,
    })
}

/// Returns a source of speech, whose spurts consist of whole datagrams.
fn voice(app: &VoiceTable, header: u32, context: &Context<'_>) -> Result<OnOffConfig, Problem> {
    let (payload, rate) = (speech(app, header)?, app.rate().value.0);
    let law = law(app.times().value.0, app.shape.as_ref(), &app.shape())?;
    let VoiceRules { bursts, begins } = context.overlays.settled(&app.settings).value;
    Ok(OnOffConfig {
        payload,
        rate,
        burst: Times { law, mean: burst(&app.burst(), payload, rate)? },
        idle: Times { law, mean: app.idle().value.0 },
        rule: bursts,
        begins,
    })
}

/// A burst shorter than this part of a datagram is refused: a source would go through thousands for each.
const SHORTEST_BURST: f64 = 1e-3;

fn burst(at: &At<Duration>, payload: u32, rate: Rate) -> Result<Span, Problem> {
    let burst = at.value.0;
    let datagram_s = f64::from(payload) * 8.0 / rate.0 as f64;
    if burst.as_secs() < SHORTEST_BURST * datagram_s {
        let message = format!(
            "{} s, where a datagram takes {datagram_s} s; allowed: a thousandth of that or more",
            burst.as_secs()
        );
        return Err(at.out_of_range(message));
    }
    Ok(burst)
}

/// Returns the distribution of times; `said` is its shape if the file gives one.
pub fn law(times: TimesName, said: Option<&At<f64>>, shape: &At<f64>) -> Result<Law, Problem> {
    match (times, said) {
        (TimesName::Exponential, Some(at)) => Err(at.problem("shape is for times = \"pareto\"")),
        (TimesName::Exponential, None) => Ok(Law::Exponential),
        // Below this even the mean is out of reach: a run would see a few of the times that make it.
        (TimesName::Pareto, _) => Ok(Law::Pareto { shape: bounded(shape, (1.01, 100.0))? }),
    }
}

/// janevski2011's game: 42 B every 60 ms up, 200 B every 50 ms down.
fn game(app: &GameTable, header: u32) -> Result<SourceConfig, Problem> {
    let (bytes, interval) = match app.direction.value.0 {
        GameDirectionName::Up => (42, Span::millis(60)),
        GameDirectionName::Down => (200, Span::millis(50)),
    };
    let size = app.payload.clone().unwrap_or(app.direction.with(Size(bytes)));
    let interval = app.interval.clone().unwrap_or(app.direction.with(Duration(interval)));
    periodic(payload(&size, header)?, &interval, &app.jitter())
}

fn periodic(
    payload: u32,
    every: &At<Duration>,
    jitter: &At<Duration>,
) -> Result<SourceConfig, Problem> {
    let (interval, most) = (every.value.0, jitter.value.0);
    if interval < Span::micros(1) {
        return Err(every.out_of_range("too short; allowed: 1 us or more"));
    }
    if most > interval {
        let longest = interval.as_secs();
        return Err(jitter.out_of_range(format!(
            "datagrams would overtake each other; allowed: up to the interval, {longest} s"
        )));
    }
    Ok(SourceConfig::Periodic(PeriodicConfig { payload, interval, jitter: most }))
}
