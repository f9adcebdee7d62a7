//! Whole films against `video_trace_statistics.json`'s numbers, which are pinned here.

use super::*;
use base::{Purpose, Seed};

const HOUR: Span = Span::secs(3600);

fn film(model: FilmModel, replication: u64) -> Vec<f64> {
    let numbers = Seed { seed: 1, replication }.keyed(Purpose::App, 0);
    let mut film = Film::new(model, numbers, HOUR);
    (0..model.groups() * GROUP).map(|_| f64::from(film.next_picture())).collect()
}

fn mean(x: &[f64]) -> f64 {
    x.iter().sum::<f64>() / x.len() as f64
}

fn sums(x: &[f64], m: usize) -> Vec<f64> {
    x.chunks_exact(m).map(|part| part.iter().sum()).collect()
}

/// Moments of all values of all films about their common mean: a film's own mean wanders, since its memory is long.
fn moments(films: &[Vec<f64>]) -> (f64, f64, f64, f64) {
    let all = || films.iter().flatten().copied();
    let n = all().count() as f64;
    let mean = all().sum::<f64>() / n;
    let variance = all().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
    let (least, most) = (all().fold(f64::MAX, f64::min), all().fold(0.0, f64::max));
    (mean, variance.sqrt() / mean, least, most)
}

/// Hurst's R/S: the slope of log(R/S) over log(length), for lengths from 10 to a half and ten starts each.
fn hurst(x: &[f64]) -> f64 {
    let n = x.len();
    let mut points: Vec<(f64, f64)> = Vec::new();
    let steps = 15;
    for step in 0..steps {
        let part = f64::from(step) / f64::from(steps - 1);
        let length = (10.0 * (n as f64 / 20.0).powf(part)) as usize;
        for start in (0..=n - length).step_by(length.max(n / 10)) {
            let window = &x[start..start + length];
            let mean = mean(window);
            let (mut sum, mut low, mut high, mut squares) = (0.0, f64::MAX, f64::MIN, 0.0);
            for value in window {
                sum += value - mean;
                squares += (value - mean).powi(2);
                (low, high) = (f64::min(low, sum), f64::max(high, sum));
            }
            let deviation = (squares / length as f64).sqrt();
            if deviation > 0.0 {
                points.push(((length as f64).ln(), ((high - low) / deviation).ln()));
            }
        }
    }
    let (xs, ys): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
    let (mx, my) = (mean(&xs), mean(&ys));
    let products: f64 = xs.iter().zip(&ys).map(|(x, y)| (x - mx) * (y - my)).sum();
    products / xs.iter().map(|x| (x - mx).powi(2)).sum::<f64>()
}

/// The mean of R/S over films at each level of aggregation, and the published one.
fn assert_hurst(films: &[Vec<f64>], published: &[(usize, f64)], tolerance: f64) {
    for &(m, expected) in published {
        let found: Vec<f64> = films.iter().map(|film| hurst(&sums(film, m))).collect();
        let found = mean(&found);
        assert!((found - expected).abs() < tolerance, "m = {m}: {found}, published {expected}");
    }
}

/// Sixteen films. With H = 0.8 the mean of one has a relative deviation of 0.38 x 7499^-0.2 x sqrt(0.7) = 5 %, that of
/// sixteen 1.4 %; four of these are 6 %.
#[test]
fn star_wars_has_its_statistics() {
    let films: Vec<Vec<f64>> = (0..16).map(|i| film(FilmModel::StarWarsIvHigh, i)).collect();
    let (mean, cov, least, most) = moments(&films);
    assert!((mean / 1376.0 - 1.0).abs() < 0.06, "mean {mean}");
    assert!((cov / 0.66 - 1.0).abs() < 0.06, "CoV {cov}");
    assert!(least >= 26.0 && (7000.0..=9370.0).contains(&most), "{least} to {most}");
    let groups: Vec<Vec<f64>> = films.iter().map(|film| sums(film, 12)).collect();
    let (mean, cov, least, most) = moments(&groups);
    assert!((mean / 16_512.0 - 1.0).abs() < 0.06, "group mean {mean}");
    assert!((cov / 0.38 - 1.0).abs() < 0.08, "group CoV {cov}");
    assert!(least > 900.0 && most < 1.4 * 70_850.0, "groups from {least} to {most}");
    let published = [
        (1, 0.903),
        (12, 0.838),
        (50, 0.808),
        (100, 0.785),
        (200, 0.776),
        (400, 0.756),
        (800, 0.722),
    ];
    assert_hurst(&films[..8], &published, 0.08);
}

