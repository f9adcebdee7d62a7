//! Results of streams that are played.

use crate::flows::Score;
use apps::{PictureCounts, Playout, PlayoutConfig};
use base::{Span, outcome};
use serde::Serialize;

outcome! {
    /// The arrival of a stream that is played.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct PlayoutOutcome {
        /// Datagrams older than this are late, s; absent without a deadline.
        #[serde(skip_serializing_if = "Option::is_none")]
        deadline_s: Option<f64> = "playout deadline";
        /// Datagrams that came later than the deadline; absent without one.
        #[serde(skip_serializing_if = "Option::is_none")]
        late: Option<u64> = "late packets" in "packets", sum;
        /// Share of datagrams lost or late, of those lost or arrived; null where there were none.
        unusable: Option<f64> = "unusable share" in "1";
        /// Times between arrivals, s; null before the third arrival.
        interarrival_s: Option<InterarrivalOutcome> = "interarrival time";
        /// The fates of pictures; absent where it has none.
        #[serde(skip_serializing_if = "Option::is_none")]
        pictures: Option<PicturesOutcome>;
        /// Mean opinion score by the E-model (ITU-T G.107), 1 to 4.5; absent where it is no speech.
        #[serde(flatten)]
        speech: Option<SpeechOutcome>;
    }

    /// The quality of speech (ITU-T G.107).
    #[derive(Clone, Copy, Debug, PartialEq, Serialize)]
    pub struct SpeechOutcome {
        /// Transmission rating R, up to 93.2; null where nothing was heard.
        r_factor: Option<f64> = "R factor" of f64::NEG_INFINITY..=100.0;
        /// Mean opinion score, 1 to 4.5; null where nothing was heard.
        mos: Option<f64> = "MOS" of 1.0..=4.5;
    }

    /// The fates of pictures; those that lost nothing and are not complete are on their way.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize)]
    pub struct PicturesOutcome {
        /// Sent; those that were left out do not count.
        sent: u64 = "pictures sent", sum;
        /// Arrived whole by the deadline; without one, whole.
        in_time: u64 = "pictures in time", sum;
        /// Arrived whole after it.
        late: u64 = "late pictures", sum;
        /// A datagram was lost.
        broken: u64 = "broken pictures", sum;
        /// Share of those late or broken, of those whose fate is known; null where there are none.
        unusable: Option<f64> = "unusable share of pictures" in "1";
    }

    /// Times between arrivals, s.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize)]
    pub struct InterarrivalOutcome {
        /// Mean.
        mean: f64;
        /// Standard deviation.
        std: f64, alone;
        /// 95th percentile.
        p95: f64, alone;
    }
}

impl PlayoutOutcome {
    pub(crate) fn new(playout: &Playout, score: &Score) -> PlayoutOutcome {
        let (heard, late) = (playout.heard(), playout.late());
        let lost = score.lost.sum();
        let unusable = share(lost + late, lost + heard);
        let config = playout.config();
        PlayoutOutcome {
            deadline_s: config.deadline.map(|deadline| deadline.as_secs()),
            late: config.deadline.map(|_| late),
            unusable,
            interarrival_s: InterarrivalOutcome::new(playout),
            pictures: playout.pictures().map(pictures),
            speech: speech(config, score.delay.mean_s(), unusable),
        }
    }
}

fn pictures(counts: PictureCounts) -> PicturesOutcome {
    let PictureCounts { sent, in_time, late, broken } = counts;
    let unusable = share(late + broken, in_time + late + broken);
    PicturesOutcome { sent, in_time, late, broken, unusable }
}

fn speech(
    config: &PlayoutConfig,
    mean_delay_s: Option<f64>,
    unusable: Option<f64>,
) -> Option<SpeechOutcome> {
    let speech = config.speech.as_ref()?;
    let r_factor = mean_delay_s.zip(unusable).map(|(delay_s, unusable)| {
        let delay = config.mouth_to_ear(speech, Span::from_secs(delay_s));
        speech.codec.rating(delay, unusable)
    });
    Some(SpeechOutcome { r_factor, mos: r_factor.map(apps::opinion) })
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

impl InterarrivalOutcome {
    /// Makes the statistics of arrivals; `None` before the third.
    pub fn new(playout: &Playout) -> Option<InterarrivalOutcome> {
        let gaps = playout.gaps();
        Some(InterarrivalOutcome {
            mean: gaps.mean_s()?,
            std: playout.gap_deviation_s()?,
            p95: gaps.quantile_s(0.95)?,
        })
    }
}
