//! A chart for each 802.11 cell and each shared LAN: the stations that hold it, from shares of time to single frames.

use crate::document::Document;
use crate::lanes::{AirChart, Bins, Keyed, Lanes, Steps, gaps, parts, period, thinned_in_parts};
use crate::number::Number;
use crate::order::sorted;
use crate::table::{Column, Table};

/// The uses of a step; a station's time on the air is their sum.
const USES: [&str; 3] = ["carried_s", "overlapped_s", "unanswered_s"];
const KINDS: [&str; 8] =
    ["data", "management", "rts", "cts", "ack", "block_ack", "block_ack_request", "cf_end"];
/// Access categories, and before them none.
const CATEGORIES: [&str; 5] = ["", "background", "best_effort", "video", "voice"];
const FATES: [&str; 4] = ["answered", "overlapped", "unanswered", "none_due"];

/// The receiver of a frame to all.
const ALL: &str = "all";

/// The charts of media with a frame.
pub fn charts(document: &Document, steps: usize) -> Vec<AirChart> {
    let (airtime, grid) = (document.probe("airtime"), Steps::new(document, steps));
    let groups = airtime.column("cell").groups();
    groups.iter().map(|(cell, rows)| chart(document, cell, rows, grid)).collect()
}

fn chart(document: &Document, cell: &str, rows: &[usize], grid: Steps) -> AirChart {
    let (airtime, air) = (document.probe("airtime"), document.probe("air"));
    let medium = if document.lans.iter().any(|lan| lan.name == cell) { "LAN" } else { "802.11" };
    let station = |row| airtime.column("station").name(row).unwrap_or_default();
    let time = |row| USES.iter().map(|key| airtime.column(key).at(row)).sum();
    let times: Vec<_> = rows.iter().map(|&row| (station(row), time(row))).collect();
    let lanes = Lanes::new(&times);
    let mut bins = Bins::new(lanes.names.len(), USES.len(), grid.count);
    for &row in rows {
        let at = grid.at(airtime.column("time_s").at(row));
        for (used, key) in USES.iter().enumerate() {
            let share = airtime.column(key).at(row) / grid.step;
            bins.add(lanes.of(station(row)), used, at, share);
        }
    }
    let sum = |key: &str| rows.iter().map(|&row| airtime.column(key).at(row)).sum::<f64>();
    let whole: f64 = USES.iter().map(|key| sum(key)).sum();
    let whole = if whole == 0.0 { 1.0 } else { whole };
    let shares = USES.into_iter().chain(["retries_s"]).map(|key| (key, sum(key) / whole));
    let rows = air.column("cell").rows_of(cell);
    let runs = thinned_in_parts(runs(air, &rows), grid.room);
    let (names, frames) = frames(air, &runs.concat(), &lanes, medium == "LAN");
    AirChart {
        kind: "air",
        medium,
        title: format!("Use of the medium of {cell}"),
        unit: "",
        lines: [],
        step: grid.step,
        bins: bins.plain(),
        all: sum("frames"),
        drawn: runs.iter().map(Vec::len).sum(),
        shares: Keyed(shares.collect()),
        names,
        frames,
        known: runs.iter().map(|run| known(air, run)).collect(),
        lanes: lanes.names,
    }
}

/// The names of stations, and the frames of these rows.
fn frames(
    air: &Table,
    rows: &[usize],
    lanes: &Lanes,
    is_lan: bool,
) -> (Vec<String>, Keyed<Vec<i64>>) {
    let mut names = lanes.stations.clone();
    let column = |name| Of { column: air.column(name), rows };
    let (station, to) = (column("station"), column("to"));
    for &row in rows {
        names.place(station.text(row));
        names.place(to.column.name(row).unwrap_or(ALL));
    }
    let of = |name| names.known(name).unwrap_or_default() as i64;
    let each = |of: &dyn Fn(usize) -> i64| rows.iter().map(|&row| of(row)).collect::<Vec<i64>>();
    let mut frames = vec![
        ("at", gaps(column("time_s").times().into_iter())),
        ("long", column("airtime_s").times()),
        ("from", each(&|row| of(station.text(row)))),
        ("lane", each(&|row| lanes.of(station.text(row)) as i64)),
        ("to", each(&|row| of(to.column.name(row).unwrap_or(ALL)))),
        ("kind", column("kind").places(&KINDS)),
        ("fate", column("fate").places(&FATES)),
        ("retry", column("retry").numbers(1)),
        ("bytes", column("bytes").numbers(1)),
        ("kbps", column("rate_bps").numbers(1000)),
    ];
    if is_lan {
        frames.push(("backoff", column("backoff_s").times()));
    }
    if !air.column("category").names().is_empty() {
        frames.push(("category", column("category").places(&CATEGORIES)));
        let written = column("mpdu_runs");
        let runs = rows.iter().map(|&row| mpdus(written.text(row)));
        let runs: Vec<Vec<[i64; 3]>> = runs.collect();
        frames.push(("runs", runs.iter().map(|own| own.len() as i64).collect()));
        frames.push(("mpdus", runs.into_iter().flatten().flatten().collect()));
    }
    (names.list, Keyed(frames))
}

