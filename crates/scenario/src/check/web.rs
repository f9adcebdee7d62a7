//! Requests and responses: the models' defaults, and the scenario's values over them.

use super::apps::law;
use super::context::Context;
use crate::at::{At, Problem, Said};
use crate::spec::{
    AppSpec, BulkTable, CountLaw, OnTimesSpec, RequestResponseTable, ShortFlowsTable, SizeLaw,
    TimeLaw, WebModelName, WebTable,
};
use crate::units::Duration;
use apps::{
    AppConfig, Distribution, GapFrom, OnTimesConfig, Sizes, Style, Times, Variate, WebConfig,
};
use base::Span;

/// The most connections of a flow at once.
const MOST_CONNECTIONS: u32 = 10_000;

/// Returns an application that uses TCP; `mss`: bytes of a packet of data.
pub fn over_tcp(app: &AppSpec, mss: u32, context: &Context<'_>) -> Result<AppConfig, Problem> {
    let config = match app {
        AppSpec::Web(table) => web(table, mss)?,
        AppSpec::RequestResponse(table) => request_response(table, mss)?,
        AppSpec::ShortFlows(table) => short_flows(table, mss)?,
        AppSpec::Bulk(table) => return bulk(table, mss, context),
        _ => return Ok(AppConfig::Bulk { bytes: None, on_times: None }),
    };
    Ok(AppConfig::Web(Box::new(config)))
}

/// Returns a bulk transfer: a file, or data in on-times.
fn bulk(app: &BulkTable, mss: u32, context: &Context<'_>) -> Result<AppConfig, Problem> {
    let bytes = bulk_size(app, mss)?;
    let on_times = app.on_times.as_ref().map(|at| on_times(&at.value, context)).transpose()?;
    match (&app.size, on_times) {
        (Some(at), Some(_)) => Err(at.problem(
            "a size beside on_times, in which there are data without end; leave one of them out",
        )),
        (_, on_times) => Ok(AppConfig::Bulk { bytes, on_times: on_times.map(Box::new) }),
    }
}

/// The most pauses in an on-time.
const MOST_PAUSES: u32 = 1000;

fn on_times(spec: &OnTimesSpec, context: &Context<'_>) -> Result<OnTimesConfig, Problem> {
    let law = law(spec.times().value.0, spec.shape.as_ref(), &spec.shape())?;
    let times = |at: &At<Duration>| match at.value.0 {
        Span::ZERO => Err(at.out_of_range("a time of zero; allowed: more than \"0 s\"")),
        mean => Ok(Times { law, mean }),
    };
    let pauses = spec.pauses();
    if pauses.value > MOST_PAUSES {
        return Err(pauses.out_of_range(format!("too many; allowed: up to {MOST_PAUSES}")));
    }
    if let Some(at) = spec.pause.as_ref().filter(|_| pauses.value == 0) {
        return Err(at.problem("there is no pause; give pauses, how often one interrupts"));
    }
    Ok(OnTimesConfig {
        burst: times(&spec.burst)?,
        pauses: pauses.value,
        pause: times(&spec.pause())?,
        idle: times(&spec.idle)?,
        begins: context.overlays.settled(&spec.settings).value.begins,
    })
}

/// Returns the size of a bulk transfer: one value, no distribution.
fn bulk_size(app: &BulkTable, mss: u32) -> Result<Option<u64>, Problem> {
    let Some(at) = &app.size else { return Ok(None) };
    let drawn = at.value.0;
    let Distribution::Constant(amount) = drawn.variate.law else {
        return Err(
            at.out_of_range("a law, where \"bulk\" takes one size; allowed: such as \"64 kB\"")
        );
    };
    let unit = if drawn.packets { u64::from(mss) } else { 1 };
    match amount as u64 {
        0 => Err(at.out_of_range("nothing to send; allowed: 1 B or more")),
        amount => Ok(Some(amount.saturating_mul(unit))),
    }
}

