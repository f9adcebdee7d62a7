//! Stations that always have packets, in one direction.

use super::drive::{Drive, frame_start};
use super::row::Row;
use super::sample::{Metrics, compare};
use crate::case::{Case, Error};
use base::jain_index;

pub fn run(file: &str, rows: &[Row]) -> Result<Vec<Case>, Error> {
    let mut cases = Vec::new();
    for of_one in rows.chunk_by(|a, b| a.before("metric") == b.before("metric")) {
        let is_alone = of_one[0].number::<u32>("n")? == 1;
        let slack = |metric: &str| {
            let mean = of_one.iter().find(|row| row.text("metric") == Ok(metric));
            let mean = mean.and_then(|row| row.number::<f64>("mean").ok()).unwrap_or(0.0);
            // One station has no chance in it but where it begins.
            if is_alone && metric == "sdu_bps" { 0.005 * mean } else { 0.002 * mean }
        };
        cases.extend(compare(file, of_one, |seed| play(&of_one[0], seed), slack)?);
    }
    Ok(cases)
}

fn play(row: &Row, seed: u64) -> Result<Metrics, Error> {
    let config = row.cell()?;
    let (frames, bytes): (u64, u32) = (row.number("frames")?, row.number("sdu")?);
    let full = (row.number("queue")?, bytes);
    let is_down = row.text("dir")? == "dl";
    let mut packets = vec![0_u64; config.subscribers.len()];
    let mut drive = Drive::new(&config, seed);
    drive.run(
        frame_start(&config, frames),
        |drive, at| drive.fill(at, is_down, full),
        |arrived| packets[arrived.station] += 1,
    );
    let seconds = config.frame.phy.frame.as_secs() * frames as f64;
    let shares: Vec<f64> = packets.iter().map(|&count| count as f64).collect();
    let bits = shares.iter().sum::<f64>() * f64::from(bytes) * 8.0;
    Ok(vec![("sdu_bps", bits / seconds), ("jain", jain_index(&shares).unwrap_or(0.0))])
}
