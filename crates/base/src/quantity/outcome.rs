//! What a field of an outcome may hold, and the declaration of an outcome by its fields.

use super::{Place, Quantities};
use std::collections::BTreeMap;

/// A value that a field of an outcome may hold.
pub trait Outcome {
    /// Adds the quantities in it.
    fn list(at: &Place, found: &mut Quantities);
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
        T::list(&Place { optional: at.optional || at.flat, ..at.clone() }, found);
    }
}

/// Rows of a kind of objects, which the field's words name; without words a list of what happened.
impl<T: Outcome> Outcome for Vec<T> {
    fn list(at: &Place, found: &mut Quantities) {
        if let Some(kind) = &at.words {
            found.kinds.push((kind.clone(), at.path.clone()));
            T::list(&Place { of: kind.clone(), ..Place::default() }, found);
        }
    }
}

/// A row within a row of the same kind.
impl<T> Outcome for Box<T> {
    fn list(at: &Place, found: &mut Quantities) {
        found.within.push((at.path.clone(), at.of.clone()));
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