/// Returns a user of web pages.
fn web(app: &WebTable, mss: u32) -> Result<WebConfig, Problem> {
    let defaults = match app.model().value.0 {
        WebModelName::WebTraf => web_traf(u64::from(mss)),
        WebModelName::Modern => modern(),
    };
    if let Some(at) = app.sessions.as_ref().filter(|sessions| sessions.value == 0) {
        return Err(at.out_of_range("no session; allowed: 1 or more"));
    }
    let style = (app.persistent.as_ref(), app.request_apart.as_ref());
    let config = WebConfig {
        sessions: app.sessions.as_ref().map(|at| u64::from(at.value)).or(defaults.sessions),
        pages: app.pages.as_ref().map(count).or(defaults.pages),
        session_gap: app.session_gap.as_ref().map_or(defaults.session_gap, time),
        page_gap: app.think.as_ref().map_or(defaults.page_gap, time),
        gap_from: app.think_from.said_or(defaults.gap_from),
        objects: app.objects.as_ref().map_or(defaults.objects, count),
        object_gap: app.object_gap.as_ref().map_or(defaults.object_gap, time),
        main_size: app.main_size.as_ref().map(|at| sizes(at, mss)).or(defaults.main_size),
        size: app.size.as_ref().map_or(defaults.size, |at| sizes(at, mss)),
        request: app.request.as_ref().map_or(defaults.request, |at| sizes(at, mss)),
        connections: connections(app.connections.as_ref(), defaults.connections)?,
        style: self::style(style, defaults.style)?,
        paged: defaults.paged,
    };
    refuse_hail(&config, app.think.as_ref(), app.session_gap.as_ref())?;
    Ok(config)
}

/// Returns rounds of requests: a page is a round, and its objects are requested at once.
fn request_response(app: &RequestResponseTable, mss: u32) -> Result<WebConfig, Problem> {
    let unsaid = app.connections.said_or(1).max(1);
    let requests = super::bounds::number(app.requests.as_ref(), unsaid, (1, MOST_CONNECTIONS))?;
    let style = (app.persistent.as_ref(), app.request_apart.as_ref());
    let or = |said: &Option<At<SizeLaw>>, bytes_default: f64| {
        said.as_ref().map_or(bytes(Distribution::Constant(bytes_default)), |at| sizes(at, mss))
    };
    let modern = modern();
    Ok(WebConfig {
        page_gap: app.think.as_ref().map_or(Variate::constant(0.0), time),
        objects: Variate::constant(f64::from(requests)),
        object_gap: Variate::constant(0.0),
        main_size: None,
        size: or(&app.response, 10_000.0),
        request: or(&app.request, 300.0),
        connections: connections(app.connections.as_ref(), 1)?,
        style: self::style(style, modern.style)?,
        paged: false,
        ..modern
    })
}

/// Returns transfers: a page is one, and the next does not wait for it.
fn short_flows(app: &ShortFlowsTable, mss: u32) -> Result<WebConfig, Problem> {
    let plain = bytes(Distribution::Constant(10_000.0));
    let config = WebConfig {
        page_gap: app.interarrival.as_ref().map_or(exponential(1.0), time),
        gap_from: GapFrom::Start,
        objects: Variate::constant(1.0),
        main_size: None,
        size: app.size.as_ref().map_or(plain, |at| sizes(at, mss)),
        connections: connections(app.connections.as_ref(), 1000)?,
        style: Style::Push,
        paged: false,
        ..modern()
    };
    refuse_hail(&config, app.interarrival.as_ref(), None)?;
    Ok(config)
}

fn connections(said: Option<&At<u32>>, default: u32) -> Result<u32, Problem> {
    super::bounds::number(said, default, (1, MOST_CONNECTIONS))
}

