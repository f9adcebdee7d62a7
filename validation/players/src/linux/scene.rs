//! The path and the flows of a file of windows, from the sentences of its header.

use crate::prose::{RATES, TIMES, in_units};
use serde_json::Value;

/// Bytes of headers and time stamps of ns-2's Linux agent, and of an acknowledgement.
const HEADER: f64 = 50.0;
const ACK: f64 = 40.0;

/// The defaults for a file without a header, and for sentences missing in a header.
const TOPOLOGY: &str = "s1 -100 Mb/s,2 ms- r1; s2 -100 Mb/s,3 ms- r1; r1 -30 Mb/s,30 ms- r2; r2 -100 Mb/s,4 ms- s3; \
                        r2 -100 Mb/s,5 ms- s4; DropTail 100 packets both ways";
const FLOWS: &str = "flow 1 s1->s3 from 0.1 s to 240 s; flow 2 s2->s4 from 60 s to 160 s; SACK + delayed ACK 100 ms; \
                     window limit 30000; minRTO 1 s; 1000 B payload";

/// The longest play and the fastest bottleneck, segments a second: mistyped numbers must not become hours.
const LONGEST_S: f64 = 3600.0;
const FASTEST: f64 = 1e6;

/// A flow: its round trip without the bottleneck's queue and service, and when it is there, s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times {
    pub delay: f64,
    pub start: f64,
    pub end: f64,
}

/// The bottleneck and the flows that share it.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Segments a second.
    pub rate: f64,
    /// Segments that wait or are served.
    pub buffer: f64,
    /// One or two.
    pub flows: Vec<Times>,
    pub segments_per_ack: u32,
}

/// A link of the sentence: its ends, bits a second, s.
struct Link<'a> {
    ends: [&'a str; 2],
    rate: f64,
    delay: f64,
}

impl Scene {
    /// The scene of a header, or what of it cannot be read.
    pub fn of(header: &Value) -> Result<Scene, String> {
        let text = |key, otherwise| header.get(key).and_then(Value::as_str).unwrap_or(otherwise);
        let (topology, said) = (text("topology", TOPOLOGY), text("flows", FLOWS));
        let (links, buffer) = read_topology(topology)?;
        let parts = said.split(';').map(str::trim).filter(|part| part.starts_with("flow"));
        let ways = parts.map(|part| read_way(&links, part)).collect::<Result<Vec<_>, _>>()?;
        if !(1..=2).contains(&ways.len()) {
            return Err(format!("flows {said:?}: {}, where one or two are compared", ways.len()));
        }
        let slowest = bottleneck(&links, &ways)
            .ok_or_else(|| format!("topology {topology:?}: no bottleneck that all flows share"))?;
        let payload = *in_units(said, &[("B", 1.0)]).first().unwrap_or(&1000.0);
        let bits = 8.0 * (payload + HEADER);
        let rate = slowest / bits;
        if rate > FASTEST {
            return Err(format!(
                "topology {topology:?}: at most {FASTEST} segments a second are played"
            ));
        }
        let times = |(way, start, end): &(Vec<usize>, f64, f64)| {
            let delay = way.iter().map(|&i| round_trip(&links[i], slowest, bits)).sum();
            Times { delay, start: *start, end: *end }
        };
        let flows = ways.iter().map(times).collect();
        let segments_per_ack = 1 + u32::from(said.contains("delayed"));
        Ok(Scene { rate, buffer, flows, segments_per_ack })
    }

    /// The end of the play, s.
    pub fn end(&self) -> f64 {
        self.flows.iter().map(|flow| flow.end).fold(0.0, f64::max)
    }
}

/// "s1 -100 Mb/s,2 ms- r1; ...; DropTail 100 packets both ways".
fn read_topology(text: &str) -> Result<(Vec<Link<'_>>, f64), String> {
    let wrong = |what: &str| format!("topology {text:?}: {what}");
    let (mut links, mut limit) = (vec![], None);
    for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
        if let Some(&packets) = in_units(part, &[("packets", 1.0), ("packet", 1.0)]).first() {
            if !part.contains("DropTail") || packets < 1.0 {
                return Err(wrong("only DropTail of at least 1 packet is played"));
            }
            limit = Some(packets);
            continue;
        }
        let (rates, delays) = (in_units(part, RATES), in_units(part, TIMES));
        let (Some(from), Some(to), [rate], [delay]) =
            (part.split(' ').next(), part.rsplit(' ').next(), &rates[..], &delays[..])
        else {
            return Err(wrong(&format!("{part:?}, where \"s1 -100 Mb/s,2 ms- r1\" is the form")));
        };
        links.push(Link { ends: [from, to], rate: *rate, delay: *delay });
    }
    let limit = limit.ok_or_else(|| wrong("no queue, as in \"DropTail 100 packets\""))?;
    if links.iter().any(|link| !(link.rate >= 1000.0 && link.delay <= LONGEST_S)) {
        return Err(wrong("rates of at least 1 kb/s are played"));
    }
    Ok((links, limit))
}

