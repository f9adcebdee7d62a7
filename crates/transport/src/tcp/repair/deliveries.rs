//! Deliveries without SACK, for laws that want a delivery rate.

use crate::tcp::law::{Ack, AnyLaw, Law};
use crate::tcp::rate::{PacketState, Sampler, Sending};
use crate::tcp::tcb::Tcb;
use base::Time;
use std::collections::VecDeque;

/// A segment under way.
#[derive(Clone, Copy, Debug)]
struct Sent {
    end: u64,
    at: Time,
    packet: PacketState,
    again: bool,
}

/// Data that were sent and are not acknowledged, where the law wants the delivery rate.
#[derive(Clone, Debug, Default)]
pub struct Deliveries {
    /// Every segment is timed for it: Vegas reads the clock at each (Brakmo and Peterson 1995, section 4.1), where a timer of
    /// one segment a round meets the first of two that are acknowledged together, and takes its wait for a queue.
    times: bool,
    ring: VecDeque<Sent>,
    rate: Sampler,
    /// Bytes that duplicates told of: each says that a segment arrived, not which (RFC 9937 section 5, without SACK).
    credited: u64,
    /// Retransmitted bytes that the law knows as lost.
    lost_told: u64,
}

impl Deliveries {
    /// For a recovery that keeps no scoreboard; `None`: records cost a little for each segment, and the law wants none.
    pub fn new(law: &AnyLaw) -> Option<Deliveries> {
        let models = law.model_based() || matches!(law, AnyLaw::Custom(_));
        let times = matches!(law, AnyLaw::Vegas(_));
        (models || times).then(|| Deliveries { times, ..Deliveries::default() })
    }

    /// `len` bytes from `seq` on are about to be sent; what was sent before keeps its place with new marks.
    #[cold]
    pub fn on_send(&mut self, now: Time, tcb: &Tcb, seq: u64, len: u64) {
        let (end, max) = (seq + len, tcb.seq.max());
        let in_flight = (max - tcb.seq.una()).saturating_sub(self.credited);
        let lost = tcb.stats.bytes_retransmitted + if seq < max { len } else { 0 };
        let packet =
            self.rate.on_send(now, Sending { len: end.saturating_sub(max), in_flight, lost });
        let sent = Sent { end, at: now, packet, again: end <= max };
        let place = self.ring.partition_point(|sent| sent.end < end);
        match self.ring.get_mut(place) {
            Some(known) if known.end == end => *known = sent,
            _ => self.ring.insert(place, sent),
        }
    }

    /// A duplicate says that some segment arrived.
    pub fn on_duplicate(&mut self, now: Time, tcb: &Tcb) {
        let outstanding = tcb.seq.max() - tcb.seq.una();
        let bytes = tcb.seq.mss().min(outstanding.saturating_sub(self.credited));
        self.credited += bytes;
        self.rate.on_arrival(now, bytes);
    }

    /// Fills in what is known of delivery: `told` is of an acknowledgement of all before `ack`, which is not taken yet.
    pub fn on_ack(&mut self, now: Time, ack: u64, tcb: &mut Tcb, told: &mut Ack) {
        let bytes = ack - tcb.seq.una();
        let news = bytes.saturating_sub(self.credited);
        self.credited = self.credited.saturating_sub(bytes);
        let mut newest: Option<Sent> = None;
        while let Some(sent) = self.ring.front().copied().filter(|sent| sent.end <= ack) {
            self.ring.pop_front();
            if newest.is_none_or(|newest| newest.at <= sent.at) {
                newest = Some(sent);
            }
        }
        let mss = tcb.seq.mss() as f64;
        let again = tcb.stats.bytes_retransmitted;
        match newest {
            None => self.rate.on_arrival(now, news),
            Some(sent) => {
                let min_rtt = tcb.rtt.min_rtt();
                let rate = self.rate.on_delivered(now, news, (sent.at, &sent.packet), min_rtt);
                if self.times {
                    told.rtt = (!sent.again).then(|| now.since(sent.at)).into();
                }
                told.delivery_rate = rate.map(|rate| rate / mss).into();
                told.delivered_at_send = sent.packet.delivered as f64 / mss;
                told.rate_app_limited = sent.packet.app_limited;
                told.flown = sent.packet.flown(again, mss);
            }
        }
        told.delivered = self.rate.delivered() as f64 / mss;
        told.inflight = (told.inflight - tcb.seq.segments(self.credited)).max(0.0);
        told.lost = (again - self.lost_told) as f64 / mss;
        // What is sent again shows what was lost; the flight is that of what has arrived with it.
        told.lost_flown = (told.lost > 0.0).then_some(told.flown);
        self.lost_told = again;
        tcb.note_delivery_rate(told.delivery_rate.get());
    }

    /// All that may be sent was sent: where nothing waits though the window would let it, the rate is the application's.
    pub fn note_limit(&mut self, tcb: &Tcb) {
        if !tcb.seq.has_more() {
            self.rate.on_app_limited(tcb.seq.flight());
        }
    }
}
