//! Delivery rate, sampled on every acknowledgement (draft-cheng-iccrg-delivery-rate-estimation section 3).

use base::{Span, Time};

/// What a segment takes with it when it is sent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    /// P.delivered, bytes.
    pub delivered: u64,
    /// P.delivered_time.
    delivered_at: Time,
    /// P.first_sent_time.
    first_sent: Time,
    /// P.is_app_limited.
    pub app_limited: bool,
}

/// The connection's part of the sampler.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sampler {
    /// C.delivered, bytes.
    delivered: u64,
    /// C.delivered_time.
    delivered_at: Time,
    /// C.first_sent_time.
    first_sent: Time,
    /// C.app_limited: while not 0, samples are limited until so much is delivered.
    app_limited_until: u64,
}

impl Sampler {
    /// Bytes delivered since the connection began.
    pub fn delivered(&self) -> u64 {
        self.delivered
    }

    /// A segment is sent; `idle`: nothing else is in the network (section 3.2).
    pub fn on_send(&mut self, now: Time, idle: bool) -> Mark {
        if idle {
            (self.first_sent, self.delivered_at) = (now, now);
        }
        Mark {
            delivered: self.delivered,
            delivered_at: self.delivered_at,
            first_sent: self.first_sent,
            app_limited: self.app_limited_until > 0,
        }
    }

    /// The application has nothing to send though the window would let it (section 3.4).
    pub fn on_app_limited(&mut self, pipe: u64) {
        self.app_limited_until = (self.delivered + pipe).max(1);
    }

    /// `bytes` are newly delivered, of which segment is not known.
    pub fn on_arrival(&mut self, now: Time, bytes: u64) {
        self.delivered += bytes;
        self.delivered_at = now;
        if self.delivered > self.app_limited_until {
            self.app_limited_until = 0;
        }
    }

    /// `bytes` are newly delivered, of which the last was sent with this mark (section 3.3): the rate in bytes/s. An interval
    /// shorter than the round trip is no sample.
    pub fn on_delivered(
        &mut self,
        now: Time,
        bytes: u64,
        (sent, mark): (Time, &Mark),
        min_rtt: Option<Span>,
    ) -> Option<f64> {
        self.on_arrival(now, bytes);
        let sending = sent.since(mark.first_sent);
        let acknowledging = now.since(mark.delivered_at);
        self.first_sent = sent;
        let interval = sending.max(acknowledging);
        if interval == Span::ZERO || min_rtt.is_some_and(|min| interval < min) {
            return None;
        }
        Some((self.delivered - mark.delivered) as f64 / interval.as_secs())
    }
}
