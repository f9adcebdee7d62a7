//! Settings: a key, its kind, bounds, documentation and default are one line in the struct that obeys it.

mod given;
mod kinds;

pub use given::{Bounds, Form, Given, Refused};
pub use kinds::{Count, Hertz, Kind, Maybe, Metres, Watts, Window};

/// A key that a file may give.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The key.
    pub key: &'static str,
    /// The form of its value.
    pub form: Form,
    /// Its bounds.
    pub bounds: Bounds,
    /// The documentation, with line breaks as they are in the source.
    pub doc: &'static str,
    /// The default.
    pub default: Given,
}

/// A struct that [`settings!`](crate::settings!) declares.
pub trait Settings: Clone + std::fmt::Debug + Default {
    /// Its keys, in the order of the struct, those of nested structs last.
    fn rows() -> Vec<Row>;

    /// Returns the same keys with how their values may be written: what a program needs that prints no documentation.
    fn forms() -> Vec<(&'static str, Form)>;

    /// Sets the field of a key.
    ///
    /// # Errors
    /// [`Refused`] where there is no such key, or its field does not take the value; nothing is then changed.
    fn set(&mut self, key: &str, given: &Given) -> Result<(), Refused>;

    /// Returns each key with the value of its field, in the order of [`rows`](Settings::rows).
    fn given(&self) -> Vec<(&'static str, Given)>;
}

/// Declares a struct of settings with its `Default` and its [`Settings`]. A field is one of
///
/// - `/// Documentation.` `FIELD: TYPE = DEFAULT, "KEY";`, with bounds as `"KEY", LEAST..=MOST;`
/// - `FIELD: TYPE as KIND = DEFAULT, "KEY";` where the type alone does not say how a file writes it ([`Kind`]);
/// - the same with `= DEFAULT => "WORDS"`, which stand for the default where it is no value of a file;
/// - `internal FIELD: TYPE = DEFAULT;`, which no file can set;
/// - `nested FIELD: TYPE;`, a struct of settings too, whose keys are keys of this one.
#[macro_export]
macro_rules! settings {
    ($(#[$meta:meta])* pub struct $name:ident { $($fields:tt)* }) => {
        $crate::settings_fields! { [$(#[$meta])*] $name {} {} {} $($fields)* }
    };
}

/// Sorts the fields of [`settings!`](crate::settings!), then writes the struct.
#[doc(hidden)]
#[macro_export]
macro_rules! settings_fields {
    ([$($meta:tt)*] $name:ident {$($own:tt)*} {$($internal:tt)*} {$($nested:tt)*}
        $(#[$doc:meta])* internal $field:ident: $type:ty = $default:expr; $($rest:tt)*
    ) => {
        $crate::settings_fields! { [$($meta)*] $name {$($own)*}
            {$($internal)* { [$(#[$doc])*] $field [$type] [$default] }} {$($nested)*} $($rest)* }
    };
    ([$($meta:tt)*] $name:ident {$($own:tt)*} {$($internal:tt)*} {$($nested:tt)*}
        $(#[$doc:meta])* nested $field:ident: $type:ty; $($rest:tt)*
    ) => {
        $crate::settings_fields! { [$($meta)*] $name {$($own)*} {$($internal)*}
            {$($nested)* { [$(#[$doc])*] $field [$type] }} $($rest)* }
    };
    ([$($meta:tt)*] $name:ident {$($own:tt)*} {$($internal:tt)*} {$($nested:tt)*}
        $(#[doc = $doc:literal])* $field:ident: $type:ty as $kind:ty = $default:expr $(=> $words:literal)?, $key:literal $(, $range:expr)?;
        $($rest:tt)*
    ) => {
        $crate::settings_fields! { [$($meta)*] $name
            {$($own)* { [$($doc)*] $field [$type] [$kind] [$default] [$($words)?] $key [$($range)?] }}
            {$($internal)*} {$($nested)*} $($rest)* }
    };
    ([$($meta:tt)*] $name:ident {$($own:tt)*} {$($internal:tt)*} {$($nested:tt)*}
        $(#[doc = $doc:literal])* $field:ident: $type:ty = $default:expr $(=> $words:literal)?, $key:literal $(, $range:expr)?; $($rest:tt)*
    ) => {
        $crate::settings_fields! { [$($meta)*] $name
            {$($own)* { [$($doc)*] $field [$type] [$type] [$default] [$($words)?] $key [$($range)?] }}
            {$($internal)*} {$($nested)*} $($rest)* }
    };
    ([$($meta:tt)*] $name:ident
        {$({ [$($doc:literal)*] $field:ident [$type:ty] [$kind:ty] [$default:expr] [$($words:literal)?] $key:literal [$($range:expr)?] })*}
        {$({ [$($internal_doc:tt)*] $internal:ident [$internal_type:ty] [$internal_default:expr] })*}
        {$({ [$($nested_doc:tt)*] $nested:ident [$nested_type:ty] })*}
    ) => {
        $($meta)*
        pub struct $name {
            $($(#[doc = $doc])* pub $field: $type,)*
            $($($internal_doc)* pub $internal: $internal_type,)*
            $($($nested_doc)* pub $nested: $nested_type,)*
        }

        impl Default for $name {
            fn default() -> $name {
                $name {
                    $($field: $default,)*
                    $($internal: $internal_default,)*
                    $($nested: <$nested_type>::default(),)*
                }
            }
        }

        impl $crate::Settings for $name {
            fn rows() -> Vec<$crate::Row> {
                let own = [$($crate::Row {
                    key: $key,
                    form: <$kind as $crate::Kind<$type>>::FORM,
                    bounds: {
                        let bounds = $crate::Bounds::default();
                        $(let _ = bounds;
                        let bounds =
                            $crate::Bounds::of::<$type>(&($range), <$kind as $crate::Kind<$type>>::give);)?
                        bounds
                    },
                    doc: concat!($($doc, "\n"),*),
                    default: {
                        let default = <$kind as $crate::Kind<$type>>::give(&$default);
                        $(let _ = default;
                        let default = $crate::Given::Prose($words);)?
                        default
                    },
                },)*];
                let nested: Vec<Vec<$crate::Row>> =
                    vec![$(<$nested_type as $crate::Settings>::rows()),*];
                own.into_iter().chain(nested.into_iter().flatten()).collect()
            }

            fn forms() -> Vec<(&'static str, $crate::Form)> {
                let own = [$(($key, <$kind as $crate::Kind<$type>>::FORM),)*];
                let nested: Vec<Vec<(&'static str, $crate::Form)>> =
                    vec![$(<$nested_type as $crate::Settings>::forms()),*];
                own.into_iter().chain(nested.into_iter().flatten()).collect()
            }

            fn set(&mut self, key: &str, given: &$crate::Given) -> Result<(), $crate::Refused> {
                $(if key == $key {
                    let value = <$kind as $crate::Kind<$type>>::take(given);
                    $(let value = value.map_err(|refused| match refused {
                        $crate::Refused::Form => {
                            let give = <$kind as $crate::Kind<$type>>::give;
                            $crate::Refused::Bounds($crate::Bounds::of::<$type>(&($range), give))
                        }
                        other => other,
                    });)?
                    let value = value?;
                    $(if !::std::ops::RangeBounds::contains(&($range), &value) {
                        let give = <$kind as $crate::Kind<$type>>::give;
                        let bounds = $crate::Bounds::of::<$type>(&($range), give);
                        return Err($crate::Refused::Bounds(bounds));
                    })?
                    self.$field = value;
                    return Ok(());
                })*
                $(match $crate::Settings::set(&mut self.$nested, key, given) {
                    Err($crate::Refused::Unknown) => {}
                    done => return done,
                })*
                Err($crate::Refused::Unknown)
            }

            fn given(&self) -> Vec<(&'static str, $crate::Given)> {
                let own = [$(($key, <$kind as $crate::Kind<$type>>::give(&self.$field)),)*];
                let nested: Vec<Vec<(&'static str, $crate::Given)>> =
                    vec![$($crate::Settings::given(&self.$nested)),*];
                own.into_iter().chain(nested.into_iter().flatten()).collect()
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bytes, Span};

    crate::settings! {
        /// A clock.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Clock {
            /// The time from tick to tick.
            tick: Span = Span::millis(10), "clock_tick", Span(1)..;
        }
    }

    crate::settings! {
        /// A sender.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Sender {
            /// The payload of a packet
            /// (RFC 9293, section 3.7.1).
            payload: u32 as Bytes = 1460, "payload", 1..=9000;
            /// True where it is on.
            on: bool = true, "on";
            /// A value that no file sets.
            internal number: Option<u32> = None;
            /// Its clock.
            nested clock: Clock;
        }
    }

    #[test]
    fn a_line_is_a_field_a_default_and_a_row() {
        let rows = Sender::rows();
        assert_eq!(
            rows.iter().map(|row| row.key).collect::<Vec<_>>(),
            ["payload", "on", "clock_tick"]
        );
        assert_eq!((rows[0].form, &rows[0].default), (Form::Bytes, &Given::Bytes(1460)));
        assert_eq!(rows[0].doc, " The payload of a packet\n (RFC 9293, section 3.7.1).\n");
        assert_eq!(rows[2].bounds, Bounds { least: Some(Given::Span(Span(1))), most: None });
        assert_eq!((Sender::default().payload, Sender::default().number), (1460, None));
    }

    #[test]
    fn what_is_given_is_taken_or_refused_and_then_changes_nothing() {
        let mut sender = Sender::default();
        assert_eq!(sender.set("clock_tick", &Given::Span(Span::secs(1))), Ok(()));
        assert_eq!(sender.set("payload", &Given::Bytes(9000)), Ok(()));
        let set = sender.clone();
        assert_eq!((set.clock.tick, set.payload), (Span::secs(1), 9000));
        let bounds = Bounds { least: Some(Given::Bytes(1)), most: Some(Given::Bytes(9000)) };
        assert_eq!(sender.set("payload", &Given::Bytes(9001)), Err(Refused::Bounds(bounds)));
        assert_eq!(sender.set("on", &Given::Whole(1)), Err(Refused::Form));
        assert_eq!(sender.set("off", &Given::Flag(true)), Err(Refused::Unknown));
        assert_eq!(sender, set);
        let given = sender.given();
        assert_eq!(given[0], ("payload", Given::Bytes(9000)));
        assert_eq!(given[2], ("clock_tick", Given::Span(Span::secs(1))));
    }
}