/// Refuses pages that do not wait for each other and begin all at once.
fn refuse_hail(
    config: &WebConfig,
    gap: Option<&At<TimeLaw>>,
    session_gap: Option<&At<TimeLaw>>,
) -> Result<(), Problem> {
    let hails = |gap: &Variate| config.gap_from == GapFrom::Start && gap.law.mean() < 1e-6;
    let message = "what waits for nothing begins all at once; allowed: a mean of 1 us or more";
    match (gap, session_gap) {
        (Some(at), _) if hails(&config.page_gap) => Err(at.out_of_range(message)),
        (_, Some(at)) if hails(&config.session_gap) => Err(at.out_of_range(message)),
        _ => Ok(()),
    }
}

/// Returns the style of connections, by `persistent` and `request_apart`.
fn style(
    (persistent, apart): (Option<&At<bool>>, Option<&At<bool>>),
    default: Style,
) -> Result<Style, Problem> {
    let persistent = persistent.map(|at| at.value);
    let unsaid = default == Style::Apart && persistent != Some(true);
    match apart {
        Some(at) if at.value && persistent == Some(true) => Err(at.problem(
            "a connection for each response does not stay; allowed beside persistent = true: false",
        )),
        apart if apart.map_or(unsaid, |at| at.value) => Ok(Style::Apart),
        None if persistent.is_none() => Ok(default),
        _ if persistent.unwrap_or(default == Style::Persistent) => Ok(Style::Persistent),
        _ => Ok(Style::PerObject),
    }
}

fn time(law: &At<TimeLaw>) -> Variate {
    law.value.0.variate
}

fn count(law: &At<CountLaw>) -> Variate {
    law.value.0.variate
}

fn sizes(law: &At<SizeLaw>, mss: u32) -> Sizes {
    let drawn = law.value.0;
    Sizes { law: drawn.variate, unit: if drawn.packets { u64::from(mss) } else { 1 } }
}

fn bytes(law: Distribution) -> Sizes {
    Sizes { law: law.into(), unit: 1 }
}

fn exponential(mean: f64) -> Variate {
    Distribution::Exponential { mean }.into()
}

/// Returns ns-2's tcl/ex/large-scale-web-traffic.tcl, for one user. There sessions begin at random times, independent of the
/// one before; here one follows the other.
fn web_traf(mss: u64) -> WebConfig {
    WebConfig {
        sessions: None,
        pages: Some(Variate::constant(250.0)),
        session_gap: exponential(1.0),
        page_gap: exponential(15.0),
        gap_from: GapFrom::End,
        objects: Variate::constant(1.0),
        object_gap: exponential(0.01),
        main_size: None,
        size: Sizes { law: Distribution::pareto_ii(12.0, 1.2).into(), unit: mss },
        request: Sizes { law: Variate::constant(1.0), unit: mss },
        connections: 100,
        style: Style::Apart,
        paged: true,
    }
}

/// The median page of the HTTP Archive, mobile, October 2024 (Web Almanac 2024, chapter Page Weight): 66 requests, 2311 kB
/// in all, a document of 18 kB (desktop). That makes 35.3 kB an object beside the document. The spread of the number of
/// objects is that of the Web Almanac 2019 (median 74, 90th percentile 179). Taken without a source at hand: a sigma of
/// 1.5 of the objects' sizes, their log-normal law and bounds, requests of 700 B (between the 200 B and 2 kB of SPDY's
/// white paper). A reading time of 30 s is 3GPP TR 25.892's. Six connections: today's browsers', for each origin; here
/// there is one origin.
fn modern() -> WebConfig {
    let objects = Distribution::Lognormal { median: 66.0, sigma: 0.689 };
    let size = Distribution::lognormal(35_300.0, 1.5);
    WebConfig {
        sessions: None,
        pages: None,
        session_gap: exponential(1.0),
        page_gap: exponential(30.0),
        gap_from: GapFrom::End,
        objects: Variate { law: objects, least: 1.0, most: 1000.0 },
        object_gap: Variate::constant(0.0),
        main_size: Some(bytes(Distribution::Constant(18_000.0))),
        size: Sizes { law: Variate { law: size, least: 100.0, most: 2e7 }, unit: 1 },
        request: bytes(Distribution::Constant(700.0)),
        connections: 6,
        style: Style::Persistent,
        paged: true,
    }
}
