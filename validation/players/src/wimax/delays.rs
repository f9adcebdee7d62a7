//! The waits of packets in the uplink, from their station's queue to the base station.

use super::drive::{Arrived, Drive, frame_start};
use super::row::Row;
use super::sample::{Metrics, compare, of_delays};
use crate::case::{Case, Error};
use base::{Purpose, Rng, Seed, Span, Time};
use wimax::CellConfig;

/// The arrivals of packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// One after the other at random.
    Poisson,
    /// At equal distances, each station from a moment of its own on.
    Cbr,
    /// So far apart that none meets another, at any phase of the frame.
    Lone,
}

pub fn run(file: &str, rows: &[Row]) -> Result<Vec<Case>, Error> {
    let mut cases = Vec::new();
    for of_one in rows.chunk_by(|a, b| a.before("metric") == b.before("metric")) {
        let row = &of_one[0];
        let source = match row.text("source")? {
            "poisson" => Source::Poisson,
            "cbr" => Source::Cbr,
            "lone" => Source::Lone,
            other => return Err(Error::new(file, format!("{}: source {other}", row.id()))),
        };
        let offered = Offered {
            source,
            rate: row.number("rate_pps")?,
            bytes: row.number("sdu")?,
            frames: row.number("frames")?,
        };
        let config = row.cell()?;
        let slack = |metric: &str| match (source, metric) {
            (Source::Lone, "delay_mean_ms") => 0.1,
            (Source::Lone, name) if name.starts_with("delay") => 0.5,
            _ => 0.0,
        };
        cases.extend(compare(file, of_one, |seed| Ok(play(&config, offered, seed)), slack)?);
    }
    Ok(cases)
}

/// The traffic of stations.
#[derive(Clone, Copy, Debug)]
struct Offered {
    source: Source,
    /// Packets a second and station.
    rate: f64,
    bytes: u32,
    frames: u64,
}

impl Offered {
    /// From one packet to the next.
    fn gap(&self, frame: Span, rng: &mut Rng) -> Span {
        let mean = 1.0 / self.rate;
        Span::from_secs(match self.source {
            Source::Poisson => mean * rng.exp1(),
            Source::Cbr => mean,
            Source::Lone => mean + frame.as_secs() * rng.unit(),
        })
    }
}

fn play(config: &CellConfig, offered: Offered, seed: u64) -> Metrics {
    let mut drive = Drive::new(config, seed);
    let stations = config.subscribers.len();
    let frame = config.frame.phy.frame;
    let stream = |i| Seed { seed, replication: 1 }.stream(Purpose::App, i as u64);
    let mut rngs: Vec<Rng> = (0..stations).map(stream).collect();
    let mut due: Vec<Time> = rngs
        .iter_mut()
        .map(|rng| match offered.source {
            Source::Poisson => Time::ZERO + offered.gap(frame, rng),
            _ => Time::ZERO + Span::from_secs(rng.unit() / offered.rate),
        })
        .collect();
    let end = frame_start(config, offered.frames);
    let mut delays = Vec::new();
    let mut offers = 0_u64;
    loop {
        let next = due.iter().enumerate().min_by_key(|(_, at)| **at).map(|(i, at)| (i, *at));
        let (station, at) = next.filter(|(_, at)| *at < end).unwrap_or((0, end));
        drive.run(
            at,
            |_, _| {},
            |arrived: Arrived| delays.push(arrived.at.since(arrived.born).as_secs() * 1e3),
        );
        if at == end {
            break;
        }
        drive.offer(at, (station, false), offered.bytes);
        offers += 1;
        due[station] = at + offered.gap(frame, &mut rngs[station]);
    }
    let (mut attempts, mut successes) = (0, 0);
    for station in 1..=stations {
        attempts += drive.requests(station).attempts;
        successes += drive.requests(station).successes;
    }
    let delivered = delays.len() as f64 / (end.as_secs());
    let mut metrics = of_delays(&mut delays);
    metrics.push(("delivered_per_s", delivered));
    metrics.push(("lost_share", (drive.refused + drive.dropped) as f64 / offers.max(1) as f64));
    metrics.push(("p_success", f64::from(successes as u32) / f64::from(attempts.max(1) as u32)));
    metrics
}
