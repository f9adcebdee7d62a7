//! What is on the air: cells in which all hear all, and channels on which each station hears what it can.

use base::{PacketId, Span, StationId, Time};
use net::{Arrival, DropReason, Fate, QueueStats};
use wifi::{Cell, Channel, Ended, Exchange, Medium, StationStats, Witness};

/// One of both, at work. A world has few, so the size of the larger matters less than a step through a pointer.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "few of them, and on the packet path")]
pub(crate) enum Air {
    /// All hear all.
    Cell(Cell),
    /// Each hears what it can; the stations of all cells on the channel, one cell after the other.
    Medium(Medium),
}

/// What the start of a turn asks the world to schedule.
pub(crate) enum Started {
    /// An exchange decided whole.
    Exchange(Exchange),
    /// Frames whose ends are among [`Medium::dues`].
    Frames,
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
        }
    }

    /// What the disciplines of queues have done to packets that waited.
    #[inline(always)]
    pub fn fates(&mut self) -> &mut Vec<(StationId, PacketId, Fate)> {
        match self {
            Air::Cell(cell) => cell.fates(),
            Air::Medium(medium) => medium.fates(),
        }
    }

    pub fn next_start(&self) -> Time {
        match self {
            Air::Cell(cell) => cell.next_start(),
            Air::Medium(medium) => medium.next_start(),
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
        }
    }

    pub fn on_data_end(&mut self) -> Option<(PacketId, StationId)> {
        match self {
            Air::Cell(cell) => cell.on_data_end(),
            Air::Medium(_) => None,
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
        }
    }

    pub fn stats(&self, station: StationId) -> &StationStats {
        match self {
            Air::Cell(cell) => cell.stats(station),
            Air::Medium(medium) => medium.stats(station),
        }
    }

    pub fn queue_stats_by(&self, station: StationId, now: Time) -> QueueStats {
        match self {
            Air::Cell(cell) => cell.queue_stats_by(station, now),
            Air::Medium(medium) => medium.queue_stats_by(station, now),
        }
    }

    pub fn airtime_by(&self, station: StationId, now: Time) -> Span {
        match self {
            Air::Cell(cell) => cell.airtime_by(station, now),
            Air::Medium(medium) => medium.airtime_by(station, now),
        }
    }

    /// For how long a channel was taken; a cell in which all hear all has but one.
    pub fn busy_by(&self, channel: Channel, now: Time) -> Span {
        match self {
            Air::Cell(cell) => cell.busy_by(now),
            Air::Medium(medium) => medium.busy_by(channel, now),
        }
    }

    pub fn begin_measurement(&mut self, now: Time) {
        match self {
            Air::Cell(cell) => cell.begin_measurement(now),
            Air::Medium(medium) => medium.begin_measurement(now),
        }
    }
}
