//! What a run tells of streams that are played.

use apps::Playout;
use net::DropReason;

/// How a stream arrived, datagram by datagram.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayoutOutcome {
    /// Datagrams older than this are late, s; `None`: there is no deadline.
    pub deadline_s: Option<f64>,
    /// Datagrams that came later than the deadline; `None` without one.
    pub late: Option<u64>,
    /// Share of datagrams that were lost or late, of those that were lost or arrived; `None` where there were none.
    pub unusable: Option<f64>,
    /// Times between arrivals; `None` before the third.
    pub interarrival: Option<InterarrivalOutcome>,
}

/// Times between arrivals, s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InterarrivalOutcome {
    /// Mean.
    pub mean: f64,
    /// Standard deviation.
    pub std: f64,
    /// 95th percentile.
    pub p95: f64,
}

impl PlayoutOutcome {
    pub(crate) fn new(playout: &Playout, lost: &[u64; DropReason::ALL.len()]) -> PlayoutOutcome {
        let (heard, late) = (playout.heard(), playout.late());
        let lost: u64 = lost.iter().sum();
        let config = playout.config();
        PlayoutOutcome {
            deadline_s: config.deadline.map(|deadline| deadline.as_secs()),
            late: config.deadline.map(|_| late),
            unusable: share(lost + late, lost + heard),
            interarrival: interarrival(playout),
        }
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn interarrival(playout: &Playout) -> Option<InterarrivalOutcome> {
    let gaps = playout.gaps();
    Some(InterarrivalOutcome {
        mean: gaps.mean_s()?,
        std: playout.gap_deviation_s()?,
        p95: gaps.quantile_s(0.95)?,
    })
}
