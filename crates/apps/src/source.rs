//! The sources of datagrams: one kind for the world, which asks what to send and when to ask again.

use crate::cbr::Cbr;
use crate::on_off::{OnOff, OnOffConfig};
use crate::periodic::{Periodic, PeriodicConfig};
use crate::playout::PlayoutConfig;
use crate::video::{Video, VideoConfig};
use base::{Purpose, Rate, Seed, Span, Time};

/// A flow of datagrams: its source and its receiver.
#[derive(Clone, Debug, PartialEq)]
pub struct DatagramConfig {
    /// Source.
    pub source: SourceConfig,
    /// Measures at the receiver beyond those of every flow, if any.
    pub playout: Option<PlayoutConfig>,
}

/// Kind of source.
#[derive(Clone, Debug, PartialEq)]
pub enum SourceConfig {
    /// One size at a constant rate.
    Cbr {
        /// Payload of a datagram, bytes.
        payload: u32,
        /// Bits per second of payload.
        rate: Rate,
    },
    /// One size at a fixed interval, with jitter.
    Periodic(PeriodicConfig),
    /// Bursts and idle times.
    OnOff(OnOffConfig),
    /// Moving pictures.
    Video(VideoConfig),
}

impl SourceConfig {
    /// The largest payload of a datagram, bytes.
    pub fn largest(&self) -> u32 {
        match self {
            SourceConfig::Cbr { payload, .. } => *payload,
            SourceConfig::Periodic(config) => config.payload,
            SourceConfig::OnOff(config) => config.payload,
            SourceConfig::Video(config) => config.packet,
        }
    }
}

/// Action of a source at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Act {
    /// Bytes to send now, in datagrams of at most [`Source::largest`]; 0: none.
    pub bytes: u32,
    /// Time of its next action; [`Time::NEVER`]: it has ended.
    pub next: Time,
}

/// A source of datagrams at work. Nothing in it allocates once it is made.
#[derive(Clone, Debug)]
pub enum Source {
    /// One size at a constant rate.
    Cbr(Cbr),
    /// One size at a fixed interval, with jitter.
    Periodic(Periodic),
    /// Bursts and idle times.
    OnOff(OnOff),
    /// Moving pictures.
    Video(Video),
}

impl Source {
    /// The source of the `flow`-th flow, for a run of `duration`.
    pub fn new(config: &SourceConfig, (seed, flow): (Seed, u64), duration: Span) -> Source {
        let stream = || seed.stream(Purpose::App, flow);
        match config {
            SourceConfig::Cbr { payload, rate } => Source::Cbr(Cbr::new(*payload, *rate)),
            SourceConfig::Periodic(config) => Source::Periodic(Periodic::new(*config, stream())),
            SourceConfig::OnOff(config) => Source::OnOff(OnOff::new(*config, stream())),
            SourceConfig::Video(config) => {
                Source::Video(Video::new(config, (seed, flow), duration))
            }
        }
    }

    /// Acts at `now`: when it is started, and at every [`Act::next`] that it has named.
    pub fn act(&mut self, now: Time) -> Act {
        let (bytes, next) = match self {
            Source::Cbr(cbr) => (cbr.payload(), cbr.next(now)),
            Source::Periodic(periodic) => periodic.act(now),
            Source::OnOff(on_off) => on_off.act(now),
            Source::Video(video) => video.act(now),
        };
        Act { bytes, next }
    }

    /// The largest payload of a datagram, bytes.
    pub fn largest(&self) -> u32 {
        match self {
            Source::Video(video) => video.packet(),
            // They send one datagram at a time.
            Source::Cbr(_) | Source::Periodic(_) | Source::OnOff(_) => u32::MAX,
        }
    }
}
