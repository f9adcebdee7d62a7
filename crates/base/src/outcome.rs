//! What a field of an outcome may hold, and the declaration of an outcome by its fields.

use crate::quantity::{Place, Quantities};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Deref;

/// A value that a field of an outcome may hold.
pub trait Outcome {
    /// Adds the quantities in it.
    fn list(at: &Place, found: &mut Quantities);
}

impl Quantities {
    /// Those of an outcome.
    ///
    /// # Panics
    /// If a number has no words.
    pub fn of<T: Outcome>() -> Quantities {
        let mut found = Quantities::default();
        T::list(&Place::default(), &mut found);
        found
    }
}

macro_rules! held {
    ($($type:ty),+: $list:expr) => {
        $(impl Outcome for $type {
            fn list(at: &Place, found: &mut Quantities) {
                let list: fn(&mut Quantities, &Place) = $list;
                list(found, at);
            }
        })+
    };
}

held!(f64, u64, u32: Quantities::number);
held!((), String, &'static str: |_, _| ());

impl<T: Outcome> Outcome for Option<T> {
    fn list(at: &Place, found: &mut Quantities) {
        T::list(&at.optional(), found);
    }
}

/// Rows of a kind of objects, which the field's words name; without words a list of what happened.
impl<T: Outcome> Outcome for Vec<T> {
    fn list(at: &Place, found: &mut Quantities) {
        if let Some(row) = found.rows(at) {
            T::list(&row, found);
        }
    }
}

/// What few objects have takes no room in the others.
impl<T: Outcome> Outcome for Box<T> {
    fn list(at: &Place, found: &mut Quantities) {
        T::list(at, found);
    }
}

/// A row within a row of the same kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Within<T>(Box<T>);

impl<T> Within<T> {
    /// Puts a row into another.
    pub fn new(row: T) -> Within<T> {
        Within(Box::new(row))
    }
}

impl<T> Deref for Within<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Outcome for Within<T> {
    fn list(at: &Place, found: &mut Quantities) {
        found.row_within(at);
    }
}

impl<K, V> Outcome for BTreeMap<K, V> {
    fn list(at: &Place, found: &mut Quantities) {
        found.add(at).by_name = true;
    }
}

/// Declares a part of an [`Outcome`]: a struct whose fields are documented and may have the attributes of serde, and after
/// `=` what people call the quantity; its unit where the end of the field's name does not say it; `of` its least and largest
/// value where the unit does not say them; and behind a comma what the numbers of several objects add up to (`sum`, `max`,
/// `by` a weight, one field `over` another, `alone`):
/// `packets_sent: u64 = "packets sent" in "packets", sum;`
/// A number without words is a part of the quantity around it.
#[macro_export]
macro_rules! outcome {
    ($(
        $(#[$meta:meta])*
        pub struct $type:ident $(<$param:ident $(= $default:ty)?>)? {
            $($(#[$($about:tt)*])* $name:ident: $held:ty $(
                = $words:literal $(in $unit:literal)? $(of $ends:expr)?
            )? $(, $($together:ident)+)?;)+
        }
    )+) => {$(
        $(#[$meta])*
        pub struct $type $(<$param $(= $default)?>)? {
            $($(#[$($about)*])* pub $name: $held,)+
        }

        impl $(<$param: $crate::Outcome>)? $crate::Outcome for $type $(<$param>)? {
            fn list(at: &$crate::Place, found: &mut $crate::Quantities) {
                $($crate::listed!(
                    at, found, $held, $name,
                    {
                        words: $crate::stated!($($words)?),
                        unit: $crate::stated!($($($unit)?)?),
                        ends: $crate::stated!($($($ends)?)?),
                        together: $crate::together!($($($together)+)?),
                    }
                    $([$($about)*])*
                );)+
            }
        }
    )+};
}

/// A value that may be left out.
#[doc(hidden)]
#[macro_export]
macro_rules! stated {
    () => {
        None
    };
    ($value:expr) => {
        Some($value)
    };
}

/// The combination of several objects' numbers.
#[doc(hidden)]
#[macro_export]
macro_rules! together {
    () => {
        None
    };
    (alone) => {
        Some($crate::Together::Alone)
    };
    (sum) => {
        Some($crate::Together::Sum)
    };
    (max) => {
        Some($crate::Together::Max)
    };
    (by $weight:ident) => {
        Some($crate::Together::By(stringify!($weight)))
    };
    ($above:ident over $below:ident) => {
        Some($crate::Together::Over(stringify!($above), stringify!($below)))
    };
}

/// Lists a field, of which serde's attributes say whether it has a key of its own, and always.
#[doc(hidden)]
#[macro_export]
macro_rules! listed {
    ($at:ident, $found:ident, $held:ty, $name:ident, $stated:tt [serde(flatten)] $($rest:tt)*) => {
        <$held as $crate::Outcome>::list(&$at.flat(), $found);
    };
    ($at:ident, $found:ident, $held:ty, $name:ident, { $($stated:tt)* }
     [serde(skip_serializing_if = $never:literal)] $($rest:tt)*) => {
        $crate::listed!($at, $found, $held, $name, { $($stated)* optional: true, } $($rest)*);
    };
    ($at:ident, $found:ident, $held:ty, $name:ident, $stated:tt [$($other:tt)*] $($rest:tt)*) => {
        $crate::listed!($at, $found, $held, $name, $stated $($rest)*);
    };
    ($at:ident, $found:ident, $held:ty, $name:ident, { $($stated:tt)* }) => {
        #[allow(clippy::needless_update, reason = "most fields leave something out")]
        let stated = $crate::Stated { $($stated)* ..$crate::Stated::default() };
        <$held as $crate::Outcome>::list(&$at.field(stringify!($name), &stated), $found);
    };
}

#[cfg(test)]
mod tests {
    #![allow(dead_code, reason = "only what is declared of the fields is read")]

    use super::*;
    use crate::Together;
    use std::collections::BTreeMap;

    outcome! {
        /// A time.
        pub struct Spread {
            /// Mean.
            mean: f64;
            /// Largest.
            max: f64, max;
        }

        /// Pictures.
        pub struct Pictures {
            /// Those that came.
            arrived: u64 = "arrived {}", sum;
            /// Their durations.
            delay_s: Option<Spread> = "delay", by arrived;
        }

        /// A flow.
        pub struct Flow<M = ()> {
            /// Its name.
            name: String;
            /// Bits a second.
            rate_bps: f64 = "rate", sum;
            /// A grade.
            grade: f64 = "grade" in "1" of 1.0..=4.5;
            /// Its pictures.
            pictures: Option<Box<Pictures>> = "pictures";
            /// By reason.
            lost: BTreeMap<String, u64> = "lost" in "packets", sum;
            /// Others.
            others: M = "others";
            /// Its second leg.
            leg: Option<Within<Flow<M>>>;
        }

        /// A run.
        pub struct Run {
            /// Its flows.
            flows: Vec<Flow<()>> = "flow";
            /// Its index.
            index: Option<f64> = "index" in "1", rate_bps over index;
        }
    }

    #[test]
    fn an_outcome_lists_what_its_fields_state() {
        let Quantities { all, kinds, within } = Quantities::of::<Run>();
        let names: Vec<_> = all.iter().map(|q| (&*q.of, &*q.name, &*q.words, q.unit)).collect();
        assert_eq!(
            names,
            [
                ("flow", "rate_bps", "rate", "bit/s"),
                ("flow", "grade", "grade", "1"),
                ("flow", "pictures.arrived", "arrived pictures", ""),
                ("flow", "pictures.delay_s", "delay pictures", "s"),
                ("flow", "lost", "lost", "packets"),
                ("", "index", "index", "1"),
            ]
        );
        let parts =
            [("mean".to_owned(), Together::By("arrived")), ("max".to_owned(), Together::Max)];
        assert_eq!(all[3].parts, parts);
        assert_eq!([&all[1].ends, &all[5].ends], [&(1.0..=4.5), &(0.0..=1.0)]);
        assert_eq!((all[4].by_name, all[3].by_name), (true, false));
        assert_eq!(all[5].together.to_string(), "rate_bps over index");
        assert_eq!(kinds, [("flow".to_owned(), "flows".to_owned())]);
        assert_eq!(within, [("leg".to_owned(), "flow".to_owned())]);
    }

    #[test]
    #[should_panic(expected = "max has no words")]
    fn a_number_without_words_is_found() {
        outcome! {
            /// One number.
            pub struct Bare {
                /// Nobody knows what.
                max: f64;
            }
        }
        Quantities::of::<Bare>();
    }
}
