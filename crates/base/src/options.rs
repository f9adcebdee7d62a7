//! Parameters of congestion laws and queue disciplines: names, defaults and meanings, and the values that a scenario sets.
//!
//! All values are numbers, so that one small list serves everyone: `[tcp.law_options] beta = 0.7`. A parameter
//! with choices takes the place of the choice in its list; a switch is 0 or 1.

/// The unit of a parameter, which decides how a scenario writes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// As its meaning says.
    #[default]
    Number,
    /// Seconds, written such as "5 ms".
    Seconds,
    /// A probability or a share, from 0 to 1, which may be written such as "10 %".
    Share,
    /// Packets.
    Packets,
    /// Bytes, written such as "1500 B".
    Bytes,
    /// Bits per second, written such as "20 Mbps".
    BitRate,
}

/// A parameter of a law or a discipline, as lists and error messages show it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// The name in scenarios.
    pub name: &'static str,
    /// Its value where nothing is said.
    pub default: f64,
    /// The names of 0, 1, 2, ... where it is a choice; empty: a number.
    pub choices: &'static [&'static str],
    /// The unit of the number.
    pub unit: Unit,
    /// Its effect, its unit, and the reason for the default.
    pub meaning: &'static str,
}

/// The choices of a switch.
pub const SWITCH: &[&str] = &["off", "on"];

/// Values that differ from the defaults, by name. Plain data: the reader of a scenario checks the names
/// against the list of parameters; a law looks up its own and ignores the rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options(Vec<(String, f64)>);

impl Options {
    /// The values of a list.
    pub fn of(values: &[(&str, f64)]) -> Options {
        Options(values.iter().map(|&(name, value)| (name.to_owned(), value)).collect())
    }

    /// Sets a value, in the place of the one before.
    pub fn set(&mut self, name: &str, value: f64) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some(entry) => entry.1 = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }

    /// The value, where one is set.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.0.iter().find(|(known, _)| known == name).map(|&(_, value)| value)
    }

    /// The names that are set.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }
}

/// Makes `Params`: a struct of numbers with defaults, filled from [`Options`], and the list of what they mean.
#[macro_export]
macro_rules! parameters {
    ($($name:ident = $default:expr $(, of $choices:expr)? $(, in $unit:ident)?, $meaning:literal;)*) => {
        /// The parameters.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Params {
            $(#[doc = $meaning] pub $name: f64,)*
        }

        impl Params {
            /// The meaning of each.
            pub const ALL: &'static [$crate::Parameter] = &[
                $($crate::Parameter {
                    name: stringify!($name),
                    default: $default,
                    choices: {
                        let choices: &[&str] = &[];
                        $(let _ = choices; let choices: &[&str] = $choices;)?
                        choices
                    },
                    unit: {
                        let unit = $crate::Unit::Number;
                        $(let _ = unit; let unit = $crate::Unit::$unit;)?
                        unit
                    },
                    meaning: $meaning,
                },)*
            ];

            /// The defaults, where `options` says nothing else.
            pub fn new(options: &$crate::Options) -> Params {
                Params { $($name: options.get(stringify!($name)).unwrap_or($default),)* }
            }
        }

        impl Default for Params {
            fn default() -> Params {
                Params { $($name: $default,)* }
            }
        }
    };
}
#[cfg(test)]
mod tests {
    use super::*;

    parameters! {
        beta = 0.7, "what a loss leaves of the window";
        filter = 1.0, of &["paper", "linux"], "whose filter";
        target = 0.005, in Seconds, "delay aimed at";
    }

    #[test]
    fn what_is_not_set_keeps_its_default() {
        let mut options = Options::of(&[("beta", 0.5)]);
        options.set("beta", 0.6);
        let params = Params::new(&options);
        assert_eq!((params.beta, params.filter), (0.6, 1.0));
        assert_eq!(Params::ALL[1].choices, ["paper", "linux"]);
        assert!(Params::ALL[0].choices.is_empty());
        assert_eq!([Params::ALL[0].unit, Params::ALL[2].unit], [Unit::Number, Unit::Seconds]);
        assert_eq!(options.names().collect::<Vec<_>>(), ["beta"]);
    }
}
