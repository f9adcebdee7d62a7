//! Requests that meet: stations that always have one packet, and stations that all ask at once.

use super::drive::{Arrived, Drive, frame_start};
use super::row::Row;
use super::sample::{Metrics, compare};
use crate::case::{Case, Error};
use wimax::{CellConfig, RequestStats};

pub fn run(file: &str, rows: &[Row]) -> Result<Vec<Case>, Error> {
    let mut cases = Vec::new();
    for of_one in rows.chunk_by(|a, b| a.before("metric") == b.before("metric")) {
        let (row, config) = (&of_one[0], of_one[0].cell()?);
        let (frames, bytes) = (row.number("frames")?, row.number("sdu")?);
        let is_one_shot = row.text("scenario")? == "one_shot";
        let play = |seed| {
            Ok(if is_one_shot {
                one_shot(&config, seed, frames, bytes)
            } else {
                saturated(&config, seed, frames, bytes)
            })
        };
        cases.extend(compare(file, of_one, play, |_| 0.0)?);
    }
    Ok(cases)
}

fn requests(drive: &Drive) -> RequestStats {
    let mut sum = RequestStats::default();
    for station in 1..=drive.stations() {
        let own = drive.requests(station);
        sum.attempts += own.attempts;
        sum.successes += own.successes;
        sum.first_attempts += own.first_attempts;
        sum.first_successes += own.first_successes;
        sum.given_up += own.given_up;
    }
    sum
}

/// Every station has a packet whenever a region begins, and never more.
fn saturated(config: &CellConfig, seed: u64, frames: u64, bytes: u32) -> Metrics {
    let mut drive = Drive::new(config, seed);
    let (mut delay, mut packets) = (0.0, 0_u64);
    let before = |drive: &mut Drive, at| {
        if drive.cell.is_at_region() {
            drive.fill(at, false, (1, bytes));
        }
    };
    let arrived = |Arrived { at, born, .. }| {
        delay += at.since(born).as_secs() * 1e3;
        packets += 1;
    };
    drive.run(frame_start(config, frames), before, arrived);
    let sum = requests(&drive);
    let opportunities = frames * u64::from(config.requests.opportunities);
    let mut metrics = vec![
        ("p_success", sum.successes as f64 / sum.attempts as f64),
        ("attempts_per_opportunity", sum.attempts as f64 / opportunities as f64),
        ("successes_per_frame", sum.successes as f64 / frames as f64),
        ("giveups_per_sdu", sum.given_up as f64 / (packets + sum.given_up).max(1) as f64),
    ];
    if packets > 0 {
        metrics.push(("access_delay_ms", delay / packets as f64));
    }
    metrics
}

/// All stations get a packet at the same instant, as often as there are frames.
fn one_shot(config: &CellConfig, seed: u64, rounds: u64, bytes: u32) -> Metrics {
    let (mut attempts, mut successes) = (0, 0);
    for round in 0..rounds {
        let mut drive = Drive::new(config, seed << 32 | round);
        drive.fill(base::Time::ZERO, false, (1, bytes));
        let patience = config.requests.timeout.0.div_ceil(config.frame.phy.frame.0);
        let window = 1 << config.requests.window_start;
        let last = u64::from(window / config.requests.opportunities + 1).min(patience);
        drive.run(frame_start(config, last), |_, _| {}, |_| {});
        let sum = requests(&drive);
        attempts += sum.first_attempts;
        successes += sum.first_successes;
    }
    vec![("p_first_success", f64::from(successes as u32) / f64::from(attempts as u32))]
}
