//! The connections of a flow: one that stays, or several that come and go as objects are fetched.
//!
//! A packet says to which of its flow's connections it belongs ([`net::Socket`]): that is what ports and initial sequence
//! numbers tell a real stack.

use super::connection::{Connection, Label};
use super::outbox::Framing;
use super::work::Work;
use crate::cuts::CutCause;
use crate::end::End;
use crate::event::MAX_INDEX;
use apps::Style;
use base::{FlowId, Keyed, Purpose, Seed};
use net::Socket;
use transport::tcp::{Endpoint, Halves, Sender, SenderStats, TcpConfig};

/// The flow of each connection and its place there, by the number of its timers' events.
#[derive(Clone, Debug, Default)]
pub(crate) struct Register {
    connections: Vec<(FlowId, u32)>,
}

impl Register {
    fn enter(&mut self, flow: FlowId, connection: u32) -> Label {
        let number = self.connections.len() as u32;
        self.connections.push((flow, connection));
        Label { flow, number, connection }
    }

    /// True while another connection can have events.
    fn has_room(&self) -> bool {
        self.connections.len() < MAX_INDEX
    }

    /// Flow and place of a connection.
    pub fn get(&self, number: u32) -> (FlowId, u32) {
        self.connections[number as usize]
    }
}

/// The life of connections.
#[derive(Clone, Debug)]
pub(crate) struct Fetching {
    /// An end before it is opened.
    prototype: Endpoint,
    /// The draws of the connections' laws, where they draw, and the number of connections so far.
    salts: Option<Salts>,
    begun: u64,
    has_handshake: bool,
    style: Style,
    /// The most objects under way at once.
    most: u32,
    busy: u32,
    /// Connections that are over, and those that wait for the next object.
    free: Vec<u32>,
    idle: Vec<u32>,
}

impl Fetching {
    /// Nothing is under way; `sender` begins each end.
    pub fn new(config: &TcpConfig, sender: Sender, style: Style, most: u32) -> Fetching {
        Fetching {
            prototype: Endpoint::with_sender(sender, config),
            salts: None,
            begun: 0,
            has_handshake: config.handshake,
            style,
            most,
            busy: 0,
            free: Vec::new(),
            idle: Vec::new(),
        }
    }

    /// The same, with what the laws of connections draw.
    pub fn with_salts(self, salts: Option<Salts>) -> Fetching {
        Fetching { salts, ..self }
    }

    /// The ends of another connection.
    fn ends(&mut self) -> [Endpoint; 2] {
        let mut ends = [self.prototype.clone(), self.prototype.clone()];
        if let Some(salts) = self.salts {
            for end in &mut ends {
                end.sender.salt(salts.of(self.begun));
                self.begun += 1;
            }
        }
        ends
    }
}

/// The numbers from which the laws of a flow's connections draw.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Salts(Keyed);

impl Salts {
    /// Those of a flow.
    pub fn of_flow(seed: Seed, flow: FlowId) -> Salts {
        Salts(seed.keyed(Purpose::Law, u64::from(flow.0)))
    }

    /// The one of this number: a whole number that floating point holds exactly.
    pub fn of(self, number: u64) -> f64 {
        (self.0.word(number) >> 11) as f64
    }
}

/// Counts of a flow's senders that are not those of its connections: nothing of it is there where no connection has followed
/// another and no warm-up is over.
#[derive(Clone, Debug, Default)]
struct Past {
    /// Of connections that are over, by end.
    senders: [SenderStats; 2],
    /// Their payload that was acknowledged, where they were to stay.
    acked: u64,
    /// By end: all counts when the measurement began.
    at_start: [SenderStats; 2],
    /// Payload that was acknowledged then, of a connection that stays.
    acked_at_start: u64,
}

/// The connections of a flow.
#[derive(Clone, Debug)]
pub(crate) struct TcpFlow {
    flow: FlowId,
    framing: Framing,
    connections: Vec<Connection>,
    /// `None`: its one connection stays.
    fetching: Option<Box<Fetching>>,
    past: Option<Box<Past>>,
}

impl Past {
    /// Another connection follows the one that these counts are of.
    fn end(&mut self, counts: [SenderStats; 2]) {
        self.senders = sum_by_end(self.senders, counts);
    }
}

