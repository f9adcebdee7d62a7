//! Points of a curve, from where nearly all words are lost to where nearly none are.

use crate::fit::Point;
use crate::link::Link;

/// Words of the search for the threshold.
const FEW: u64 = 40;

/// How many words a point is worth.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The lost words after which a point is done.
    pub lost: u64,
    /// The words sent after which it is done too, and no weaker loss is asked.
    pub words: u64,
    /// From one point to the next, dB.
    pub step_db: f64,
}

/// The points of a link, upwards; the threshold is above `least_db`.
pub fn measure(link: &mut Link, least_db: f64, effort: &Effort) -> Vec<Point> {
    let Effort { words, step_db, .. } = *effort;
    let mut snr_db = (least_db / step_db).ceil() * step_db;
    // Where all of a few are lost there is little to learn.
    while link.lost(snr_db, 0, FEW) == FEW {
        snr_db += step_db;
    }
    let mut points = Vec::new();
    let mut first = FEW;
    loop {
        let point = point(link, (snr_db, first), effort);
        first += point.words;
        points.push(point);
        snr_db += step_db;
        if point.words >= words && point.lost < effort.lost {
            return points;
        }
    }
}

fn point(link: &mut Link, (snr_db, first): (f64, u64), effort: &Effort) -> Point {
    let (mut words, mut lost) = (0, 0);
    while lost < effort.lost && words < effort.words {
        // In parts, so that it ends soon after enough are lost.
        let part = (effort.words - words).min(100);
        lost += link.lost(snr_db, first + words, part);
        words += part;
    }
    Point { snr_db, words, lost }
}
