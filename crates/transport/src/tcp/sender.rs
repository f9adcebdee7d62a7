//! The sending end: sequence numbers, what may be sent, the timer. What follows a loss is in `recovery`.

use super::auto::Chooser;
use super::config::{LossRules, PartialAckTimer, Recovery, TcpConfig};
use super::growth::Use;
use super::hystart::HyStart;
use super::law::{AnyLaw, Loss};
use super::pacing::Alarms;
use super::plain::Deliveries;
use super::rtt::Rtt;
use super::sack::SackState;
use super::stamps::Clock;
use super::stats::SenderStats;
use super::window::Window;
use base::Time;
use net::{Flags, Segment};

/// The first number of the data: the SYN is number 0.
pub(super) const FIRST_DATA: u64 = 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Closed,
    SynSent,
    Established,
}

/// The sending end of a connection.
///
/// After each call ask [`Sender::next_timeout`] again; the segments to send are appended to `out`.
#[derive(Clone, Debug)]
pub struct Sender {
    /// SND.UNA: the oldest number not acknowledged.
    pub(super) una: u64,
    /// SND.NXT: the next number to send; go-back-N takes it back.
    pub(super) nxt: u64,
    /// One past the highest number ever sent.
    pub(super) max: u64,
    /// One past the last number that the application offered; `u64::MAX`: without end.
    pub(super) limit: u64,
    /// One past the last number that the receiver takes.
    pub(super) edge: u64,
    /// `max` when the last loss was noticed. RFC 6582's "recover" is one less.
    pub(super) recover: u64,
    /// What fast recovery adds to cwnd, segments.
    pub(super) inflation: f64,
    pub(super) window: Window,
    pub(super) dup_acks: u32,
    pub(super) in_recovery: bool,
    /// Partial acknowledgements in this recovery.
    pub(super) partials: u32,
    /// How the last loss was noticed.
    pub(super) last_loss: Option<Loss>,
    /// Bytes of new data that limited transmit sent since the last new acknowledgement.
    pub(super) limited_bytes: u64,
    /// `una` at the last timeout.
    pub(super) timed_out_at: Option<u64>,
    /// Where the present round ends, for laws.
    pub(super) round_end: u64,
    /// Largest payload: the MSS, or the receiver's window where that is less.
    pub(super) mss: u64,
    /// One over `mss`: what is not compared exactly is multiplied, not divided.
    pub(super) per_mss: f64,
    pub(super) recovery: Recovery,
    pub(super) ns2: bool,
    pub(super) law: AnyLaw,
    pub(super) rtt: Rtt,
    pub(super) timer: Time,
    pub(super) stats: SenderStats,
    pub(super) config: TcpConfig,
    /// The recovery works with a scoreboard.
    pub(super) by_board: bool,
    pub(super) sack: SackState,
    pub(super) deliveries: Deliveries,
    /// ns-2's `pipe_`, segments.
    pub(super) ns2_pipe: i64,
    /// What lies before it has been sent again in this recovery (ns-2's `h_seqno_`).
    pub(super) ns2_repaired: u64,
    pub(super) hystart: HyStart,
    pub(super) used: Use,
    pub(super) alarms: Alarms,
    /// The timer stands for a tail loss probe.
    pub(super) timer_is_probe: bool,
    pub(super) next_send: Time,
    pub(super) persist_tries: u32,
    pub(super) clock: Option<Clock>,
    /// The acknowledgement at hand echoes a mark.
    pub(super) echoed: bool,
    /// Marks echoed up to here are answered.
    pub(super) mark_point: u64,
    /// The next new segment says that the window was reduced.
    pub(super) answer_mark: bool,
    pub(super) delivery_rate: Option<f64>,
    /// The other side's clock, as it was last told.
    pub(super) peer_clock: u32,
    /// A FIN follows the data.
    pub(super) closing: bool,
    /// Answers a SYN, and so sends no third segment of the handshake.
    pub(super) passive: bool,
    pub(super) last_window: u32,
    pub(super) last_sent: Time,
    pub(super) state: State,
    /// Picks the variant, where that is wanted.
    pub(super) chooser: Option<Box<Chooser>>,
}

impl Sender {
    /// A closed end with the law that `config` names.
    pub fn new(config: &TcpConfig) -> Sender {
        Sender::with_law(config, AnyLaw::new(config.law, &config.law_options))
    }