fn sum_by_end(a: [SenderStats; 2], b: [SenderStats; 2]) -> [SenderStats; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

impl TcpFlow {
    /// One connection that stays: data go from its source to its sink.
    pub fn lasting(
        config: &TcpConfig,
        flow: FlowId,
        sender: Sender,
        register: &mut Register,
    ) -> TcpFlow {
        let mut tcp = TcpFlow::new(config, flow, None);
        let source = Endpoint::with_sender(sender, config).with_halves(Halves::Sender);
        let ends = [source, Endpoint::receiving(config)];
        let mut connection = Connection::new(register.enter(flow, 0), ends, tcp.framing, true);
        connection.work = Work::Lasting;
        // Of a push there would be room for four.
        tcp.connections = vec![connection];
        tcp
    }

    /// Connections that come and go.
    pub fn fetching(config: &TcpConfig, flow: FlowId, fetching: Fetching) -> TcpFlow {
        TcpFlow::new(config, flow, Some(Box::new(fetching)))
    }

    fn new(config: &TcpConfig, flow: FlowId, fetching: Option<Box<Fetching>>) -> TcpFlow {
        TcpFlow {
            flow,
            framing: Framing { header_bytes: config.header_bytes, options: config.option_size },
            connections: Vec::new(),
            fetching,
            past: None,
        }
    }

    /// The connection that a packet belongs to, if it is still there.
    #[inline]
    pub fn hearing(&mut self, socket: Socket) -> Option<&mut Connection> {
        let connection = self.connections.get_mut(socket.connection as usize)?;
        connection.hears(socket).then_some(connection)
    }

    #[inline]
    pub fn connection(&mut self, number: u32) -> &mut Connection {
        &mut self.connections[number as usize]
    }

    /// The one that stays.
    pub fn lasting_connection(&self) -> Option<&Connection> {
        self.connections.first().filter(|_| self.fetching.is_none())
    }

    /// The same, to be changed.
    pub fn lasting_connection_mut(&mut self) -> Option<&mut Connection> {
        self.connections.first_mut().filter(|_| self.fetching.is_none())
    }

    /// Returns the life of connections, where they come and go.
    pub fn style(&self) -> Option<Style> {
        self.fetching.as_ref().map(|fetching| fetching.style)
    }

    /// True where a SYN goes before the data of connections that come and go.
    pub fn has_handshake(&self) -> bool {
        self.fetching.as_ref().is_none_or(|fetching| fetching.has_handshake)
    }

    // Connections that come and go.

    /// True where the next object need not wait for another to come.
    pub fn has_room(&self, register: &Register) -> bool {
        self.fetching.as_ref().is_some_and(|fetching| {
            let has_spare = !fetching.free.is_empty() || !fetching.idle.is_empty();
            fetching.busy < fetching.most && (has_spare || register.has_room())
        })
    }

    /// A connection for an object, and whether it is to be opened first.
    pub fn take(&mut self, register: &mut Register) -> Option<(u32, bool)> {
        let fetching = self.fetching.as_mut()?;
        fetching.busy += 1;
        if let Some(idle) = fetching.idle.pop() {
            return Some((idle, false));
        }
        if let Some(free) = fetching.free.pop() {
            self.renew(free);
            return Some((free, true));
        }
        let number = self.connections.len() as u32;
        let (label, ends) = (register.enter(self.flow, number), fetching.ends());
        let is_shown = fetching.most == 1;
        self.connections.push(Connection::new(label, ends, self.framing, is_shown));
        Some((number, true))
    }

    /// Another connection follows at this place.
    pub fn renew(&mut self, number: u32) {
        let Some(fetching) = &mut self.fetching else { return };
        let connection = &mut self.connections[number as usize];
        self.past.get_or_insert_default().end(connection.counts());
        connection.begin_epoch(fetching.ends());
    }

    /// Another connection follows the one that was to stay.
    pub fn renew_lasting(&mut self, ends: [Endpoint; 2]) {
        let acked = self.acked().unwrap_or(0);
        let Some(connection) = self.connections.first_mut() else { return };
        let past = self.past.get_or_insert_default();
        past.acked = acked;
        past.end(connection.counts());
        connection.begin_epoch(ends);
    }

    /// A connection's object is there; the connection itself may carry the next.
    pub fn complete(&mut self, number: u32) {
        let Some(fetching) = &mut self.fetching else { return };
        fetching.busy -= 1;
        let keeps = fetching.style == Style::Persistent;
        if keeps {
            fetching.idle.push(number);
        }
        self.connections[number as usize].work = if keeps { Work::Idle } else { Work::Draining };
    }

    /// Frees a connection on which all that was said has been heard.
    pub fn free_if_silent(&mut self, number: u32) {
        let Some(fetching) = &mut self.fetching else { return };
        let connection = &mut self.connections[number as usize];
        let is_silent = match fetching.style {
            Style::Apart => connection.endpoint(End::Source).sender.finished(),
            Style::Persistent | Style::PerObject | Style::Push => connection.is_closed(),
        };
        if is_silent {
            connection.work = Work::Free;
            fetching.free.push(number);
        }
    }

    /// Nothing more will be simulated or counted.
    pub fn let_go(&mut self) {
        self.connections = Vec::new();
    }

    // What is counted.

    /// Returns the counts of the senders of all its connections, by end, from the beginning.
    fn counts(&self) -> [SenderStats; 2] {
        let past = self.past.as_ref().map(|past| past.senders).unwrap_or_default();
        self.connections.iter().map(Connection::counts).fold(past, sum_by_end)
    }

    pub fn begin_measurement(&mut self) {
        let (counts, acked) = (self.counts(), self.acked().unwrap_or(0));
        self.connections.iter_mut().for_each(Connection::begin_measurement);
        let past = self.past.get_or_insert_default();
        (past.at_start, past.acked_at_start) = (counts, acked);
    }

    /// Payload that was acknowledged since the flow began, where the connection stays. The SYN, number 0, is none.
    pub fn acked(&self) -> Option<u64> {
        let oldest = self.lasting_connection()?.endpoint(End::Source).sender.oldest();
        Some(self.past.as_ref().map_or(0, |past| past.acked) + oldest.saturating_sub(1))
    }

    /// The same of the measured time.
    pub fn acked_bytes(&self) -> Option<u64> {
        Some(self.acked()? - self.past.as_ref().map_or(0, |past| past.acked_at_start))
    }

    /// Returns the counts of the senders of one end, now and when the measurement began.
    pub fn measured(&self, end: End) -> (SenderStats, SenderStats) {
        let at_start = self.past.as_ref().map(|past| past.at_start).unwrap_or_default();
        (self.counts()[end as usize], at_start[end as usize])
    }

    /// Returns the causes of cuts of the senders at one end, with a number each: a cause may come several times.
    pub fn cuts(&self, end: End) -> impl Iterator<Item = (CutCause, u64)> {
        self.connections.iter().flat_map(move |connection| connection.cuts(end).counts())
    }
}
