//! What stations share: 802.11 cells in which all hear all, channels on which each station hears what it can, 802.16 cells, and
//! wired LANs.

use base::{PacketId, Span, StationId, Time};
use net::{Arrival, DropReason, Fate, Lan, QueueStats};
use wifi::{Cell, Channel, Ended, Exchange, Medium, StationStats, Witness};

/// One of them, at work. A world has few, so the size of the larger matters less than a step through a pointer.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "few of them, and on the packet path")]
pub(crate) enum Air {
    /// All hear all.
    Cell(Cell),
    /// Each hears what it can; the stations of all cells on the channel, one cell after the other.
    Medium(Medium),
    /// 802.16: the base station says who sends.
    Wimax(wimax::Cell),
    /// A shared wired LAN.
    Lan(Lan),
}

/// What the start of a turn asks the world to schedule.
pub(crate) enum Started {
    /// An exchange decided whole.
    Exchange(Exchange),
    /// Frames whose ends are among [`Medium::dues`].
    Frames,
}

/// What is counted of a station of 802.11.
pub(crate) struct Counted<'a> {
    pub stats: &'a StationStats,
    pub queue: QueueStats,
    /// For how long its exchanges took the air.
    pub airtime: Span,
    /// For how long its channel was taken by anybody.
    pub busy: Span,
}

impl Air {
    #[inline(always)]
    pub fn enqueue(
        &mut self,
        now: Time,
        from: StationId,
        to: StationId,
        arrival: &Arrival<'_>,
    ) -> Result<bool, DropReason> {
        match self {
            Air::Cell(cell) => cell.enqueue(now, from, to, arrival),
            Air::Medium(medium) => medium.enqueue(now, from, to, arrival),
            Air::Wimax(cell) => cell.enqueue(now, from, to, arrival),
            Air::Lan(lan) => lan.enqueue(now, from, to, arrival),
        }
    }

    /// What the disciplines of queues have done to packets that waited.
    #[inline(always)]
    pub fn fates(&mut self) -> &mut Vec<(StationId, PacketId, Fate)> {
        match self {
            Air::Cell(cell) => cell.fates(),
            Air::Medium(medium) => medium.fates(),
            Air::Wimax(cell) => cell.fates(),
            Air::Lan(lan) => lan.fates(),
        }
    }

    pub fn next_start(&self) -> Time {
        match self {
            Air::Cell(cell) => cell.next_start(),
            Air::Medium(medium) => medium.next_start(),
            Air::Lan(lan) => lan.next_start(),
            Air::Wimax(_) => Time::NEVER,
        }
    }

    #[inline(always)]
    pub fn on_start<W: Witness>(&mut self, now: Time, witness: &mut W) -> Started {
        match self {
            Air::Cell(cell) => Started::Exchange(cell.on_start(witness)),
            Air::Medium(medium) => {
                medium.on_start(now, witness);
                Started::Frames
            }
            Air::Lan(lan) => Started::Exchange(Exchange { data_end: None, end: lan.on_start() }),
            Air::Wimax(_) => Started::Frames,
        }
    }

    pub fn on_data_end(&mut self) -> Option<(PacketId, StationId)> {
        match self {
            Air::Cell(cell) => cell.on_data_end(),
            Air::Medium(_) | Air::Wimax(_) | Air::Lan(_) => None,
        }
    }

    #[inline(always)]
    pub fn on_end(&mut self, now: Time, ended: &mut Vec<Ended>) {
        if let Air::Cell(cell) = self {
            cell.on_end(now, ended);
        }
    }

    pub fn waiting(&self, station: StationId) -> usize {
        match self {
            Air::Cell(cell) => cell.waiting(station),
            Air::Medium(medium) => medium.waiting(station),
            Air::Lan(lan) => lan.queued(station),
            // Nobody keeps such a station saturated.
            Air::Wimax(_) => 0,
        }
    }

    /// What is counted of a station of 802.11 up to `now`; `channel` is its cell's.
    pub fn station(&self, station: StationId, channel: Channel, now: Time) -> Option<Counted<'_>> {
        match self {
            Air::Cell(cell) => Some(Counted {
                stats: cell.stats(station),
                queue: cell.queue_stats_by(station, now),
                airtime: cell.airtime_by(station, now),
                // All hear all: there is but one channel.
                busy: cell.busy_by(now),
            }),
            Air::Medium(medium) => Some(Counted {
                stats: medium.stats(station),
                queue: medium.queue_stats_by(station, now),
                airtime: medium.airtime_by(station, now),
                busy: medium.busy_by(channel, now),
            }),
            Air::Wimax(_) | Air::Lan(_) => None,
        }
    }

    pub fn begin_measurement(&mut self, now: Time) {
        match self {
            Air::Cell(cell) => cell.begin_measurement(now),
            Air::Medium(medium) => medium.begin_measurement(now),
            Air::Wimax(cell) => cell.begin_measurement(now),
            Air::Lan(lan) => lan.begin_measurement(now),
        }
    }
}
