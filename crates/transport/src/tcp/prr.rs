//! Proportional rate reduction: how much recovery sends for what is delivered (RFC 9937 section 6).

/// One recovery's account, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Prr {
    delivered: u64,
    out: u64,
    recover_fs: u64,
    ssthresh: u64,
    /// SndCnt, less what has been sent of it.
    allowance: u64,
    ns3: bool,
}

impl Prr {
    /// Recovery begins with `flight` bytes, those SACKed before left out, towards `ssthresh`.
    pub fn new(flight: u64, ssthresh: u64) -> Prr {
        Prr { recover_fs: flight.max(1), ssthresh, ..Prr::default() }
    }

    /// As ns-3.44 counts: a duplicate is a segment besides what it SACKs until a flight is delivered (RFC 6937 section 3
    /// has that estimate for connections without SACK), and the product of the share keeps 32 bits, which flights from 78
    /// segments of 1000 B on exceed.
    pub fn as_ns3(self) -> Prr {
        Prr { ns3: true, ..self }
    }

    /// Returns the count of an acknowledgement that delivers `delivered` bytes.
    pub fn counted(&self, delivered: u64, duplicate: bool, mss: u64) -> u64 {
        let twice = self.ns3 && duplicate && self.delivered < self.recover_fs;
        if twice { delivered + mss } else { delivered }
    }

    /// An acknowledgement delivers `delivered` bytes with `pipe` in the network; `safe`: it advances and tells of no
    /// further loss.
    pub fn on_ack(&mut self, delivered: u64, pipe: u64, safe: bool, mss: u64) {
        if delivered == 0 {
            return;
        }
        self.delivered += delivered;
        let owed = self.delivered.saturating_sub(self.out);
        let mut count = if pipe > self.ssthresh {
            // Of what is delivered, ssthresh / RecoverFS is sent: at the end of recovery the pipe is ssthresh.
            let mut share = u128::from(self.delivered) * u128::from(self.ssthresh);
            if self.ns3 {
                share = u128::from(share as u32);
            }
            let share = share.div_ceil(u128::from(self.recover_fs)) as u64;
            share.saturating_sub(self.out)
        } else {
            // PRR-CRB, or with a safe acknowledgement PRR-SSRB: catch up, as permitted.
            let safe = if safe { mss } else { 0 };
            (owed.max(delivered) + safe).min(self.ssthresh - pipe)
        };
        if self.out == 0 && count < mss {
            // The fast retransmit always goes.
            count = mss;
        }
        self.allowance = count;
    }

    /// Bytes that may be sent now.
    pub fn allowance(&self) -> u64 {
        self.allowance
    }

    /// `bytes` are sent.
    pub fn on_send(&mut self, bytes: u64) {
        self.out += bytes;
        self.allowance = self.allowance.saturating_sub(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Inputs of ns-3's `tcp-prr-recovery-test.cc` (MSS 1000, ssthresh 1e5, flight 2e5 and 5e4), results by RFC 9937
    /// section 6.
    #[test]
    fn the_worked_windows_come_out() {
        let mut prr = Prr::new(200_000, 100_000);
        prr.on_ack(50_000, 200_000, false, 1000);
        // Proportional: half of what was delivered.
        assert_eq!(prr.allowance(), 25_000);
        let mut prr = Prr { out: 50_000, ..Prr::new(200_000, 100_000) };
        prr.delivered = 0;
        prr.on_ack(1000, 50_000, false, 1000);
        assert_eq!(50_000 + prr.allowance(), 51_000);
    }

    /// A duplicate of 1000 B counts as two segments until the flight is delivered; 40,000 x 110,000 is 105,032,704 in 32
    /// bits, a share of 1 kB in place of 44.
    #[test]
    fn ns3_counts_duplicates_twice_in_32_bits() {
        let mut prr = Prr::new(100_000, 110_000).as_ns3();
        assert_eq!(prr.counted(1000, true, 1000), 2000);
        assert_eq!(prr.counted(1000, false, 1000), 1000);
        assert_eq!(Prr::new(100_000, 110_000).counted(1000, true, 1000), 1000);
        prr.on_ack(40_000, 200_000, false, 1000);
        assert_eq!(prr.allowance(), 1051);
        prr.on_ack(60_000, 200_000, false, 1000);
        assert_eq!(prr.counted(1000, true, 1000), 1000, "the flight is delivered");
    }

    #[test]
    fn the_first_retransmission_always_goes() {
        let mut prr = Prr::new(10_000, 5000);
        prr.on_ack(100, 9000, false, 1000);
        assert_eq!(prr.allowance(), 1000);
        prr.on_send(1000);
        assert_eq!(prr.allowance(), 0);
        prr.on_ack(1000, 9000, false, 1000);
        assert_eq!(prr.allowance(), 0, "1100 x 1/2 is less than what went");
    }

    #[test]
    fn below_the_threshold_a_safe_acknowledgement_catches_up() {
        let mut prr = Prr::new(10_000, 5000);
        prr.on_ack(1000, 3000, false, 1000);
        assert_eq!(prr.allowance(), 1000);
        prr.on_send(1000);
        prr.on_ack(1000, 3000, true, 1000);
        assert_eq!(prr.allowance(), 2000);
    }
}
