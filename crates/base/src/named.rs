//! Closed lists of names: what files may say, what a user is shown and what the code has are one list.

/// A value of a closed list, which files and users call by a name.
pub trait Named: Copy + PartialEq + 'static {
    /// The list's name in Rust.
    const TYPE: &'static str;
    /// The kind of value, for messages: "access rule".
    const WHAT: &'static str;
    /// Every value, in the order of the list.
    const ALL: &'static [Self];
    /// The name and the idea of each, in the same order.
    const ROWS: &'static [(&'static str, &'static str)];

    /// Its name.
    fn name(self) -> &'static str;

    /// Its idea in a line.
    fn idea(self) -> &'static str;

    /// The value of that name.
    fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.name() == name)
    }

    /// All names.
    fn names() -> Vec<&'static str> {
        Self::ALL.iter().map(|value| value.name()).collect()
    }
}

/// Declares enums that are [`Named`]: `/// Docs` `pub enum Type, "what it is" { Variant = "name": "idea", ... }`. The idea is
/// the variant's documentation too; comments above a variant follow it.
#[macro_export]
macro_rules! named {
    ($(
        $(#[$meta:meta])*
        $visible:vis enum $type:ident, $what:literal {
            $($(#[$attribute:meta])* $variant:ident = $name:literal: $idea:literal,)+
        }
    )+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $visible enum $type {
            $(#[doc = $idea] $(#[$attribute])* $variant,)+
        }

        impl $crate::Named for $type {
            const TYPE: &'static str = stringify!($type);
            const WHAT: &'static str = $what;
            const ALL: &'static [$type] = &[$($type::$variant),+];
            const ROWS: &'static [(&'static str, &'static str)] = &[$(($name, $idea)),+];

            fn name(self) -> &'static str {
                Self::ROWS[self as usize].0
            }

            fn idea(self) -> &'static str {
                Self::ROWS[self as usize].1
            }
        }
    )+};
}

#[cfg(test)]
mod tests {
    use super::Named;

    named! {
        /// The way of walking.
        enum Gait, "gait" {
            Slow = "slow": "a step at a time",
            /// As hares do.
            Fast = "fast!": "leaping",
        }
    }

    #[test]
    fn every_value_is_found_by_its_name() {
        assert_eq!(Gait::names(), ["slow", "fast!"]);
        for &gait in Gait::ALL {
            assert_eq!(Gait::by_name(gait.name()), Some(gait));
        }
        assert_eq!((Gait::by_name("Fast"), Gait::Fast.idea()), (None, "leaping"));
        assert_eq!((Gait::TYPE, Gait::WHAT), ("Gait", "gait"));
    }
}
