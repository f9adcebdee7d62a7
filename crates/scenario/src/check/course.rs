//! Links that change over time: changes that the scenario lists, and traces.

use super::context::Context;
use crate::at::{At, Problem};
use crate::code::Code;
use crate::files::Files;
use crate::spec::{ChangeSpec, DirectionName, LinkSpec, LossDirection, TraceFormat};
use crate::traces::{Row, csv, mahimahi};
use base::{Rate, Span, Time};
use net::{CourseConfig, Grants, JitterConfig, Stretch};

/// The reason why keys of the reverse direction are refused.
pub const BACK: &str = "the link is one_way and has no reverse direction";

/// Rate, delay and loss of a link before the first change; the rate is `None` where a trace has it.
#[derive(Clone, Copy, Debug)]
pub struct Before {
    pub rate: Option<Rate>,
    pub delay: Span,
    pub loss: f64,
}

/// The time after the end of a run, s, at which a link that is down for good is up again: its packets wait for ever.
const BEYOND_S: u64 = 1;

/// Returns the course of one direction of a link, and the rate by which its queue calculates.
pub fn course(
    link: &At<LinkSpec>,
    way: DirectionName,
    before: Before,
    context: &Context<'_>,
) -> Result<(Option<CourseConfig>, Rate), Problem> {
    let end = Time::ZERO + context.spec.duration.value.0;
    let trace = match way {
        DirectionName::Forward => link.trace.as_ref(),
        DirectionName::Reverse => link.reverse_trace.as_ref().or(link.trace.as_ref()),
    };
    let (grants, rows) = match trace {
        Some(file) => trace_of(link, file, context.files)?,
        None => (None, Vec::new()),
    };
    if let (Some(at), Some(_)) = (&link.rate, &grants) {
        return Err(at.problem("a trace of Mahimahi says when packets go; leave rate out"));
    }
    let Some(rate) = before.rate.or(first_rate(&grants, &rows)) else {
        let why = "missing key \"rate\": the rate in bits of network-layer packets a second, such as \"5 Mbps\"; only a trace with rates goes without";
        return Err(Code::MissingKey.says(why).at(link.place.clone()));
    };
    let first = Stretch { from: Time::ZERO, rate, delay: before.delay, loss: before.loss };
    let mut stretches = vec![first];
    let is_back = |change: &&At<ChangeSpec>| change.direction().value.0 == LossDirection::Reverse;
    if let Some(change) = link.change.iter().find(is_back).filter(|_| link.one_way().value) {
        return Err(change.problem(BACK));
    }
    let changes = link.change.iter().filter(|change| applies(change, way));
    let changes: Vec<&At<ChangeSpec>> = changes.collect();
    let is_unsteady = grants.is_some() || !rows.is_empty() || !changes.is_empty();
    if !is_unsteady {
        return Ok((None, rate));
    }
    rows.iter().for_each(|row| follow(&mut stretches, row));
    let mut usual = rate;
    for change in changes {
        refuse_beside(change, trace, grants.is_some())?;
        let at = &change.at;
        if stretches.last().is_some_and(|last| Time::ZERO + at.value.0 < last.from) {
            return Err(
                at.out_of_range("before the change above; allowed: changes in the order of time")
            );
        }
        usual = change.rate.as_ref().map_or(usual, |rate| rate.value.0);
        follow(
            &mut stretches,
            &Row {
                at: at.value.0,
                rate: Some(if change.down().value { Rate(0) } else { usual }),
                delay: change.delay.as_ref().map(|delay| delay.value.0),
                loss: change.loss.as_ref().map(|loss| loss.value.0),
            },
        );
    }
    if let Some(&last) = stretches.last().filter(|last| last.rate == Rate(0)) {
        stretches.push(Stretch { from: end.max(last.from) + Span::secs(BEYOND_S), rate, ..last });
    }
    let course = CourseConfig { stretches: stretches.into(), grants };
    let mean = course.mean_rate(end);
    Ok((Some(course), mean))
}

/// The content of a trace: times at which packets go, or changes with their times.
type Traced = (Option<Grants>, Vec<Row>);

fn trace_of(link: &At<LinkSpec>, file: &At<String>, files: &Files) -> Result<Traced, Problem> {
    let text = files.text(file).map_err(|why| file.problem(why))?;
    let said =
        |(line, what): (usize, String)| file.problem(format!("{}:{line}: {what}", file.value));
    match link.trace_format().value.0 {
        TraceFormat::Mahimahi => {
            let times = mahimahi(text).map_err(said)?;
            let grants = Grants::new(times).ok_or_else(|| {
                file.problem(format!("{} has no time after 0 at which packets go", file.value))
            })?;
            Ok((Some(grants), Vec::new()))
        }
        TraceFormat::Csv => Ok((None, csv(text).map_err(said)?)),
    }
}

fn first_rate(grants: &Option<Grants>, rows: &[Row]) -> Option<Rate> {
    let of_grants = grants.as_ref().map(Grants::mean_rate);
    of_grants.or_else(|| rows.iter().find_map(|row| row.rate.filter(|rate| *rate != Rate(0))))
}

/// Begins a stretch with the values of `row`, and those before it for the rest.
fn follow(stretches: &mut Vec<Stretch>, row: &Row) {
    let last = stretches[stretches.len() - 1];
    let next = Stretch {
        from: Time::ZERO + row.at,
        rate: row.rate.unwrap_or(last.rate),
        delay: row.delay.unwrap_or(last.delay),
        loss: row.loss.unwrap_or(last.loss),
    };
    if next.from == last.from {
        stretches.pop();
    }
    stretches.push(next);
}

fn applies(change: &ChangeSpec, way: DirectionName) -> bool {
    match change.direction().value.0 {
        LossDirection::Both => true,
        LossDirection::Forward => way == DirectionName::Forward,
        LossDirection::Reverse => way == DirectionName::Reverse,
    }
}

/// Refuses changes beside a trace: all beside a table of changes, those of the rate beside times of packets.
fn refuse_beside(
    change: &At<ChangeSpec>,
    trace: Option<&At<String>>,
    is_granted: bool,
) -> Result<(), Problem> {
    let Some(trace) = trace else { return Ok(()) };
    let name = &trace.value;
    if !is_granted {
        return Err(
            change.problem(format!("\"{name}\" says what changes; leave one of the two out"))
        );
    }
    let down = change.down.as_ref().map(|at| at.place.clone());
    match change.rate.as_ref().map(|at| at.place.clone()).or(down) {
        None => Ok(()),
        Some(place) => {
            let at = At { value: (), place };
            Err(at.problem(format!("\"{name}\" says when packets go; leave it out")))
        }
    }
}

/// Returns the delay that is drawn for each packet of a link.
pub fn jitter(link: &LinkSpec) -> Result<Option<JitterConfig>, Problem> {
    let overtakes = link.overtaking().value;
    match &link.jitter {
        Some(size) => {
            Ok(Some(JitterConfig { law: link.jitter_law().value.0, size: size.value.0, overtakes }))
        }
        None if overtakes => {
            // Packets overtake then by a shorter delay alone.
            let law = link.jitter_law().value.0;
            Ok(Some(JitterConfig { law, size: Span::ZERO, overtakes }))
        }
        None => match &link.jitter_law {
            Some(at) => {
                Err(at.problem("a law of jitter without jitter; add jitter, or leave it out"))
            }
            None => Ok(None),
        },
    }
}
