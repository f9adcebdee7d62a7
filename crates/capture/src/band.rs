//! Channels by their numbers: frequencies, and their radiotap flags.

use crate::radiotap::{GHZ2, GHZ5};
use wifi::Channel;

/// Band of a cell's channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Band {
    /// At 2.4 GHz.
    Ghz2,
    /// At 5 GHz, with radiotap's flag for the width.
    Ghz5(u16),
}

/// A channel of a band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuned {
    /// Its number, as frames say it.
    pub number: u8,
    /// Centre frequency, MHz.
    pub frequency_mhz: u16,
    /// Band and width, as radiotap says them.
    pub flags: u16,
}

impl Band {
    /// The channel of this number (802.11-2020, Annex E); for one that the band has not, its first.
    pub fn channel(self, number: Channel) -> Tuned {
        let (known, frequency_mhz, flags) = match self {
            Band::Ghz2 if number == 14 => (14, 2484, GHZ2),
            Band::Ghz2 => {
                let known = if (1..=13).contains(&number) { number } else { 1 };
                (known, 2407 + 5 * known as u16, GHZ2)
            }
            Band::Ghz5(width) => {
                let known = if (34..=177).contains(&number) { number } else { 36 };
                (known, 5000 + 5 * known as u16, GHZ5 | width)
            }
        };
        Tuned { number: known as u8, frequency_mhz, flags }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_where_the_standard_has_them() {
        let mhz = |band: Band, number| band.channel(number).frequency_mhz;
        assert_eq!([1, 6, 13, 14].map(|n| mhz(Band::Ghz2, n)), [2412, 2437, 2472, 2484]);
        assert_eq!([36, 165].map(|n| mhz(Band::Ghz5(0), n)), [5180, 5825]);
        let unknown = [Band::Ghz2.channel(0).number, Band::Ghz5(0).channel(6).number];
        assert_eq!(unknown, [1, 36]);
    }
}