/// By place in the group, in units of the mean: the pattern IBBPBBPBBPBB.
#[test]
fn groups_have_their_pattern() {
    let films: Vec<Vec<f64>> = (0..4).map(|i| film(FilmModel::StarWarsIvHigh, i)).collect();
    let all = mean(&films.concat());
    for (place, weight) in mpeg::WEIGHTS.into_iter().enumerate() {
        let here: Vec<f64> =
            films.iter().flat_map(|film| film.iter().skip(place).step_by(12)).copied().collect();
        assert!((mean(&here) / all / weight - 1.0).abs() < 0.01, "place {place}");
    }
}

#[test]
fn the_lecture_room_has_its_statistics() {
    let films: Vec<Vec<f64>> = (0..16).map(|i| film(FilmModel::LectureRoomCamVbr, i)).collect();
    let (with_gaps, cov, _, most) = moments(&films);
    assert!((with_gaps / 311.65 - 1.0).abs() < 0.04, "mean {with_gaps}");
    assert!((cov / 1.3 - 1.0).abs() < 0.04, "CoV {cov}");
    let sent: Vec<Vec<f64>> =
        films.iter().map(|film| film.iter().copied().filter(|&x| x > 0.0).collect()).collect();
    let (mean_sent, cov, least, most_sent) = moments(&sent);
    assert!((mean_sent / 617.59 - 1.0).abs() < 0.04, "mean of those sent {mean_sent}");
    assert!((cov / 0.6 - 1.0).abs() < 0.05, "their CoV {cov}");
    assert!(
        (240.0..260.0).contains(&least) && (5000.0..=5760.0).contains(&most),
        "{least}, {most}"
    );
    assert_eq!(most, most_sent);
    // A binomial share of 16 x 90084 slots: four standard errors are 0.0017.
    let share = sent.iter().map(Vec::len).sum::<usize>() as f64 / (16.0 * 90_084.0);
    assert!((share - 45_459.0 / 90_084.0).abs() < 0.0017, "{share}");
    let longest = films[0].split(|&x| x > 0.0).map(|gap| gap.len() + 1).max();
    assert!(longest <= Some(29), "{longest:?}");
    let published =
        [(1, 0.623), (12, 0.811), (50, 0.845), (100, 0.844), (200, 0.739), (400, 0.770)];
    assert_hurst(&films[..8], &published, 0.12);
}

#[test]
fn a_longer_run_sees_more_of_the_same_film() {
    let numbers = Seed { seed: 1, replication: 0 }.keyed(Purpose::App, 0);
    for model in [FilmModel::StarWarsIvHigh, FilmModel::LectureRoomCamVbr] {
        let show = |duration| {
            let mut film = Film::new(model, numbers, duration);
            (0..2500).map(|_| film.next_picture()).collect::<Vec<_>>()
        };
        assert_eq!(show(Span::secs(100)), show(Span::secs(200)));
    }
}

#[test]
fn after_an_hour_it_begins_again() {
    let numbers = Seed { seed: 1, replication: 0 }.keyed(Purpose::App, 0);
    let mut film = Film::new(FilmModel::StarWarsIvHigh, numbers, Span::secs(10_000));
    let show: Vec<u32> = (0..7499 * 12 + 100).map(|_| film.next_picture()).collect();
    assert_eq!(show[..100], show[7499 * 12..]);
}
