//! Settings of the MAC that are written in ways of their own.

use base::{Form, Given, Kind, Refused, named};

/// The kind of an RTS threshold: the longest MPDU without RTS/CTS, bytes.
pub struct Rts;

impl Kind<u32> for Rts {
    const FORM: Form = Form::Either(
        "\"always\", \"never\", or a size such as \"300 B\"",
        &[Form::Words(&["always", "never"]), Form::Bytes],
    );

    fn take(given: &Given) -> Result<u32, Refused> {
        match given {
            Given::Word(word) if word == "always" => Ok(0),
            Given::Word(word) if word == "never" => Ok(u32::MAX),
            Given::Bytes(bytes) => Ok(u32::try_from(*bytes).unwrap_or(u32::MAX)),
            _ => Err(Refused::Form),
        }
    }

    fn give(value: &u32) -> Given {
        match *value {
            0 => Given::Word("always".into()),
            u32::MAX => Given::Word("never".into()),
            bytes => Given::Bytes(u64::from(bytes)),
        }
    }
}

/// The kind of a retry limit; `None` where there is none.
pub struct RetryLimit;

/// The largest retry limit.
pub const MOST_RETRIES: u64 = 1_000_000;

impl Kind<Option<u32>> for RetryLimit {
    const FORM: Form = Form::Either(
        "a whole number from 0 to 1000000, or \"none\"",
        &[Form::Whole, Form::Words(&["none"])],
    );

    fn take(given: &Given) -> Result<Option<u32>, Refused> {
        match given {
            Given::Whole(limit) if *limit <= MOST_RETRIES => Ok(Some(*limit as u32)),
            Given::Whole(_) => Err(Refused::Says(
                "too many; allowed: a whole number from 0 to 1000000, or \"none\"",
            )),
            Given::Word(word) if word == "none" => Ok(None),
            _ => Err(Refused::Form),
        }
    }

    fn give(value: &Option<u32>) -> Given {
        value.map_or(Given::Word("none".into()), |limit| Given::Whole(u64::from(limit)))
    }
}

named! {
    /// Warning of 802.11b stations of OFDM frames.
    pub enum Protection, "protection" {
        CtsToSelf = "cts_to_self": "a CTS to oneself before each OFDM data frame without RTS (802.11-2020, 10.27)",
        Off = "none": "nothing: 802.11b stations do not notice OFDM frames",
    }
}

impl Kind<bool> for Protection {
    const FORM: Form = <Protection as Kind<Protection>>::FORM;

    fn take(given: &Given) -> Result<bool, Refused> {
        <Protection as Kind<Protection>>::take(given).map(|kind| kind == Protection::CtsToSelf)
    }

    fn give(value: &bool) -> Given {
        <Protection as Kind<Protection>>::give(match value {
            true => &Protection::CtsToSelf,
            false => &Protection::Off,
        })
    }
}