/// The addition of a link to a round trip; a segment's time at the bottleneck is its service.
fn round_trip(link: &Link<'_>, slowest: f64, bits: f64) -> f64 {
    let there = if link.rate > slowest { bits / link.rate } else { 0.0 };
    2.0 * link.delay + there + 8.0 * ACK / link.rate
}

/// The rate of the link that all ways cross, where all others on them are faster.
fn bottleneck(links: &[Link<'_>], ways: &[(Vec<usize>, f64, f64)]) -> Option<f64> {
    let shared = ways[0].0.iter().filter(|i| ways.iter().all(|(way, ..)| way.contains(i)));
    let slowest = *shared.min_by(|&&i, &&j| links[i].rate.total_cmp(&links[j].rate))?;
    let mut others = ways.iter().flat_map(|(way, ..)| way).filter(|&&i| i != slowest);
    let rate = links[slowest].rate;
    others.all(|&i| links[i].rate > rate).then_some(rate)
}

/// "flow 1 s1->s3 from 0.1 s to 240 s": the links' numbers, start and end.
fn read_way(links: &[Link<'_>], part: &str) -> Result<(Vec<usize>, f64, f64), String> {
    let ends = part.split(' ').find_map(|word| word.split_once("->"));
    let times = part.split_once(" from ").map_or(vec![], |(_, times)| in_units(times, TIMES));
    match (ends, &times[..]) {
        (Some((from, to)), &[start, end]) if start < end && end <= LONGEST_S => {
            let way = way(links, from, to, &mut vec![]);
            let way = way.ok_or_else(|| format!("flows: no way {from}->{to} in the topology"))?;
            Ok((way, start, end))
        }
        _ => Err(format!("{part:?}, where \"flow 1 s1->s3 from 0.1 s to 240 s\" is the form")),
    }
}

/// The links between two nodes.
fn way(links: &[Link<'_>], from: &str, to: &str, seen: &mut Vec<String>) -> Option<Vec<usize>> {
    if from == to {
        return Some(vec![]);
    }
    seen.push(from.to_owned());
    for (i, link) in links.iter().enumerate() {
        for (near, far) in [(link.ends[0], link.ends[1]), (link.ends[1], link.ends[0])] {
            if near == from && !seen.iter().any(|node| node == far) {
                if let Some(mut rest) = way(links, far, to, seen) {
                    rest.insert(0, i);
                    return Some(rest);
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_suite_s_header_gives_its_path() {
        let scene = Scene::of(&Value::Null).expect("the suite's own");
        assert!((scene.rate - 30e6 / 8400.0).abs() < 1e-9);
        // 2 (2 + 30 + 4) ms, 1050 B twice at 100 Mb/s, 40 B back at 100, 30 and 100.
        assert!((scene.flows[0].delay - 0.072_185_067).abs() < 1e-8, "{}", scene.flows[0].delay);
        assert_eq!((scene.buffer, scene.segments_per_ack, scene.end()), (100.0, 2, 240.0));
        assert_eq!((scene.flows[1].start, scene.flows[1].end), (60.0, 160.0));
    }

    #[test]
    fn what_cannot_be_played_is_named() {
        let said = |key: &str, text: String| Scene::of(&json!({ key: text })).expect_err("refused");
        for (key, from, to, what) in [
            ("topology", "DropTail", "RED", "only DropTail"),
            ("topology", "; DropTail 100 packets both ways", "", "no queue"),
            ("topology", "s1 -100 Mb/s", "s1 -fast", "is the form"),
            ("topology", "r1 -30 Mb/s,30 ms- r2; ", "", "no way s1->s3"),
            ("topology", "30 Mb/s", "30000 Gb/s", "no bottleneck"),
        ] {
            let text = said(key, TOPOLOGY.replace(from, to));
            assert!(text.contains(what), "{what}: {text}");
        }
        for (from, to, what) in [
            ("to 240 s", "on", "is the form"),
            ("flow 2", "flow 3 s1->s4 from 1 s to 2 s; flow 2", "3, where"),
        ] {
            let text = said("flows", FLOWS.replace(from, to));
            assert!(text.contains(what), "{what}: {text}");
        }
    }
}