    /// A closed end with this law, whichever `config` names.
    pub fn with_law(config: &TcpConfig, law: AnyLaw) -> Sender {
        Sender {
            una: 0,
            nxt: 0,
            max: 0,
            limit: FIRST_DATA,
            edge: FIRST_DATA.saturating_add(config.receive_window),
            recover: 0,
            inflation: 0.0,
            window: config.window(),
            dup_acks: 0,
            in_recovery: false,
            partials: 0,
            last_loss: None,
            limited_bytes: 0,
            timed_out_at: None,
            round_end: 0,
            mss: u64::from(config.mss).min(config.receive_window).max(1),
            per_mss: 1.0 / (u64::from(config.mss).min(config.receive_window).max(1) as f64),
            recovery: config.recovery,
            ns2: config.loss_rules == LossRules::Ns2,
            deliveries: Deliveries::new(&law, config),
            law,
            rtt: Rtt::new(config.rto),
            timer: Time::NEVER,
            stats: SenderStats::default(),
            by_board: config.recovery.uses_sack(),
            sack: SackState::new(config.dup_thresh),
            ns2_pipe: 0,
            ns2_repaired: 0,
            hystart: HyStart::new(config.slow_start, config.pacing.is_some()),
            used: Use::default(),
            alarms: Alarms::new(),
            timer_is_probe: false,
            next_send: Time::ZERO,
            persist_tries: 0,
            clock: config.timestamps.map(Clock::new),
            echoed: false,
            mark_point: 0,
            answer_mark: false,
            delivery_rate: None,
            peer_clock: 0,
            closing: false,
            passive: false,
            config: config.clone(),
            last_window: u32::try_from(config.receive_window).unwrap_or(u32::MAX),
            last_sent: Time::ZERO,
            state: State::Closed,
            chooser: None,
        }
    }

    /// Opens the connection: sends the SYN, or begins at once where the configuration has no handshake.
    pub fn open(&mut self, now: Time, out: &mut Vec<Segment>) {
        if self.state != State::Closed {
            return;
        }
        if self.config.handshake {
            self.state = State::SynSent;
            self.send_syn(now, out);
        } else {
            (self.una, self.nxt, self.max) = (FIRST_DATA, FIRST_DATA, FIRST_DATA);
            self.state = State::Established;
            self.last_sent = now;
            self.choose(now);
            self.fill(now, out);
        }
    }

    /// A FIN follows what was offered so far.
    pub fn close(&mut self, now: Time, out: &mut Vec<Segment>) {
        self.stop_offering();
        self.closing = true;
        if self.state == State::Established {
            self.fill(now, out);
        }
    }

    /// The application offers `bytes` more; `u64::MAX`: without end.
    pub fn write(&mut self, now: Time, bytes: u64, out: &mut Vec<Segment>) {
        self.limit = self.limit.saturating_add(bytes);
        if self.state == State::Established {
            self.restart_after_idle(now);
            self.choose(now);
            self.fill(now, out);
            self.watch_window(now);
        }
    }

    /// The application offers nothing beyond what was sent so far.
    pub fn stop_writing(&mut self) {
        self.limit = self.limit.min(self.max.max(FIRST_DATA));
    }

    /// An offer without end ends here; another stays.
    fn stop_offering(&mut self) {
        if self.limit == u64::MAX {
            self.stop_writing();
        }
    }

    /// A segment comes from the receiver.
    pub fn on_segment(&mut self, now: Time, segment: &Segment, out: &mut Vec<Segment>) {
        // RFC 9293 section 3.10.7.4: what was never sent cannot be acknowledged.
        if !segment.flags.has(Flags::ACK) || segment.ack > self.max {
            return;
        }
        if self.state == State::SynSent {
            self.on_syn_ack(now, segment, out);
            return;
        }
        let opened = self.take_window(segment);
        if let Some(stamps) = segment.stamps() {
            self.peer_clock = stamps.value;
        }
        self.note_echo(segment);
        if self.by_board {
            if self.ns2 {
                self.on_ns2_sack(now, segment, out);
            } else {
                self.on_sack_segment(now, segment, out);
            }
        } else if segment.ack > self.una {
            self.on_new_ack(now, segment, out);
        } else if self.is_duplicate(segment) {
            self.on_dup_ack(now, out);
        } else if opened {
            self.fill(now, out);
        }
        self.last_window = segment.window;
        if self.una == self.max || self.alarms.persist != Time::NEVER {
            self.watch_window(now);
            self.note_pause(now);
        }
    }

    /// The time of [`Sender::next_timeout`] has come.
    pub fn on_timeout(&mut self, now: Time, out: &mut Vec<Segment>) {
        self.on_alarms(now, out);
        if now < self.timer {
            return;
        }
        if self.timer_is_probe {
            return self.send_probe(now, out);
        }
        self.stats.timeouts += 1;
        self.rtt.stop_timing();
        self.rtt.back_off();
        self.timer = now + self.rtt.rto();
        if self.state == State::SynSent {
            // RFC 5681 section 3.1: after a lost SYN the initial window is one segment.
            self.window.cwnd = 1.0;
            self.send_syn(now, out);
        } else if !self.by_board {
            self.go_back(now, out);
        } else if self.ns2 {
            self.time_out_ns2(now, out);
        } else {
            self.time_out_sack(now, out);
        }
    }

