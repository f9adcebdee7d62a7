//! Films of an hour that no one has seen, with the published statistics of two that many have used.
//!
//! The picture sizes of TU Berlin's traces (Fitzek and Reisslein, IEEE Network 15(6), 2001) could not be had as files; their
//! statistics could (trace.eas.asu.edu, mirrored at cnets.io): mean, coefficient of variation, extremes, the same of
//! groups of pictures, and Hurst parameters by R/S at eleven levels of aggregation. Two levels make a size:
//!
//! - a slow one, log-normal, the same for 12 pictures (0.48 s): the logarithm is a sum of fractional Gaussian noise (H = 0.8,
//!   0.7 of the variance) and of scenes, noise that fades to 1/e over 40 such groups (19 s). These three numbers were fitted
//!   to the eleven Hurst parameters of both films at once: within 0.1 of all but one or two;
//! - a fast one, log-normal, of each picture by itself.
//!
//! How the variance is shared between them is solved from the two published variances (MPEG-4), or fitted to the Hurst
//! parameters (H.263). How sizes differ by type (I, P, B) is not published for these films: the weights are ours.

use super::memory::{fading, fractional};
use base::{Keyed, Span, named};

/// From one picture to the next: 25 a second.
pub const CLOCK: Span = Span::millis(40);

/// Pictures in a group.
const GROUP: u64 = 12;
/// Hurst parameter of the fractional noise.
const HURST: f64 = 0.8;
/// Its share of the slow level's variance.
const FRACTIONAL: f64 = 0.7;
/// In how many groups the memory of a scene falls to 1/e.
const SCENE: f64 = 40.0;

/// Numbers by index: two for each group, then one for each picture's size and one for whether it is left out.
const SIZES: u64 = 1 << 40;
const GAPS: u64 = 2 << 40;

named! {
    /// Source of a film's statistics.
    pub enum FilmModel, "model of a film" {
        StarWarsIvHigh = "star_wars_iv_high": "MPEG-4 Star Wars IV, high quality: 280 kbit/s, IBBPBBPBBPBB, peak 1.9 Mbit/s",
        LectureRoomCamVbr = "lecture_room_cam_vbr": "H.263 Lecture Room-Cam without target rate: 62 kbit/s, every other picture left out",
    }
}

impl FilmModel {
    /// Groups in the whole film.
    fn groups(self) -> u64 {
        match self {
            FilmModel::StarWarsIvHigh => 7499,
            FilmModel::LectureRoomCamVbr => 90_084 / GROUP,
        }
    }

    /// Standard deviation of the logarithm of the slow and of the fast level.
    fn deviations(self) -> (f64, f64) {
        match self {
            FilmModel::StarWarsIvHigh => mpeg::deviations(),
            FilmModel::LectureRoomCamVbr => h263::deviations(),
        }
    }
}

/// Star Wars IV, high quality.
mod mpeg {
    use super::GROUP;

    /// The mean size that the compression ratio 27.62 gives; the page rounds it to 1.4e3.
    pub const MEAN: f64 = 1376.0;
    /// Coefficient of variation of pictures: the variance is 820000.
    const COV: f64 = 0.658;
    /// Coefficient of variation of groups: 4.0e7.
    const GROUP_COV: f64 = 0.383;
    pub const EXTREMES: (f64, f64) = (26.0, 9370.0);
    /// Sizes by place in the group, in units of the mean: I, P and B. Ours.
    pub const WEIGHTS: [f64; GROUP as usize] = [2.3, B, B, P, B, B, P, B, B, P, B, B];
    const P: f64 = 1.3;
    const B: f64 = (12.0 - 2.3 - 3.0 * P) / 8.0;

