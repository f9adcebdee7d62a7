//! What no code can do better: the capacity of bits behind Gray's labels (Caire, Taricco and Biglieri 1998).

use libm::{exp, log2, pow, sqrt};
use radio::{CodeRate, Constellation};

/// The least signal-to-noise ratio of a point, dB, at which any code of this rate whose bits are told one by one can come
/// through.
pub fn least_db(constellation: Constellation, rate: CodeRate) -> f64 {
    let (data, all) = rate.fraction();
    let wanted = f64::from(data) / f64::from(all);
    let (mut low, mut high) = (-20.0, 60.0);
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        if capacity(constellation, pow(10.0, middle / 10.0)) < wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// A density that adds nothing, and by which others can still be divided.
const TINY: f64 = 1e-200;

/// Bits of data that a coded bit can carry, on average over the bits of a point.
fn capacity(constellation: Constellation, snr: f64) -> f64 {
    let bits = constellation.bits() as usize;
    let of_dimension = bits.div_ceil(2);
    let levels = 1_usize << of_dimension;
    let dimensions = (bits / of_dimension) as f64;
    let power = dimensions * ((levels * levels - 1) as f64) / 3.0;
    // In halves of the distance between neighbours.
    let deviation = sqrt(power / (2.0 * snr));
    let outermost = levels as f64 - 1.0;
    let step = deviation / 20.0;
    let reach = outermost + 8.0 * deviation;
    let (mut lost, mut received) = (0.0, -reach);
    while received <= reach {
        let density: Vec<f64> = (0..levels)
            .map(|level| {
                let distance = (received - (2.0 * level as f64 - outermost)) / deviation;
                exp(-0.5 * distance * distance)
            })
            .collect();
        let all: f64 = density.iter().sum();
        for bit in 0..of_dimension {
            let of = |wanted: usize| -> f64 {
                let has = |level: usize| (level ^ level >> 1) >> bit & 1 == wanted;
                density.iter().enumerate().filter(|&(at, _)| has(at)).map(|(_, &x)| x).sum()
            };
            for part in [of(0), of(1)].into_iter().filter(|&part| part > TINY) {
                lost += part * log2(all / part);
            }
        }
        received += step;
    }
    let normal = step / (deviation * sqrt(std::f64::consts::TAU)) / levels as f64;
    1.0 - lost * normal / of_dimension as f64
}
