//! What a run tells of streams that are played.

use crate::flows::Score;
use apps::{PictureCounts, Playout, PlayoutConfig};
use base::Span;
use schemars::JsonSchema;
use serde::Serialize;

/// How a stream that is played arrived.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PlayoutOutcome {
    /// Datagrams older than this are late, s; absent without a deadline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline_s: Option<f64>,
    /// Datagrams that came later than the deadline; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<u64>,
    /// Share of datagrams lost or late, of those lost or arrived; null where there were none.
    pub unusable: Option<f64>,
    /// Times between arrivals, s; null before the third arrival.
    pub interarrival_s: Option<InterarrivalOutcome>,
    /// What became of pictures; absent where it is made of none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pictures: Option<PicturesOutcome>,
    /// Mean opinion score by the E-model (ITU-T G.107), 1 to 4.5; absent where it is no speech.
    #[serde(flatten)]
    pub speech: Option<SpeechOutcome>,
}

/// How speech sounds (ITU-T G.107).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SpeechOutcome {
    /// Transmission rating R, up to 93.2; null where nothing was heard.
    pub r_factor: Option<f64>,
    /// Mean opinion score, 1 to 4.5; null where nothing was heard.
    pub mos: Option<f64>,
}

/// What became of pictures; those of which nothing was lost and something is missing are on their way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PicturesOutcome {
    /// Sent; those that were left out do not count.
    pub sent: u64,
    /// Arrived whole by the deadline; without one, whole.
    pub in_time: u64,
    /// Arrived whole after it.
    pub late: u64,
    /// A datagram was lost.
    pub broken: u64,
    /// Share of those late or broken, of those whose fate is known; null where there are none.
    pub unusable: Option<f64>,
}

/// Times between arrivals, s.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct InterarrivalOutcome {
    /// Mean.
    pub mean: f64,
    /// Standard deviation.
    pub std: f64,
    /// 95th percentile.
    pub p95: f64,
}

impl PlayoutOutcome {
    pub(crate) fn new(playout: &Playout, score: &Score) -> PlayoutOutcome {
        let (heard, late) = (playout.heard(), playout.late());
        let lost: u64 = score.lost.iter().sum();
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
    /// Of what has arrived; `None` before the third.
    pub fn new(playout: &Playout) -> Option<InterarrivalOutcome> {
        let gaps = playout.gaps();
        Some(InterarrivalOutcome {
            mean: gaps.mean_s()?,
            std: playout.gap_deviation_s()?,
            p95: gaps.quantile_s(0.95)?,
        })
    }
}