    /// With slow and fast squared coefficients of variation s and f, and mean square weight w: pictures have
    /// (1 + s)(1 + f) w - 1, groups (1 + s)(1 + f w / 12) - 1.
    pub fn deviations() -> (f64, f64) {
        let w = WEIGHTS.iter().map(|weight| weight * weight).sum::<f64>() / GROUP as f64;
        let (picture, group) = (1.0 + COV * COV, 1.0 + GROUP_COV * GROUP_COV);
        // The quotient of the two has f alone.
        let q = picture / (group * w);
        let fast = (q - 1.0) / (1.0 - q * w / GROUP as f64);
        let slow = group / (1.0 + fast * w / GROUP as f64) - 1.0;
        (f64::sqrt(libm::log1p(slow)), f64::sqrt(libm::log1p(fast)))
    }
}

/// Lecture Room-Cam.
mod h263 {
    /// Mean size of pictures that were sent: 617.59 B with a variance of 136854.44, at least 240.
    const MEAN: f64 = 617.59;
    const VARIANCE: f64 = 136_854.44;
    pub const EXTREMES: (f64, f64) = (240.0, 5760.0);
    /// Mean of the part above the least size, which is log-normal.
    pub const ABOVE: f64 = MEAN - EXTREMES.0;
    /// 45459 of 90084 were sent, one in 29 at least.
    pub const SENT: f64 = 45_459.0 / 90_084.0;
    pub const LONGEST_GAP: u32 = 29;
    /// The slow level's share of the variance of the logarithm.
    const SLOW: f64 = 0.3;

    pub fn deviations() -> (f64, f64) {
        let variance = libm::log1p(VARIANCE / (ABOVE * ABOVE));
        (f64::sqrt(SLOW * variance), f64::sqrt((1.0 - SLOW) * variance))
    }
}

/// A film at work.
#[derive(Clone, Debug)]
pub struct Film {
    model: FilmModel,
    numbers: Keyed,
    /// The slow level of each group, mean 1.
    levels: Vec<f64>,
    /// The fast level's deviation of the logarithm.
    fast: f64,
    /// The next picture.
    next: u64,
    /// Pictures left out since the last that was sent.
    left_out: u32,
}

impl Film {
    /// A film by its numbers, as much of it as can be seen in `duration`: more of it does not change the beginning.
    pub fn new(model: FilmModel, numbers: Keyed, duration: Span) -> Film {
        let groups = model.groups().min(duration.0 / (GROUP * CLOCK.0) + 1);
        let (scenes, noise): (Vec<f64>, Vec<f64>) =
            (0..groups).map(|group| numbers.normal_pair(group)).unzip();
        let (slow, fast) = model.deviations();
        let (scenes, noise) = (fading(&scenes, SCENE), fractional(&noise, HURST));
        let level = |(scene, noise): (f64, f64)| {
            let sum = f64::sqrt(1.0 - FRACTIONAL) * scene + f64::sqrt(FRACTIONAL) * noise;
            libm::exp(slow * (sum - slow / 2.0))
        };
        let levels = scenes.into_iter().zip(noise).map(level).collect();
        Film { model, numbers, levels, fast, next: 0, left_out: 0 }
    }

    /// Size of the next picture, bytes; 0: it was left out.
    pub fn next_picture(&mut self) -> u32 {
        let picture = self.next;
        self.next = (picture + 1) % (self.levels.len() as u64 * GROUP);
        let (group, place) = ((picture / GROUP) as usize, (picture % GROUP) as usize);
        let fast = self.fast * (self.numbers.normal_pair(SIZES + picture).0 - self.fast / 2.0);
        let level = self.levels[group] * libm::exp(fast);
        let (size, (least, most)) = match self.model {
            FilmModel::StarWarsIvHigh => {
                (mpeg::MEAN * mpeg::WEIGHTS[place] * level, mpeg::EXTREMES)
            }
            FilmModel::LectureRoomCamVbr => {
                self.left_out += 1;
                let sent = self.numbers.unit(GAPS + picture) < h263::SENT;
                if !sent && self.left_out < h263::LONGEST_GAP {
                    return 0;
                }
                self.left_out = 0;
                (h263::EXTREMES.0 + h263::ABOVE * level, h263::EXTREMES)
            }
        };
        libm::round(size.clamp(least, most)) as u32
    }
}

#[cfg(test)]
mod tests;
