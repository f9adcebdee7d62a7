//! The content of each frame of a saturated cell: exact.

use super::drive::{Arrived, Drive, frame_start};
use super::row::Row;
use crate::case::{Case, Error};

/// A burst of the uplink, or a packet that has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Burst { frame: u64, station: usize, start: u32, symbols: u32 },
    Packet { frame: u64, is_down: bool, station: usize, ns: u64 },
}

/// A table has cases; each is compared row by row, both ways.
pub fn run(file: &str, rows: &[Row]) -> Result<Vec<Case>, Error> {
    let mut cases = Vec::new();
    for of_case in rows.chunk_by(|a, b| a.before("preset") == b.before("preset")) {
        let wanted = of_case.iter().map(event).collect::<Result<Vec<_>, _>>()?;
        let frames = of_case.iter().map(|row| row.number::<u64>("frame"));
        let last = frames.collect::<Result<Vec<_>, _>>()?.into_iter().max().unwrap_or(0);
        let found = play(&of_case[0], last + 1)?;
        for (row, event) in of_case.iter().zip(&wanted) {
            let is_there = found.iter().any(|other| alike(event, other));
            let outcome = if is_there { Ok(()) } else { Err(format!("no {event:?}")) };
            cases.push(Case::new(file, &row.id(), outcome));
        }
        let extra: Vec<_> =
            found.iter().filter(|event| !wanted.iter().any(|other| alike(other, event))).collect();
        let id = format!("case {}: nothing else", of_case[0].text("case")?);
        let outcome =
            if extra.is_empty() { Ok(()) } else { Err(format!("{} more: {extra:?}", extra.len())) };
        cases.push(Case::new(file, &id, outcome));
    }
    Ok(cases)
}

/// The same, to the digits that are printed: seven, of microseconds.
fn alike(wanted: &Event, found: &Event) -> bool {
    let (&Event::Packet { ns, .. }, &Event::Packet { ns: other, .. }) = (wanted, found) else {
        return wanted == found;
    };
    let same = |event: &Event| match *event {
        Event::Packet { frame, is_down, station, .. } => (frame, is_down, station),
        Event::Burst { .. } => unreachable!("both are packets"),
    };
    same(wanted) == same(found) && ns.abs_diff(other) <= 50
}

fn event(row: &Row) -> Result<Event, Error> {
    let (frame, station) = (row.number("frame")?, row.number("station")?);
    Ok(match row.text("event")? {
        "UL" => Event::Burst {
            frame,
            station,
            start: row.number("start_symbol")?,
            symbols: row.number("symbols")?,
        },
        name => {
            let ns = (row.number::<f64>("time_us")? * 1e3).round() as u64;
            Event::Packet { frame, is_down: name == "DLSDU", station, ns }
        }
    })
}

/// Both queues of every station are full before each decision.
fn play(row: &Row, frames: u64) -> Result<Vec<Event>, Error> {
    let config = row.cell()?;
    let full = (row.number("queue")?, row.number("sdu")?);
    let length = config.frame.phy.frame.0;
    let mut drive = Drive::new(&config, 1);
    let (mut bursts, mut events) = (Vec::new(), Vec::new());
    let before = |drive: &mut Drive, at| {
        drive.fill(at, true, full);
        drive.fill(at, false, full);
    };
    for number in 0..frames {
        let arrived = |Arrived { at, station, is_down, .. }| {
            events.push(Event::Packet { frame: (at.0 - 1) / length, is_down, station, ns: at.0 });
        };
        drive.run(frame_start(&config, number + 1), before, arrived);
        bursts.extend(drive.cell.maps().1.iter().map(|burst| Event::Burst {
            frame: number,
            station: burst.station.index() - 1,
            start: burst.start,
            symbols: burst.symbols,
        }));
    }
    events.extend(bursts);
    Ok(events)
}
