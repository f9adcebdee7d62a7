//! A chart for each 802.16 cell: the use of its frames, from shares of time to single bursts and requests.

use crate::document::Document;
use crate::lanes::{AirChart, Bins, Keyed, Lanes, Steps, gaps, parts, period, thinned};
use crate::names::Names;
use crate::order::ascending;
use crate::table::Table;

/// The uses of a step: bursts, preamble with maps and gaps, opportunities of contention, nothing.
const USES: [&str; 7] = ["down", "up", "overhead", "heard", "collided", "idle", "unused"];

/// The kinds of pieces: parts of frames, then requests in their opportunities.
const KINDS: [&str; 10] = [
    "preamble",
    "broadcast",
    "down",
    "up",
    "ranging",
    "requests",
    "gap",
    "unused",
    "heard",
    "collided",
];

/// Part of a frame, or a request in its opportunity.
#[derive(Clone, Debug)]
struct Piece<'a> {
    begins_s: f64,
    airtime_s: f64,
    frame: i64,
    kind: &'a str,
    station: &'a str,
    symbols: i64,
    bytes: i64,
    room: i64,
}

impl Piece<'_> {
    fn end_s(&self) -> f64 {
        self.begins_s + self.airtime_s
    }
}

/// The charts of cells.
pub fn charts(document: &Document, steps: usize) -> Vec<AirChart> {
    let (symbols, grid) = (document.probe("symbols"), Steps::new(document, steps));
    let groups = symbols.column("cell").groups();
    groups.iter().map(|(cell, rows)| chart(document, cell, rows, grid)).collect()
}

fn chart(document: &Document, cell: &str, rows: &[usize], grid: Steps) -> AirChart {
    let symbols = document.probe("symbols");
    let [airtime, station, used, frames] =
        ["airtime_s", "station", "use_of", "frames"].map(|column| symbols.column(column));
    let times = rows.iter().filter_map(|&row| Some((station.name(row)?, airtime.at(row))));
    let stations = Lanes::new(&times.collect::<Vec<_>>());
    let lanes: Vec<String> = ["broadcast".to_owned()]
        .into_iter()
        .chain(stations.names.clone())
        .chain(["requests".to_owned(), "unused".to_owned()])
        .collect();
    let mut bins = Bins::new(lanes.len(), USES.len(), grid.count);
    for &row in rows {
        let at = grid.at(symbols.column("time_s").at(row));
        let lane = lane(used.name(row).unwrap_or_default(), station.name(row), &stations);
        for (of, time) in uses(symbols, row) {
            let of = USES.iter().position(|each| *each == of).unwrap_or_default();
            bins.add(lane, of, at, time / grid.step);
        }
    }
    let sums: Vec<f64> = (0..USES.len()).map(|of| bins.sum(of)).collect();
    let whole = sums.iter().sum::<f64>();
    let whole = if whole == 0.0 { 1.0 } else { whole };
    let begun = rows.iter().filter(|&&row| used.name(row) == Some("preamble"));
    let runs = thinned(runs(document, cell), grid.room);
    let mut drawn: Vec<i64> = runs.iter().flatten().map(|piece| piece.frame).collect();
    drawn.dedup();
    let (names, pieces) = columns(&runs.concat(), &stations);
    AirChart {
        kind: "air",
        medium: "802.16",
        title: format!("Use of the frames of {cell}"),
        unit: "",
        lines: [],
        lanes,
        step: grid.step,
        bins: bins.plain(),
        all: begun.map(|&row| frames.at(row)).sum(),
        drawn: drawn.len(),
        shares: Keyed(USES.into_iter().zip(sums.iter().map(|sum| sum / whole)).collect()),
        names,
        frames: pieces,
        known: runs
            .iter()
            .map(|run| period(run[0].begins_s, run.iter().map(Piece::end_s)))
            .collect(),
    }
}

/// Uses and times of a row of the probe `symbols`.
fn uses(symbols: &Table, row: usize) -> Vec<(&str, f64)> {
    let [used, direction] =
        ["use_of", "direction"].map(|column| symbols.column(column).name(row).unwrap_or_default());
    let [time, heard, collided] =
        ["airtime_s", "heard_s", "collided_s"].map(|column| symbols.column(column).at(row));
    match used {
        "burst" => vec![(direction, time)],
        "ranging" | "requests" => {
            vec![("heard", heard), ("collided", collided), ("idle", time - heard - collided)]
        }
        "unused" => vec![("unused", time)],
        _ => vec![("overhead", time)],
    }
}

