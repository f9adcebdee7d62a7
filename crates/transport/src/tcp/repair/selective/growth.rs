//! Reports to the law where there is a scoreboard.

use super::Selective;
use crate::tcp::config::ExitGrowth;
use crate::tcp::law::Ack;
use crate::tcp::record::NewlyDelivered;
use crate::tcp::tcb::Tcb;
use base::Time;

impl Selective {
    /// Fills in what the scoreboard knows of delivery.
    pub fn measure_delivery(
        &mut self,
        tcb: &mut Tcb,
        now: Time,
        newly: &NewlyDelivered,
        told: &mut Ack,
    ) {
        let mss = tcb.seq.mss() as f64;
        let min_rtt = tcb.rtt.min_rtt();
        if let Some(newest) = &newly.newest {
            let sent = (newest.sent, &newest.rate);
            let rate = self.rate.on_delivered(now, newly.delivered, sent, min_rtt);
            told.delivery_rate = rate.map(|rate| rate / mss).into();
            told.delivered_at_send = newest.rate.delivered as f64 / mss;
            told.rate_app_limited = newest.rate.app_limited;
            told.flown = newest.rate.flown(self.board.lost_total(), mss);
        }
        told.delivered = self.rate.delivered() as f64 / mss;
        tcb.note_delivery_rate(told.delivery_rate.get());
    }

    /// Tells the law of an acknowledgement, and slow start's guard around it.
    pub fn tell_law(&mut self, tcb: &mut Tcb, told: &mut Ack) {
        let mss = tcb.seq.mss() as f64;
        let lost = self.board.lost_total();
        told.inflight = self.board.pipe() as f64 / mss;
        told.lost = (lost - self.lost_told) as f64 / mss;
        told.lost_flown = self.board.take_last_lost().map(|packet| packet.flown(lost, mss));
        self.lost_told = lost;
        tcb.grow(told);
    }

    /// Describes the acknowledgement that ends a recovery for the law.
    pub fn grow_at_exit(&self, tcb: &Tcb, told: &mut Ack) {
        match tcb.config.sack.exit_grows {
            ExitGrowth::Nothing => return,
            ExitGrowth::Delivered => {}
            ExitGrowth::Covered => told.acked = told.covered,
        }
        (told.in_recovery, told.app_limited) = (tcb.marks.stops_growth(), false);
    }
}
