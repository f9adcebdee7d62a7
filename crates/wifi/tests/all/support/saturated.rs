//! Saturated cells, driven by themselves: with every queue always full nothing happens between exchanges, so no
//! agenda is needed.

use base::{CellId, PacketId, Seed, StationId, Time};
use net::{Interfaces, QueueLimit};
use wifi::{BystanderRule, Cell, CellConfig, MacConfig, PhyConfig, StationConfig};

/// The standard's MAC, data MPDUs `overhead` longer than the packet.
pub fn standard_mac(limit: Option<u32>, overhead: u32, bystanders: BystanderRule) -> MacConfig {
    MacConfig {
        short_retry_limit: limit,
        long_retry_limit: limit,
        mac_header: overhead,
        llc_header: 0,
        bystanders,
        ..MacConfig::default()
    }
}

/// `stations` that always have a packet of `bytes` for the access point.
pub fn saturate(
    stations: usize,
    phy: PhyConfig,
    mac: MacConfig,
    bytes: u32,
    exchanges: u64,
) -> Saturated {
    let station = StationConfig::fixed(phy, mac, QueueLimit::Packets(10));
    let config = CellConfig::alike(stations + 1, &station);
    let mut cell = Cell::new(&config, Seed { seed: 1, replication: 0 }, CellId(0));
    let mut offer = |cell: &mut Cell, at, station| {
        cell.offer(at, (station, StationId(0)), &(PacketId(0), bytes).into())
            .expect("there is room");
    };
    for station in (1..=stations as u32).map(StationId) {
        offer(&mut cell, Time::ZERO, station);
        offer(&mut cell, Time::ZERO, station);
    }
    // The first exchanges come from aligned stations and do not count.
    let (warm, _) = run(&mut cell, exchanges / 50, &mut offer);
    cell.begin_measurement(warm);
    let (start, _) = run(&mut cell, 1, &mut offer);
    let (end, delivered) = run(&mut cell, exchanges, &mut offer);
    Saturated { frames_per_s: delivered as f64 / (end - start).as_secs() }
}

/// Results of a saturated cell.
pub struct Saturated {
    /// Frames delivered in a second.
    pub frames_per_s: f64,
}

/// Runs some exchanges; returns when the last ended and how many frames arrived.
fn run(
    cell: &mut Cell,
    exchanges: u64,
    offer: &mut impl FnMut(&mut Cell, Time, StationId),
) -> (Time, u64) {
    let (mut delivered, mut end, mut ended) = (0, Time::ZERO, Vec::new());
    for _ in 0..exchanges {
        let exchange = cell.on_start(&mut ());
        delivered += u64::from(cell.on_data_end().is_some());
        cell.on_end(exchange.end, &mut ended);
        for done in ended.drain(..) {
            if cell.waiting(done.station) == 0 {
                offer(cell, exchange.end, done.station);
            }
        }
        end = exchange.end;
    }
    (end, delivered)
}