/// The lane of a use, of a burst that of its station.
fn lane(used: &str, station: Option<&str>, stations: &Lanes) -> usize {
    let lanes = stations.names.len() + 3;
    match used {
        "burst" | "down" | "up" => 1 + stations.of(station.unwrap_or_default()),
        "ranging" | "requests" | "heard" | "collided" => lanes - 2,
        "unused" | "gap" => lanes - 1,
        _ => 0,
    }
}

/// The pieces of frames that follow one another, in the order of time.
fn runs<'a>(document: &'a Document, cell: &str) -> Vec<Vec<Piece<'a>>> {
    let mut pieces = of_frames(document.probe("frames"), cell);
    pieces.extend(of_requests(document.probe("requests"), cell));
    let (mut runs, mut last): (Vec<Vec<Piece>>, _) = (Vec::new(), None);
    for place in ascending(pieces.iter().map(|piece| piece.begins_s)) {
        let piece = pieces[place].clone();
        let follows = last.is_some_and(|last| piece.frame - last <= 1);
        last = Some(piece.frame);
        match runs.last_mut().filter(|_| follows) {
            Some(run) => run.push(piece),
            None => runs.push(vec![piece]),
        }
    }
    runs
}

fn of_frames<'a>(table: &'a Table, cell: &str) -> Vec<Piece<'a>> {
    let text = |row, column: &str| table.column(column).name(row).unwrap_or_default();
    let number = |row, column: &str| table.column(column).at(row);
    let piece = |row| Piece {
        begins_s: number(row, "begins_s"),
        airtime_s: number(row, "airtime_s"),
        frame: number(row, "frame") as i64,
        kind: match text(row, "use_of") {
            "burst" => text(row, "direction"),
            other => other,
        },
        station: text(row, "station"),
        symbols: number(row, "symbols") as i64,
        bytes: number(row, "bytes") as i64,
        room: number(row, "room") as i64,
    };
    table.column("cell").rows_of(cell).into_iter().map(piece).collect()
}

fn of_requests<'a>(table: &'a Table, cell: &str) -> Vec<Piece<'a>> {
    let number = |row, column: &str| table.column(column).at(row);
    let piece = |row| Piece {
        begins_s: number(row, "time_s"),
        airtime_s: number(row, "airtime_s"),
        frame: number(row, "frame") as i64,
        kind: if number(row, "senders") == 1.0 { "heard" } else { "collided" },
        station: table.column("station").name(row).unwrap_or_default(),
        symbols: 0,
        bytes: 0,
        room: 0,
    };
    table.column("cell").rows_of(cell).into_iter().map(piece).collect()
}

/// The names of stations, and pieces by column.
fn columns(pieces: &[Piece], stations: &Lanes) -> (Vec<String>, Keyed<Vec<i64>>) {
    let mut names = Names::new();
    let all = stations.stations.list.iter().map(String::as_str);
    for name in [""].into_iter().chain(all).chain(pieces.iter().map(|piece| piece.station)) {
        names.place(name);
    }
    let each = |of: &dyn Fn(&Piece) -> i64| pieces.iter().map(of).collect::<Vec<i64>>();
    let kind = |piece: &Piece| KINDS.iter().position(|kind| *kind == piece.kind);
    let columns = vec![
        ("at", gaps(pieces.iter().map(|piece| parts(piece.begins_s)))),
        ("long", each(&|piece| parts(piece.airtime_s))),
        ("lane", each(&|piece| lane(piece.kind, Some(piece.station), stations) as i64)),
        ("kind", each(&|piece| kind(piece).unwrap_or_default() as i64)),
        ("of", each(&|piece| names.known(piece.station).unwrap_or_default() as i64)),
        ("frame", each(&|piece| piece.frame)),
        ("symbols", each(&|piece| piece.symbols)),
        ("bytes", each(&|piece| piece.bytes)),
        ("room", each(&|piece| piece.room)),
    ];
    (names.list, Keyed(columns))
}
