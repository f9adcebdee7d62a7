//! Words over a channel with white noise: data, code, Gray-labelled points, noise, and what a receiver makes of them.

use crate::code::Code;
use crate::decoder::Decode;
use base::{Keyed, Purpose, Seed};
use radio::Constellation;

/// More than any real belief: a bit that is known to be 0, as a shortened one.
const CERTAIN: f32 = 1e6;

/// What of a word goes on the air (802.11-2020, 19.3.11.7.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// The last bits of data that are zeros and not sent.
    pub shortened: usize,
    /// The last bits of parity that are not sent.
    pub punctured: usize,
}

/// A code behind a constellation.
pub struct Link {
    code: Code,
    decoder: Box<dyn Decode>,
    points: Points,
    sent: Sent,
    seed: Seed,
}

impl Link {
    /// Words of this code on these points, and a decoder of it; another seed makes other words and noise.
    pub fn new(
        (code, decoder): (&Code, Box<dyn Decode>),
        constellation: Constellation,
        sent: Sent,
        seed: u64,
    ) -> Link {
        let (code, seed) = (code.clone(), Seed { seed, replication: 0 });
        Link { code, decoder, points: Points::new(constellation), sent, seed }
    }

    /// How many of `words` words are lost at a signal-to-noise ratio of a point, dB; from the number `first` on.
    pub fn lost(&mut self, snr_db: f64, first: u64, words: u64) -> u64 {
        (first..first + words).filter(|&number| !self.comes(snr_db, number)).count() as u64
    }

    fn comes(&mut self, snr_db: f64, number: u64) -> bool {
        let (bits, noise) =
            (self.seed.keyed(Purpose::App, number), self.seed.keyed(Purpose::ChannelError, number));
        let length = self.code.length();
        let kept = self.code.data() - self.sent.shortened;
        let bit = |i: usize| (bits.word(i as u64 / 64) >> (i % 64) & 1) as u8;
        let mut data: Vec<u8> = (0..kept).map(bit).collect();
        data.resize(self.code.data(), 0);
        let word = self.code.encode(&data);
        let mut known = vec![0.0; length];
        known[kept..data.len()].fill(CERTAIN);
        let places = (0..kept).chain(data.len()..length - self.sent.punctured);
        let sigma = libm::pow(10.0, -snr_db / 20.0);
        // Words follow each other: where their bits do not fill points, the next begins within one.
        let sent = length - self.sent.shortened - self.sent.punctured;
        let begins = (number as usize % self.points.bits) * sent % self.points.bits;
        self.points.send(&word, places, (begins, sigma, noise), &mut known);
        self.decoder.decode(&known)[..kept] == data[..kept]
    }
}

/// Points of a constellation, as amplitudes in one or two dimensions (802.11-2020, 17.3.5.8 and 21.3.10.9).
#[derive(Clone, Debug)]
struct Points {
    /// Bits of a point.
    bits: usize,
    /// Bits of a dimension.
    of_dimension: usize,
    /// By bit of a dimension, first to last, and by level: the bit there, and the nearest levels below and above with the
    /// other bit.
    labels: Vec<Vec<Label>>,
    /// Half the distance between neighbours where the mean power is 1.
    unit: f64,
}

#[derive(Clone, Copy, Debug)]
struct Label {
    bit: u8,
    below: Option<usize>,
    above: Option<usize>,
}

impl Points {
    fn new(constellation: Constellation) -> Points {
        let bits = constellation.bits() as usize;
        let of_dimension = bits.div_ceil(2);
        let levels = 1_usize << of_dimension;
        let label = |bit: usize, level: usize| {
            let of = |level: usize| ((level ^ level >> 1) >> (of_dimension - 1 - bit) & 1) as u8;
            let own = of(level);
            let below = (0..level).rev().find(|&other| of(other) != own);
            Label { bit: own, below, above: (level..levels).find(|&other| of(other) != own) }
        };
        let labels = (0..of_dimension).map(|bit| (0..levels).map(|at| label(bit, at)).collect());
        let dimensions = (bits / of_dimension) as f64;
        let power = dimensions * ((levels * levels - 1) as f64) / 3.0;
        Points { bits, of_dimension, labels: labels.collect(), unit: 1.0 / libm::sqrt(power) }
    }

    /// Sends the bits of a word at these places, of which the first is the bit `begins` of a point; the other bits of
    /// that point, and those of the last, belong to other words. `known` becomes the logarithm of what is more likely, by the
    /// nearest point of either kind.
    fn send(
        &self,
        word: &[u8],
        places: impl Iterator<Item = usize>,
        (begins, sigma, noise): (usize, f64, Keyed),
        known: &mut [f32],
    ) {
        let dimension_of = |i: usize| (begins + i) / self.of_dimension;
        let places: Vec<usize> = places.collect();
        let deviation = sigma / std::f64::consts::SQRT_2 / self.unit;
        let mut first = 0;
        while first < places.len() {
            let dimension = dimension_of(first);
            let of_others = noise.word(1 << 32 | dimension as u64);
            let within = (begins + first) % self.of_dimension;
            let here = (places.len() - first).min(self.of_dimension - within);
            let mut label = of_others as usize % (1 << self.of_dimension);
            for (i, &place) in places[first..first + here].iter().enumerate() {
                let shift = self.of_dimension - 1 - (within + i);
                label = label & !(1 << shift) | usize::from(word[place]) << shift;
            }
            let received = amplitude(level_of(label), self.of_dimension)
                + deviation * noise.normal(dimension as u64);
            for (i, &place) in places[first..first + here].iter().enumerate() {
                let difference = self.difference(within + i, received);
                known[place] = (difference / (2.0 * deviation * deviation)) as f32;
            }
            first += here;
        }
    }

    /// The difference of squared distances to the nearest points with a one and with a zero.
    fn difference(&self, bit: usize, received: f64) -> f64 {
        let levels = 1_usize << self.of_dimension;
        let place = (received + levels as f64 - 1.0) / 2.0;
        let nearest = (place.max(0.0) + 0.5) as usize;
        let nearest = nearest.min(levels - 1);
        let label = self.labels[bit][nearest];
        let distance = |level: usize| {
            let distance = received - amplitude(level, self.of_dimension);
            distance * distance
        };
        let others = [label.below, label.above].into_iter().flatten();
        let other = others.map(distance).fold(f64::INFINITY, f64::min);
        let difference = other - distance(nearest);
        if label.bit == 0 { difference } else { -difference }
    }
}

/// The level whose Gray label this is.
fn level_of(label: usize) -> usize {
    let mut level = label;
    let mut rest = label >> 1;
    while rest > 0 {
        level ^= rest;
        rest >>= 1;
    }
    level
}

/// The amplitude of a level, in halves of the distance between neighbours.
fn amplitude(level: usize, bits: usize) -> f64 {
    2.0 * level as f64 - ((1_usize << bits) as f64 - 1.0)
}
