//! A flow at work: two transport endpoints, an application, and the score.

use super::choices::ChoiceLog;
use super::tcp::TcpFlow;
use super::web::Web;
use crate::cx::{Cx, Noting};
use crate::note::Note;
use crate::tally::Tally;
use apps::{AppConfig, OnTimes, Playout, Source};
use base::{CellId, DelayHistogram, FlowId, Purpose, Seed, Span, StationId, Time};
use net::{Direction, DropReason, Packet};
use transport::udp;

/// The endpoints of a flow.
#[derive(Clone, Debug)]
pub(crate) enum Endpoints {
    /// TCP connections.
    Tcp(TcpFlow),
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
    pub fn tcp_mut(&mut self) -> Option<&mut TcpFlow> {
        match self {
            Endpoints::Tcp(tcp) => Some(tcp),
            Endpoints::Udp { .. } => None,
        }
    }
}

/// The application of a flow, at work.
#[derive(Clone, Debug)]
pub(crate) enum Application {
    /// Bytes for a TCP sender.
    Bulk {
        /// The number of bytes; `None`: without end.
        bytes: Option<u64>,
        /// The times with data; `None`: always.
        on_times: Option<Box<OnTimes>>,
    },
    /// Datagrams, each at its time.
    Datagrams(Box<Source>),
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

/// The station that a saturated source keeps busy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Saturated {
    /// It is not running.
    Off,
    /// None, for want of a way.
    Waiting,
    /// This one.
    Busy(CellId, StationId, StationId),
}

impl Application {
    /// The application for its plan, in the `flow`-th flow of a run of `duration`.
    pub fn new(config: &AppConfig, (seed, flow): (Seed, u64), duration: Span) -> Application {
        match config {
            AppConfig::Bulk { bytes, on_times } => {
                let at_work = |config| OnTimes::new(config, seed.stream(Purpose::App, flow));
                let on_times = on_times.as_deref().map(|&config| Box::new(at_work(config)));
                Application::Bulk { bytes: *bytes, on_times }
            }
            AppConfig::Datagrams(config) => {
                let source = Source::new(&config.source, (seed, flow), duration);
                Application::Datagrams(Box::new(source))
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
pub(crate) struct Flow {
    /// Both ends.
    pub endpoints: Endpoints,
    /// Its application.
    pub application: Application,
    /// The time at which the application stops.
    pub stop: Time,
    /// The score since the measurement began.
    pub score: Score,
    /// Interarrival jitter estimator; runs through the warm-up.
    pub jitter: udp::Jitter,
    /// The playout of a stream at the other end.
    pub playout: Option<Box<Playout>>,
    /// The choices of its connections, where they pick.
    pub choices: Option<Box<ChoiceLog>>,
}

impl Flow {
    /// Its TCP connections, where it has some.
    pub fn tcp(&self) -> Option<&TcpFlow> {
        match &self.endpoints {
            Endpoints::Tcp(tcp) => Some(tcp),
            Endpoints::Udp { .. } => None,
        }
    }

    /// The same, to be changed.
    pub fn tcp_mut(&mut self) -> Option<&mut TcpFlow> {
        self.endpoints.tcp_mut()
    }

    /// True where it keeps a station busy, or would if it had a way.
    pub fn is_saturating(&self) -> bool {
        match self.application {
            Application::Saturated { station, .. } => station != Saturated::Off,
            _ => false,
        }
    }

    /// The warm-up is over: every count begins anew.
    pub fn begin_measurement(&mut self) {
        self.score = Default::default();
        if let Application::Web(web) = &mut self.application {
            web.begin_measurement();
        }
        if let Some(playout) = &mut self.playout {
            playout.begin_measurement();
        }
        if let Endpoints::Tcp(tcp) = &mut self.endpoints {
            tcp.begin_measurement();
        }
    }
}

/// The counts of a flow's data direction, and of its acknowledgements where named so.
#[derive(Clone, Debug, Default)]
pub(crate) struct Score {
    /// Data packets handed to the network.
    pub sent: u64,
    /// Data packets that reached the sink.
    pub delivered: u64,
    /// Their network-layer bytes.
    pub delivered_bytes: u64,
    /// Application bytes that the sink got for the first time, in order for TCP.
    pub goodput_bytes: u64,
    /// Data packets lost, by reason.
    pub lost: Tally<DropReason>,
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
            Direction::Forward => self.lost.add(reason),
            Direction::Reverse => self.acks_lost += 1,
        }
    }

    /// Counts application bytes that have come to the sink of `flow`.
    #[inline]
    pub fn count_fresh(&mut self, cx: &mut Cx<impl Noting>, flow: FlowId, bytes: u64) {
        self.goodput_bytes += bytes;
        cx.note(|| Note::Fresh { flow, bytes });
    }

    /// Counts a data packet that arrives after `delay`.
    pub fn count_delivered(&mut self, packet: &Packet, delay: Span) {
        self.delivered += 1;
        self.delivered_bytes += u64::from(packet.bytes);
        self.delay.record(delay);
    }
}
