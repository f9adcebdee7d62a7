//! Fall and Floyd's drops in ns-2's test suite (`ns2_fall_floyd`): every packet at its time, every number.
//!
//! The header's `scenario` says path, packet, window and timer; a case may say any of its keys otherwise. What the
//! header puts into sentences (topology, packet, receiver) is read from them, or refused. What it does not say is as
//! in ns-2 with `precisionReduce_` off, which is how these numbers were made: only so does the first growth after a
//! recovery come when it comes.

use crate::case::{Case, Error, cases};
use crate::prose::{RATES, TIMES, in_units};
use crate::three_nodes::{Link, Row, ThreeNodes};
use crate::trial::{Outcome, judged};
use base::{Rate, Span, Time};
use serde_json::Value;
use transport::tcp::{DelayedAck, PartialAckTimer, SsthreshBase, TcpConfig, variants};

/// Half a unit of the fifth decimal is the file's own rounding.
const TOLERANCE: f64 = 1.0e-5;

/// Longest play and largest window: what a mistyped number must not turn into hours.
const LONGEST_S: f64 = 1000.0;
const LARGEST_WINDOW: f64 = 100_000.0;

/// Runs a file of timelines.
///
/// # Errors
/// Where the file has no list of cases.
pub fn run(file: &str, value: &Value) -> Result<Vec<Case>, Error> {
    let header = value.get("scenario").unwrap_or(&Value::Null);
    let run = |case| judged(file, case, one(&Settings { case, header }));
    Ok(cases(file, value)?.iter().map(run).collect())
}

/// The lookup of a case's settings: in itself, then in the header.
struct Settings<'a> {
    case: &'a Value,
    header: &'a Value,
}

impl<'a> Settings<'a> {
    fn get(&self, key: &str) -> Option<&'a Value> {
        let places = [self.case.get("scenario"), Some(self.case), Some(self.header)];
        let plain = |place: &'a Value| place.get(key);
        let listed = |place: &'a Value| place.get("settings")?.get(key);
        places.into_iter().flatten().find_map(|place| plain(place).or_else(|| listed(place)))
    }

    /// A number of at least `least`, or `otherwise` where none is given.
    fn number(&self, key: &str, least: f64, otherwise: f64) -> Result<f64, String> {
        self.within(key, self.get(key), least, otherwise)
    }

    fn within(
        &self,
        key: &str,
        value: Option<&Value>,
        least: f64,
        otherwise: f64,
    ) -> Result<f64, String> {
        match value {
            None => Ok(otherwise),
            Some(value) => match value.as_f64() {
                Some(number) if number >= least => Ok(number),
                _ => Err(format!("{key}: {value}, where a number of at least {least} is needed")),
            },
        }
    }

    /// A switch: true, false, 1 or 0.
    fn switch(&self, key: &str, otherwise: bool) -> Result<bool, String> {
        match self.get(key) {
            None => Ok(otherwise),
            Some(value) => match (value.as_bool(), value.as_u64()) {
                (Some(flag), _) => Ok(flag),
                (None, Some(number @ 0..=1)) => Ok(number == 1),
                _ => Err(format!("{key}: {value}, where true or false (1 or 0) is needed")),
            },
        }
    }

    fn text(&self, key: &str) -> &'a str {
        self.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    /// The timer's values are together: `rto` of the case, else of the header.
    fn timer(&self, key: &str, otherwise: f64) -> Result<Span, String> {
        let value = self.get("rto").and_then(|rto| rto.get(key));
        Ok(Span::from_secs(self.within(&format!("rto.{key}"), value, 0.0, otherwise)?))
    }
}

fn one(settings: &Settings<'_>) -> Outcome {
    let (path, config) = (path(settings)?, config(settings)?);
    let trace = path.run(&config);
    let lists = [
        ("data_drop_times", "dropped", &trace.dropped),
        ("data_enqueue_at_bottleneck", "enters the queue", &trace.enqueued),
        ("data_dequeue_at_bottleneck", "leaves the queue", &trace.dequeued),
        ("ack_leaves_receiver", "acknowledged", &trace.acks),
    ];
    let mut compared = 0;
    for (key, what, got) in lists {
        let Some(list) = settings.case.get(key) else { continue };
        compare(key, what, &rows(key, list)?, got)?;
        compared += 1;
    }
    match compared {
        0 => Err("no list of packets to compare with".to_owned()),
        _ => Ok(String::new()),
    }
}

fn path(settings: &Settings<'_>) -> Result<ThreeNodes, String> {
    let default = ThreeNodes::default();
    let drops = settings.case.get("forced_drop_list").ok_or("no \"forced_drop_list\"")?;
    let drops: Option<Vec<u64>> =
        drops.as_array().and_then(|list| list.iter().map(Value::as_u64).collect());
    let start = settings.number("flow_start_s", 0.0, 1.0)?;
    let stop = settings.number("stop_s", start, 6.0)?;
    if stop > LONGEST_S {
        return Err(format!("stop_s: {stop}, where at most {LONGEST_S} s are played"));
    }
    let (access, bottleneck, queue) = match settings.text("topology") {
        "" => (default.access, default.bottleneck, default.queue),
        topology => links(topology)?,
    };
    Ok(ThreeNodes {
        access,
        bottleneck,
        queue,
        ack_bytes: settings.number("ack_bytes", 1.0, 40.0)? as u32,
        drops: drops.ok_or("forced_drop_list: no list of whole numbers")?,
        start: Time::ZERO + Span::from_secs(start),
        stop: Time::ZERO + Span::from_secs(stop),
    })
}

