//! A flow at work: two transport endpoints, an application, and the score.

use crate::choices::ChoiceLog;
use crate::cuts::Cuts;
use crate::lanes::Lanes;
use crate::web::Web;
use apps::{AppConfig, Playout, Source, Style};
use base::{CellId, DelayHistogram, Named, Seed, Span, StationId, Time};
use engine::Timer;
use net::{Direction, DropReason, Packet};
use transport::tcp;
use transport::udp;

/// The endpoints of a flow.
#[derive(Clone, Debug)]
pub enum Endpoints {
    /// A TCP connection; boxed since it is far larger than the other.
    Tcp(Box<Connection>),
    /// TCP connections that come and go.
    Lanes(Box<Lanes>),
    /// A UDP source and sink.
    Udp {
        /// Numbers the datagrams.
        source: udp::Source,
        /// Finds duplicates.
        sink: udp::Sink,
        /// IP and UDP header, bytes.
        header_bytes: u32,
    },
}

impl Endpoints {
    /// How connections come and go, where they do.
    pub fn style(&self) -> Option<Style> {
        match self {
            Endpoints::Lanes(lanes) => Some(lanes.style()),
            Endpoints::Tcp(_) | Endpoints::Udp { .. } => None,
        }
    }
}

/// Both ends of a TCP connection, with the events that stand for their timers.
#[derive(Clone, Debug)]
pub struct Connection {
    /// The data's end.
    pub sender: tcp::Sender,
    /// The acknowledgements' end.
    pub receiver: tcp::Receiver,
    /// Stands for `sender.next_timeout()`.
    pub sender_timer: Timer,
    /// Stands for `receiver.next_timeout()`.
    pub receiver_timer: Timer,
    /// IP and TCP header, bytes.
    pub header_bytes: u32,
    /// How the options' bytes count beside.
    pub option_size: tcp::OptionSize,
    /// Sender's counts when the measurement began.
    pub at_start: tcp::SenderStats,
    /// The oldest number that was not acknowledged then.
    pub acked_at_start: u64,
    /// Its losses, and what its window cuts go back to.
    pub cuts: Cuts,
}

impl Connection {
    /// What the size of a packet is made of, beside the payload.
    pub fn size(&self) -> (u32, tcp::OptionSize) {
        (self.header_bytes, self.option_size)
    }
}

/// What a flow carries, at work.
#[derive(Clone, Debug)]
pub enum Application {
    /// Bytes for a TCP sender.
    Bulk {
        /// How many; `None`: without end.
        bytes: Option<u64>,
    },
    /// Datagrams, each at its time.
    Datagrams(Source),
    /// Datagrams whenever the first device can take one.
    Saturated {
        /// Payload, bytes.
        payload: u32,
        /// The station that it keeps busy.
        station: Saturated,
    },
    /// Requests and responses.
    Web(Box<Web>),
}

/// Which station a saturated source keeps busy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saturated {
    /// It is not running.
    Off,
    /// None, for want of a way.
    Waiting,
    /// This one.
    Busy(CellId, StationId),
}

impl Application {
    /// The application for its plan, in the `flow`-th flow of a run of `duration`.
    pub fn new(config: &AppConfig, (seed, flow): (Seed, u64), duration: Span) -> Application {
        match config {
            &AppConfig::Bulk { bytes } => Application::Bulk { bytes },
            AppConfig::Datagrams(config) => {
                Application::Datagrams(Source::new(&config.source, (seed, flow), duration))
            }
            AppConfig::Web(web) => Application::Web(Box::new(Web::new(web, seed, flow))),
            &AppConfig::Saturated { payload } => {
                Application::Saturated { payload, station: Saturated::Off }
            }
        }
    }
}

/// A flow at work.
#[derive(Clone, Debug)]
pub struct Flow {
    /// Both ends.
    pub endpoints: Endpoints,
    /// What it carries.
    pub application: Application,
    /// When the application stops.
    pub stop: Time,
    /// The score since the measurement began.
    pub score: Score,
    /// Interarrival jitter estimator; runs through the warm-up.
    pub jitter: udp::Jitter,
    /// What the other end makes of a stream that is played.
    pub playout: Option<Box<Playout>>,
    /// What its connections have picked, where they do.
    pub choices: ChoiceLog,
}

/// What is counted of a flow's data direction, and of its acknowledgements where named so.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// Data packets handed to the network.
    pub sent: u64,
    /// Data packets that reached the sink.
    pub delivered: u64,
    /// Their network-layer bytes.
    pub delivered_bytes: u64,
    /// Application bytes that the sink got for the first time, in order for TCP.
    pub goodput_bytes: u64,
    /// Data packets lost, by reason.
    pub lost: [u64; DropReason::ALL.len()],
    /// Acknowledgements and handshake answers sent.
    pub acks_sent: u64,
    /// Of those, lost.
    pub acks_lost: u64,
    /// Data packets that went through a tunnel.
    pub tunnelled: u64,
    /// Data packets made before their mobile node had registered and passed over its link afterwards.
    pub delayed: u64,
    /// One-way delay of data packets, from transport to transport.
    pub delay: DelayHistogram,
}

impl Score {
    /// Counts a packet that leaves.
    pub fn count_sent(&mut self, direction: Direction) {
        match direction {
            Direction::Forward => self.sent += 1,
            Direction::Reverse => self.acks_sent += 1,
        }
    }

    /// Counts a packet that is lost.
    pub fn count_lost(&mut self, direction: Direction, reason: DropReason) {
        match direction {
            Direction::Forward => self.lost[reason as usize] += 1,
            Direction::Reverse => self.acks_lost += 1,
        }
    }

    /// Counts a data packet that arrives after `delay`.
    pub fn count_delivered(&mut self, packet: &Packet, delay: Span) {
        self.delivered += 1;
        self.delivered_bytes += u64::from(packet.bytes);
        self.delay.record(delay);
    }
}
