//! Settings of 802.11 in which a station can differ from its cell.

use crate::settings::{Laid, Set};
use base::{Form, Given, Refused, Row, Settings};
use wifi::MacSettings;
use wifi::phy::PhySettings;

/// Some of the keys of `S`.
macro_rules! of_station {
    ($(#[$doc:meta] $name:ident: $of:ty, [$(($key:literal, $about:literal, $default:literal)),+ $(,)?];)+) => {$(
        #[$doc]
        #[derive(Clone, Debug, Default)]
        pub struct $name($of);

        impl Settings for $name {
            fn rows() -> Vec<Row> {
                let mut rows = <$of>::rows();
                rows.retain(|row| [$($key),+].contains(&row.key));
                for row in &mut rows {
                    $(if row.key == $key {
                        (row.doc, row.default) = ($about, Given::Prose($default));
                    })+
                }
                rows
            }

            fn forms() -> Vec<(&'static str, Form)> {
                let mut forms = <$of>::forms();
                forms.retain(|(key, _)| [$($key),+].contains(key));
                forms
            }

            fn set(&mut self, key: &str, given: &Given) -> Result<(), Refused> {
                self.0.set(key, given)
            }

            fn given(&self) -> Vec<(&'static str, Given)> {
                let mut given = self.0.given();
                given.retain(|(key, _)| [$($key),+].contains(key));
                given
            }
        }

        impl Laid for $name {
            fn cases() -> Vec<(&'static str, Set<Self>)> {
                Vec::new()
            }
        }
    )+};
}

of_station! {
    /// Timing and rates of one station.
    PhyOfStation: PhySettings, [
        ("standard", "In a cell of 802.11n, 802.11ac or 802.11ax: the older standard of this station, \"802.11a\" in the 5 GHz band, \"802.11\", \"802.11b\" or \"802.11g\" in the 2.4 GHz band. Its rate is then the fastest of that standard if `rate` is left out, and it neither sends nor gets aggregates. Beside a station of 802.11 or 802.11b all slots of the cell are long, DSSS rates are its basic rates, and `protection` of `[mac]` says what precedes OFDM frames.", "the cell's"),
        ("rate", "The rate of data frames between this station and its access point, in both directions. In a cell of 802.11n, 802.11ac or 802.11ax it may be one of older standards: 6 to 54 Mbps, and in the 2.4 GHz band 1, 2, 5.5 and 11 Mbps. Frames are then single ones in the older format.", "the cell's"),
        ("mcs", "With 802.11n, 802.11ac and 802.11ax, in the place of `rate`: the modulation and coding scheme between this station and its access point, within one stream.", "the cell's"),
        ("streams", "With 802.11n, 802.11ac and 802.11ax: the spatial streams between this station and its access point.", "the cell's"),
        ("rate_control", "How the rate of data frames between this station and its access point is chosen.", "as in the cell"),
        ("cw_min", "The smallest contention window of this station (aCWmin) in slots.", "the cell's"),
        ("cw_max", "The largest contention window of this station (aCWmax) in slots.", "the cell's"),
    ];
    /// Rules of one station.
    MacOfStation: MacSettings, [
        ("retry_limit", "Sets `short_retry_limit` and `long_retry_limit` at once, in their place.", ""),
        ("rts", "When RTS/CTS precede a data frame of this station.", "as in the cell"),
        ("short_retry_limit", "The retry limit of its RTS frames and of its data frames up to the RTS threshold, or \"none\".", "the cell's"),
        ("long_retry_limit", "The retry limit of its data frames above the RTS threshold, or \"none\".", "the cell's"),
    ];
}