/// Two links and the queue's limit, from a sentence.
fn links(topology: &str) -> Result<(Link, Link, u32), String> {
    let (rates, delays) = (in_units(topology, RATES), in_units(topology, TIMES));
    let limits = in_units(topology, &[("packets", 1.0), ("packet", 1.0)]);
    let (&[first, second], &[near, far], &[limit]) = (&rates[..], &delays[..], &limits[..]) else {
        return Err(format!(
            "topology {topology:?}: two rates, two delays and a limit are needed, as in \
             \"s1 -8 Mb/s,0 ms- r1 -0.8 Mb/s,100 ms- k1; DropTail queue limit 8 packets\""
        ));
    };
    if first.min(second) < 1000.0 || limit < 1.0 || near.max(far) > LONGEST_S {
        return Err(format!(
            "topology {topology:?}: rates of at least 1 kb/s, a limit of at least 1"
        ));
    }
    let link = |rate: f64, delay| Link { rate: Rate(rate as u64), delay: Span::from_secs(delay) };
    Ok((link(first, near), link(second, far), limit as u32))
}

fn config(settings: &Settings<'_>) -> Result<TcpConfig, String> {
    let name = settings.case.get("tcp").and_then(Value::as_str).ok_or("no variant \"tcp\"")?;
    let variant = variants::by_name(name).ok_or_else(|| {
        format!("no variant {name:?} here; there are {}", variants::NAMES.join(", "))
    })?;
    let (mss, header) = packet(settings.text("packet"))?;
    let window = settings.number("window_limit_packets", 1.0, 28.0)?;
    if window > LARGEST_WINDOW {
        return Err(format!("window_limit_packets: {window}, where {LARGEST_WINDOW} is the most"));
    }
    let table = format!(
        "variant = \"{}\"\nmss = \"{mss} B\"\nwindow = \"{} packets\"",
        variant.name, window as u32
    );
    let mut config = scenario::tcp_config("ns2.35", &table).map_err(|problem| problem.message)?;
    config.header_bytes = header;
    config.initial_window = settings.number("windowInit", 1.0, 2.0)?.min(LARGEST_WINDOW) as u32;
    config.rto.initial = settings.timer("initial_s", 6.0)?;
    config.rto.min = settings.timer("min_s", 1.0)?;
    config.rto.granularity = settings.timer("tick_s", 0.01)?.max(Span(1));
    config.dup_thresh = settings.number("numdupacks", 1.0, 3.0)? as u32;
    config.limited_transmit = settings.switch("limited_transmit", false)?;
    let first_only = settings.switch("newreno_changes1", false)?;
    config.newreno.timer = match first_only {
        true => PartialAckTimer::First,
        false => PartialAckTimer::Every,
    };
    config.newreno.deflate = settings.switch("newreno_partial_window_deflation", false)?;
    config.ssthresh_base = match settings.switch("precisionReduce", false)? {
        true => SsthreshBase::Window,
        false => SsthreshBase::WholeWindow,
    };
    config.delayed_ack = delayed_ack(settings.text("receiver"))?;
    match settings.number("overhead", 0.0, 0.0)? {
        0.0 => Ok(config),
        _ => Err("overhead: a random delay before each packet is not modelled".to_owned()),
    }
}

/// Payload and header, from a sentence such as "1000 B payload + 40 B header on the wire".
fn packet(text: &str) -> Result<(u32, u32), String> {
    if text.is_empty() {
        return Ok((1000, 40));
    }
    match in_units(text, &[("B", 1.0)])[..] {
        [payload, header, ..] if (1.0..=65_535.0).contains(&payload) && header <= 65_535.0 => {
            Ok((payload as u32, header as u32))
        }
        _ => Err(format!("packet {text:?}: \"1000 B payload + 40 B header\" is the form")),
    }
}

/// Returns the receiver's rule for acknowledgements, from a sentence; ns-2's `DelAck` waits for 100 ms.
fn delayed_ack(text: &str) -> Result<Option<DelayedAck>, String> {
    if text.is_empty() || text.contains("one ACK per segment") {
        return Ok(None);
    }
    if !text.contains("every second") && !text.to_lowercase().contains("delayed") {
        return Err(format!("receiver {text:?}: neither \"one ACK per segment\" nor delayed"));
    }
    let timeout = in_units(text, TIMES).first().map_or(Span::millis(100), |&s| Span::from_secs(s));
    Ok(Some(DelayedAck::every(2, timeout)))
}

fn rows(key: &str, list: &Value) -> Result<Vec<Row>, String> {
    let row = |row: &Value| Some((row.get(0)?.as_f64()?, row.get(1)?.as_u64()?));
    let rows = list.as_array().and_then(|list| list.iter().map(row).collect());
    rows.ok_or_else(|| format!("{key}: no list of [time, number]"))
}

/// The first row that differs.
fn compare(key: &str, what: &str, expected: &[Row], got: &[Row]) -> Result<(), String> {
    let same = |e: &Row, g: &Row| e.1 == g.1 && (e.0 - g.0).abs() < TOLERANCE;
    let first = expected.iter().zip(got).position(|(e, g)| !same(e, g));
    let missing = (expected.len() != got.len()).then(|| expected.len().min(got.len()));
    let Some(first) = first.or(missing) else { return Ok(()) };
    let tell = |row: Option<&Row>| match row {
        Some((at, number)) => format!("packet {number} {what} at {at} s"),
        None => "the end".to_owned(),
    };
    Err(format!(
        "{key} row {first}: {} expected, {} here ({} rows expected, {} here)",
        tell(expected.get(first)),
        tell(got.get(first)),
        expected.len(),
        got.len()
    ))
}
