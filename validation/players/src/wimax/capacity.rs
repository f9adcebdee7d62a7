//! The division of a frame: exact.

use super::row::Row;
use crate::case::{Case, Error};
use wimax::{Coding, Layout};

pub fn run(file: &str, rows: &[Row]) -> Result<Vec<Case>, Error> {
    rows.iter().map(|row| Ok(Case::new(file, &row.id(), compare(row)?))).collect()
}

fn compare(row: &Row) -> Result<Result<(), String>, Error> {
    let (frame, pdus) = (row.frame()?, row.pdus()?);
    let (down, up) = row.profiles()?;
    let layout = Layout::new(&frame, &row.requests()?, up);
    let (down_bursts, up_bursts): (u32, u32) =
        (row.number("n_dl_bursts")?, row.number("n_ul_grants")?);
    let is_feasible = layout.check(pdus.least()).is_ok();
    let (down_data, up_data) = layout.data(down_bursts, up_bursts);
    let bytes = |mcs, symbols, bursts: u32| {
        let coding = Coding { mcs, tail: frame.tail };
        // Each burst ends with what the tail byte rule takes.
        let tails = coding.room(2 * symbols) - 2 * coding.room(symbols);
        let room = coding.room(symbols).saturating_sub(tails * u64::from(bursts.saturating_sub(1)));
        if is_feasible { room } else { 0 }
    };
    let computed: [(&str, u64); 10] = [
        ("feasible", u64::from(is_feasible)),
        ("symbols", layout.symbols.into()),
        ("dl_symbols", layout.down.into()),
        ("ul_symbols", layout.up().into()),
        ("bcast_symbols", layout.plain_broadcast(down_bursts, up_bursts).into()),
        ("contention_symbols", layout.contention.into()),
        ("dl_data_symbols", down_data.into()),
        ("ul_data_symbols", up_data.into()),
        ("dl_pdu_bytes", bytes(down, down_data, down_bursts)),
        ("ul_pdu_bytes", bytes(up, up_data, up_bursts)),
    ];
    for (column, found) in computed {
        let expected: u64 = row.number(column)?;
        if found != expected {
            return Ok(Err(format!("{column} {found} instead of {expected}")));
        }
    }
    let symbol = frame.phy.slots(frame.phy.symbol_slots()).0 as f64 / 1e3;
    let expected: f64 = row.number("symbol_us")?;
    // Seven digits are printed, and time is whole nanoseconds.
    let is_close = (symbol - expected).abs() <= 1e-6 * expected + 5.1e-4;
    Ok(if is_close { Ok(()) } else { Err(format!("symbol_us {symbol} instead of {expected}")) })
}
