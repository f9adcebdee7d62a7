//! A law's parameters: names, defaults and meanings, and the values that a scenario sets.
//!
//! All values are numbers, so that one small list serves every law: `[tcp.law_options] beta = 0.7`. A parameter
//! with choices takes the place of the choice in its list; a switch is 0 or 1.

/// A parameter of a law, as lists and error messages show it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// The name in scenarios.
    pub name: &'static str,
    /// Its value where nothing is said.
    pub default: f64,
    /// The names of 0, 1, 2, ... where it is a choice; empty: a number.
    pub choices: &'static [&'static str],
    /// What it does, its unit, and why the default is so.
    pub meaning: &'static str,
}

/// The choices of a switch.
pub const SWITCH: &[&str] = &["off", "on"];

/// Values that differ from the defaults, by name. Plain data: who reads a scenario checks the names against
/// [`LawName::parameters`](super::LawName::parameters); a law looks up its own and ignores the rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LawOptions(Vec<(String, f64)>);

impl LawOptions {
    /// The values of a list.
    pub fn of(values: &[(&str, f64)]) -> LawOptions {
        LawOptions(values.iter().map(|&(name, value)| (name.to_owned(), value)).collect())
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

/// Makes a law's `Params`: a struct of numbers with defaults, filled from [`LawOptions`], and the list of what
/// they mean.
macro_rules! parameters {
    ($($name:ident = $default:expr $(, of $choices:expr)?, $meaning:literal;)*) => {
        /// The law's parameters.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Params {
            $(#[doc = $meaning] pub $name: f64,)*
        }

        impl Params {
            /// What each means.
            pub const ALL: &'static [$crate::tcp::law::Parameter] = &[
                $($crate::tcp::law::Parameter {
                    name: stringify!($name),
                    default: $default,
                    choices: {
                        let choices: &[&str] = &[];
                        $(let _ = choices; let choices: &[&str] = $choices;)?
                        choices
                    },
                    meaning: $meaning,
                },)*
            ];

            /// The defaults, where `options` says nothing else.
            pub fn new(options: &$crate::tcp::law::LawOptions) -> Params {
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
pub(super) use parameters;

#[cfg(test)]
mod tests {
    use super::*;

    parameters! {
        beta = 0.7, "what a loss leaves of the window";
        filter = 1.0, of &["paper", "linux"], "whose filter";
    }

    #[test]
    fn what_is_not_set_keeps_its_default() {
        let mut options = LawOptions::of(&[("beta", 0.5)]);
        options.set("beta", 0.6);
        let params = Params::new(&options);
        assert_eq!((params.beta, params.filter), (0.6, 1.0));
        assert_eq!(Params::ALL[1].choices, ["paper", "linux"]);
        assert!(Params::ALL[0].choices.is_empty());
        assert_eq!(options.names().collect::<Vec<_>>(), ["beta"]);
    }
}