    fn on_alarms(&mut self, now: Time, out: &mut Vec<Segment>) {
        if now >= self.alarms.reorder {
            self.alarms.reorder = Time::NEVER;
            self.on_reorder_timeout(now, out);
        }
        if now >= self.alarms.pacing {
            self.alarms.pacing = Time::NEVER;
            self.fill(now, out);
        }
        if now >= self.alarms.persist {
            self.on_persist(now, out);
        }
    }

    /// When to call [`Sender::on_timeout`]; [`Time::NEVER`]: nothing is waited for.
    pub fn next_timeout(&self) -> Time {
        self.timer.min(self.alarms.next())
    }

    /// True when all that was offered is acknowledged; never where the offer has no end.
    pub fn finished(&self) -> bool {
        self.limit != u64::MAX && self.una == self.limit + u64::from(self.closing)
    }

    /// Sends what the windows allow from SND.NXT on.
    pub(super) fn fill(&mut self, now: Time, out: &mut Vec<Segment>) {
        if !self.by_board {
            let end = self.window_end(self.inflation);
            let most = out.len().saturating_add(self.burst());
            while let Some(len) = self.fits_before(end).filter(|_| self.next_send <= now) {
                if out.len() == most {
                    break;
                }
                self.send_next(now, len, out);
            }
            let waits = self.next_send > now && self.fits_before(end).is_some();
            self.alarms.pacing = if waits { self.next_send } else { Time::NEVER };
            self.note_app_limit();
        } else if self.ns2 {
            self.fill_ns2(now, out);
        } else {
            self.fill_sack(now, out);
        }
        if self.config.grow_from_half {
            self.note_use();
        }
    }

    /// One past the last number that may be sent with `extra` segments on top of cwnd.
    pub(super) fn window_end(&self, extra: f64) -> u64 {
        let segments = (self.window.cwnd + extra) as i64 as u64;
        let end = self.una.saturating_add(segments.saturating_mul(self.mss));
        end.min(self.edge)
    }

    /// The length of the next segment, where there is one and it fits before `end`. A segment is never cut to
    /// fit: RFC 9293 section 3.8.6.2.1 (silly windows).
    pub(super) fn fits_before(&self, end: u64) -> Option<u64> {
        let data = self.limit.saturating_sub(self.nxt);
        if self.mss < data {
            // Nearly always: a full segment, or what is left of one that was cut to a small window.
            let fits = self.nxt.saturating_add(self.mss) <= end;
            return if fits { Some(self.mss) } else { self.cut_piece(self.mss, end) };
        }
        // The FIN rides on the last data where the receiver has room for its number; cwnd counts data.
        let rides = self.nxt.saturating_add(data) < self.edge;
        let fin = u64::from(self.closing && self.nxt <= self.limit && (data == 0 || rides));
        let len = data + fin;
        let fits = len > 0 && self.nxt.saturating_add(data.max(1)) <= end;
        if fits { Some(len) } else { self.cut_piece(len, end) }
    }

    /// A piece that was cut to a small window is sent again as it was.
    #[inline]
    fn cut_piece(&self, len: u64, end: u64) -> Option<u64> {
        let piece = len.min(self.max.saturating_sub(self.nxt));
        (piece > 0 && self.nxt.saturating_add(piece) <= end).then_some(piece)
    }

    /// True where data or a FIN wait that were never sent.
    pub(super) fn has_more(&self) -> bool {
        self.nxt < self.limit || (self.closing && self.nxt == self.limit)
    }

    pub(super) fn send_next(&mut self, now: Time, len: u64, out: &mut Vec<Segment>) {
        self.emit(now, self.nxt, len, out);
        self.nxt += len;
    }

    /// Sends the oldest segment again; SND.NXT stays.
    pub(super) fn retransmit_head(&mut self, now: Time, out: &mut Vec<Segment>) {
        let len = self.mss.min(self.max - self.una);
        self.emit(now, self.una, len, out);
    }

    /// (5.2) and (5.3) of RFC 6298: restarts the timer, or stops it where nothing is outstanding.
    pub(super) fn restart_timer(&mut self, now: Time) {
        self.timer = if self.una < self.max { now + self.rtt.rto() } else { Time::NEVER };
        self.timer_is_probe = false;
        self.arm_probe(now);
    }

    /// True where a partial acknowledgement restarts the timer.
    pub(super) fn partial_restarts_timer(&self) -> bool {
        self.partials == 0 || self.config.newreno.timer == PartialAckTimer::Every
    }

    /// RFC 5681 section 2: data are outstanding, no payload, no SYN or FIN, the same number, the same window.
    fn is_duplicate(&self, segment: &Segment) -> bool {
        segment.ack == self.una
            && self.una < self.max
            && segment.len == 0
            && segment.flags.without(Flags::ECE) == Flags::ACK
            && segment.window == self.last_window
    }
}
