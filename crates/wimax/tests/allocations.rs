//! The packet path does not allocate once the buffers are as large as the queues; and every packet ends once.

use base::{PacketId, Seed, Span, StationId, Time};
use counting::{Counting, allocations};
use net::{Arrival, Interfaces, QueueConfig, QueueLimit};
use radio::ChannelConfig;
use wimax::{
    ArqConfig, BASE, Cell, CellConfig, CellSettings, Draw, ErrorConfig, GiveUp, Maps, Mcs,
    PduConfig, Pricing, Scheduling, Sized, SubscriberConfig, Tail,
};

#[global_allocator]
static COUNTING: Counting = Counting;

const STATIONS: u32 = 5;

fn cell(settings: CellSettings, packs: bool, cuts: bool) -> Cell {
    cell_with(settings, (packs, cuts), None)
}

/// Each rule that has another, by that one.
fn others_rules() -> CellSettings {
    let mut settings = CellSettings::default();
    let frame = &mut settings.frame;
    (frame.maps, frame.tail, frame.pricing) = (Maps::Fixed, Tail::Symbol, Pricing::Data);
    (frame.ranging, frame.preamble, frame.gap) = (5, 0, 1);
    let requests = &mut settings.requests;
    (requests.draw, requests.retries) = (Draw::Inclusive, 2);
    (requests.give_up, requests.sized) = (GiveUp::Covered, Sized::Making);
    settings.pdus.crc = false;
    settings
}

/// With ARQ one of ten pieces is lost.
fn cell_with(settings: CellSettings, (packs, cuts): (bool, bool), arq: Option<ArqConfig>) -> Cell {
    let queue = QueueConfig::drop_tail(QueueLimit::Packets(10));
    let (down_queue, up_queue) = (queue.clone(), queue);
    let (down, up) = (Mcs::Qam16R12, Mcs::Qpsk12);
    let subscriber = SubscriberConfig { down, up, down_queue, up_queue, weight: 1 };
    let CellSettings { frame, requests, pdus, .. } = settings;
    let pdus = PduConfig { packing: packs, fragmentation: cuts, arq, ..pdus };
    let channel = match arq {
        Some(_) => ChannelConfig::Bernoulli { frame_loss: 0.1 },
        None => ChannelConfig::Ideal,
    };
    let config = CellConfig {
        frame,
        pdus,
        requests,
        errors: ErrorConfig { channel, ..ErrorConfig::IDEAL },
        signal: None,
        entry: None,
        schedulers: (Scheduling::Deficit, Scheduling::Weighted),
        services: Vec::new(),
        subscribers: vec![subscriber; STATIONS as usize],
    };
    Cell::new(&config, Seed { seed: 1, replication: 0 }, 0)
}

/// A cell under more than it carries, and what became of each packet.
struct Run {
    cell: Cell,
    /// By packet: whether it is under way.
    under_way: Vec<bool>,
    /// By direction and station: the number of the last packet that came.
    last: Vec<u32>,
    landed: u64,
}

impl Run {
    fn offer(&mut self, now: Time) {
        for station in 1..=STATIONS {
            for down in [true, false] {
                let there = StationId(station);
                let (from, to) = if down { (BASE, there) } else { (there, BASE) };
                let id = self.under_way.len() as u32;
                // Sizes that are cut everywhere: 40 to 1039 bytes.
                let arrival = Arrival::from((PacketId(id), 40 + id * 77 % 1000));
                self.under_way.push(self.cell.offer(now, (from, to), &arrival).is_ok());
            }
        }
    }

    fn until(&mut self, end: Time) {
        loop {
            let decision = self.cell.next_decision();
            let landing = self.cell.next_arrival().unwrap_or(Time::NEVER);
            if decision.min(landing) > end {
                return;
            }
            if landing < decision {
                let landed = self.cell.land().expect("one is due");
                let (down, station) = (landed.from == BASE, landed.from.max(landed.to));
                assert!(std::mem::take(&mut self.under_way[landed.id.index()]), "it ends once");
                let last = &mut self.last[2 * station.index() + usize::from(down)];
                assert!(landed.id.0 >= *last, "a connection keeps its order: {landed:?} {last}");
                *last = landed.id.0;
                self.landed += 1;
                continue;
            }
            self.offer(decision);
            self.cell.decide(decision);
            for (_, id, _) in self.cell.dropped().drain(..) {
                assert!(std::mem::take(&mut self.under_way[id.index()]), "it ends once");
            }
        }
    }
}

#[test]
fn a_warm_cell_allocates_nothing_and_loses_nobody() {
    for settings in [CellSettings::default(), others_rules()] {
        for (packs, cuts) in [(false, true), (true, true), (false, false), (true, false)] {
            let under_way = Vec::with_capacity(1 << 20);
            let last = vec![0; 2 * (STATIONS as usize + 1)];
            let mut run =
                Run { cell: cell(settings.clone(), packs, cuts), under_way, last, landed: 0 };
            run.until(Time(20_000_000_000));
            let (before, landed) = (allocations(), run.landed);
            run.until(Time(35_000_000_000));
            // A list may yet have to double for a batch larger than any before, and the counts of the delays of ten
            // connections for one longer than any before: a packet each would be thousands.
            let more = allocations() - before;
            assert!(more <= 20, "{settings:?} {packs} {cuts}: {more}");
            assert!(run.landed > landed + 1000, "{settings:?} {packs} {cuts}: {}", run.landed);
            let flying = std::iter::from_fn(|| run.cell.land()).count();
            let queued: usize = (1..=STATIONS)
                .flat_map(|i| [true, false].map(|down| run.cell.queued(StationId(i), down)))
                .sum();
            let left = run.under_way.iter().filter(|&&is| is).count();
            assert_eq!(left, flying + queued, "{settings:?} {packs} {cuts}");
        }
    }
}

#[test]
fn with_arq_every_packet_ends_once_and_in_order() {
    for (block, window, lifetime) in [(64, 1024, 0), (128, 40, 0), (16, 200, 100), (1024, 4, 30)] {
        let (retry, lifetime) = (Span::millis(20), Span::millis(lifetime));
        let arq = ArqConfig { block, window, retry, lifetime, in_order: true };
        let cell = cell_with(CellSettings::default(), (false, true), Some(arq));
        let last = vec![0; 2 * (STATIONS as usize + 1)];
        let mut run = Run { cell, under_way: Vec::new(), last, landed: 0 };
        run.until(Time(20_000_000_000));
        assert!(run.landed > 1000, "{arq:?}: {}", run.landed);
        // What is under way waits, flies, or waits for a piece of it or of one before.
        let left = run.under_way.iter().filter(|&&is| is).count();
        let queued: usize = (1..=STATIONS)
            .flat_map(|i| [true, false].map(|down| run.cell.queued(StationId(i), down)))
            .sum();
        let most = 2 * STATIONS as usize * window as usize + 1000;
        assert!((queued..queued + most).contains(&left), "{arq:?}: {left} {queued}");
    }
}
