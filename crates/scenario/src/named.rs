//! Closed lists of names: what the format accepts, what `lasthop list` shows and what the schema says are one list.

/// Makes an enum whose variants have a name in scenarios and an idea in a line.
macro_rules! named {
    ($(
        $(#[$meta:meta])*
        $name:ident, $what:literal { $($(#[$attribute:meta])* $variant:ident = $text:literal: $idea:literal,)+ }
    )+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $(#[doc = $idea] $(#[$attribute])* $variant,)+
        }

        impl $name {
            /// Every name with its idea in a line.
            pub const NAMES: &'static [(&'static str, &'static str)] = &[$(($text, $idea)),+];

            /// Its name.
            pub fn name(self) -> &'static str {
                $name::NAMES[self as usize].0
            }
        }

        impl $crate::value::Value for $name {
            const ALLOWED: &'static str = concat!("the name of ", $what, ", in quotes");
            type Table = $crate::value::NoTable;

            fn allowed() -> String {
                $crate::named::allowed($what, &[$($text),+])
            }

            fn from_text(text: &str) -> Result<Self, String> {
                match text {
                    $($text => Ok($name::$variant),)+
                    _ => Err($crate::nearest::unknown($what, text, &[$($text),+])),
                }
            }
            fn schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $crate::named::schema_of_names($name::NAMES)
            }
        }
        $crate::value::values!($name);
    )+};
}
pub(crate) use named;

/// "The name of a WHAT, in quotes: THIS, THAT".
pub fn allowed(what: &str, names: &[&str]) -> String {
    let article = if what.starts_with(['a', 'e', 'i', 'o', 'u', 'E', 'F']) { "an" } else { "a" };
    format!("the name of {article} {what}, in quotes: {}", crate::nearest::listed(names))
}

/// "One of these names", each with its description.
pub fn schema_of_names(names: &[(&str, &str)]) -> schemars::Schema {
    let rows: Vec<_> = names
        .iter()
        .map(|(name, idea)| serde_json::json!({ "const": name, "description": idea }))
        .collect();
    schemars::json_schema!({ "oneOf": rows })
}
