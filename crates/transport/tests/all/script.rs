//! A sender that a test drives by hand: acknowledgements with blocks in, the numbers of segments out.

use base::{Span, Time};
use net::{Flags, Segment, Stamps};
use transport::tcp::{Recovery, Reduction, SackConfig, Sender, Snapshot, TcpConfig};

pub const MSS: u64 = 1000;
pub const WINDOW: u32 = 1_000_000;

pub struct Script {
    pub sender: Sender,
    pub now: Time,
    pub stamps: Option<Stamps>,
}

pub fn config(recovery: Recovery) -> TcpConfig {
    TcpConfig {
        recovery,
        mss: MSS as u32,
        receive_window: u64::from(WINDOW),
        handshake: false,
        ..TcpConfig::default()
    }
}

pub fn pipe_only(config: TcpConfig) -> TcpConfig {
    TcpConfig { sack: SackConfig { reduction: Reduction::Pipe, ..config.sack }, ..config }
}

impl Script {
    /// `bytes` are written at time zero (`u64::MAX`: no end); what goes out, as numbers.
    pub fn open(config: &TcpConfig, bytes: u64) -> (Script, Vec<u64>) {
        let mut script = Script { sender: Sender::new(config), now: Time::ZERO, stamps: None };
        let mut out = vec![];
        script.sender.open(script.now, &mut out);
        script.sender.write(script.now, bytes, &mut out);
        (script, numbers(&out))
    }

    /// The same, of a sender whose ten first segments go out.
    pub fn begin(config: &TcpConfig, bytes: u64) -> Script {
        let (script, out) = Script::open(config, bytes);
        assert_eq!(out.len(), 10);
        script
    }

    pub fn wait(&mut self, ms: u64) -> &mut Script {
        self.now += Span::millis(ms);
        self
    }

    /// An acknowledgement of the segments below `number` with blocks of segments [a, b); what goes out, as numbers.
    pub fn ack(&mut self, number: u64, blocks: &[(u64, u64)]) -> Vec<u64> {
        self.feed(number, blocks, Flags::ACK)
    }

    /// An acknowledgement without blocks, `times` times.
    pub fn acks(&mut self, number: u64, times: usize) -> Vec<Vec<u64>> {
        (0..times).map(|_| self.ack(number, &[])).collect()
    }

    pub fn feed(&mut self, number: u64, blocks: &[(u64, u64)], flags: Flags) -> Vec<u64> {
        let byte = |number: u64| 1 + number * MSS;
        let mut ack =
            Segment { seq: 1, ack: byte(number), window: WINDOW, flags, ..Segment::default() };
        ack.set_stamps(self.stamps);
        for &(from, to) in blocks {
            assert!(ack.push_sack(byte(from), byte(to)));
        }
        let mut out = vec![];
        self.sender.on_segment(self.now, &ack, &mut out);
        numbers(&out)
    }

    /// The next timer goes off.
    pub fn time_out(&mut self) -> Vec<u64> {
        let mut out = vec![];
        self.now = self.sender.next_timeout();
        self.sender.on_timeout(self.now, &mut out);
        numbers(&out)
    }

    pub fn state(&self) -> Snapshot {
        self.sender.snapshot()
    }
}

pub fn numbers(out: &[Segment]) -> Vec<u64> {
    out.iter().map(|segment| (segment.seq - 1) / MSS).collect()
}

pub const NONE: [u64; 0] = [];