/// A column, and the rows of it that are drawn.
struct Of<'a> {
    column: &'a Column,
    rows: &'a [usize],
}

impl<'a> Of<'a> {
    /// The text of a row; where there is none, nothing.
    fn text(&self, row: usize) -> &'a str {
        self.column.name(row).unwrap_or_default()
    }

    /// The places of the texts among others.
    fn places(&self, of: &[&str]) -> Vec<i64> {
        let place = |text| of.iter().position(|each| *each == text).unwrap_or_default() as i64;
        self.rows.iter().map(|&row| place(self.text(row))).collect()
    }

    /// Times in the parts of a second that the page counts in.
    fn times(&self) -> Vec<i64> {
        self.rows.iter().map(|&row| parts(self.column.at(row))).collect()
    }

    /// Numbers in such units, rounded down.
    fn numbers(&self, unit: i64) -> Vec<i64> {
        self.rows.iter().map(|&row| self.column.at(row) as i64 / unit).collect()
    }
}

/// The runs of a frame's MPDUs: how many, their bytes, and a bit each for those that were lost and those sent before.
fn mpdus(runs: &str) -> Vec<[i64; 3]> {
    let run = |run: &str| {
        let (count, rest) = run.split_once('x')?;
        let lost = rest.ends_with('-');
        let rest = rest.trim_end_matches(['+', '-']);
        let bytes = rest.trim_end_matches('r');
        let bits = i64::from(lost) | i64::from(bytes.len() < rest.len()) << 1;
        Some([count.parse().ok()?, bytes.parse().ok()?, bits])
    };
    runs.split_ascii_whitespace().filter_map(run).collect()
}

/// From the first frame of a run to the end of the last.
fn known(air: &Table, run: &[usize]) -> [Number; 2] {
    let [begins, long] = ["time_s", "airtime_s"].map(|column| air.column(column));
    period(begins.at(run[0]), run.iter().map(|&row| begins.at(row) + long.at(row)))
}

/// Rows in runs without a gap between them; frames of other cells on the same air are no gap.
fn runs(air: &Table, rows: &[usize]) -> Vec<Vec<usize>> {
    let [number, on] = ["number", "air"].map(|column| air.column(column));
    let mut there = sorted(&on.of(rows));
    there.dedup();
    let known: Vec<usize> = (0..air.rows()).filter(|&row| there.contains(&on.at(row))).collect();
    let mut numbers = sorted(&number.of(&known));
    numbers.dedup();
    let mut runs: Vec<Vec<usize>> = Vec::new();
    let mut last = (0, f64::NAN);
    for &row in rows {
        let own = number.at(row);
        let place = match numbers.get(last.0 + 1) {
            Some(next) if *next == own => last.0 + 1,
            _ => numbers.partition_point(|each| *each < own),
        };
        // As many numbers are known between the two as there are.
        let follows = place as f64 - last.0 as f64 >= own - last.1;
        match runs.last_mut().filter(|_| follows) {
            Some(run) => run.push(row),
            None => runs.push(vec![row]),
        }
        last = (place, own);
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_mpdus_are_read_as_the_probe_writes_them() {
        let runs = mpdus("12x1538+ 1x1538- 3x78r+ 1x78r-");
        assert_eq!(runs, [[12, 1538, 0], [1, 1538, 1], [3, 78, 2], [1, 78, 3]]);
        assert_eq!(mpdus(""), Vec::<[i64; 3]>::new());
    }
}
