//! Registries: closed lists of parts (laws, disciplines, channels, probes, measures), each a file and a row.

/// Declares a registry. A row is `Variant(module::Type) = "name": "idea",`; the module is declared beside the registry, so that
/// tools which read no macros find its file.
///
/// `pub enum NAMES, "what it is", pub WORK by ASK { rows }` declares the names ([`named!`](crate::named)), a closed enum of the
/// parts at work, so that a call needs no heap and no table of functions, and a macro that asks whichever part it is:
/// - `ASK!(each work, part => value)`: `value` with `part` bound to the part at work;
/// - `ASK!(in name, module => value)`: `value` with `module` as the module of the part of that name;
/// - `ASK!(of name, Type => value)`: `value` with `Type` as its type;
/// - `ASK!(make name, Type => value)`: the same, and `value` is the part at work;
/// - `ASK!(rows other)`: hands all rows to the macro `other`, as they are written.
///
/// `Variant(module::Type, boxed)` keeps a large part on the heap, so that the others stay small at work; `beside
/// Variant(Type)` adds a part that has no name.
#[macro_export]
macro_rules! registry {
    (
        $(#[$meta:meta])*
        $visible:vis enum $names:ident, $what:literal,
        $(#[$work_meta:meta])*
        $work_visible:vis $work:ident by $ask:ident $(beside $other:ident($outside:ty))? {
            $($(#[$attribute:meta])* $variant:ident($module:ident::$type:ident $(, $boxed:ident)?) = $name:literal: $idea:literal,)+
        }
    ) => {
        $crate::named! {
            $(#[$meta])*
            $visible enum $names, $what { $($(#[$attribute])* $variant = $name: $idea,)+ }
        }

        $(#[$work_meta])*
        #[derive(Debug)]
        $work_visible enum $work {
            $(#[doc = $idea] $variant($crate::held!($module::$type $(, $boxed)?)),)+
            $(#[doc = "From outside the registry."] $other($outside),)?
        }

        impl Clone for $work {
            fn clone(&self) -> Self {
                match self {
                    $($work::$variant(part) => $work::$variant(part.clone()),)+
                    $($work::$other(part) => $work::$other(<$outside>::clone(part)),)?
                }
            }

            // A part on the heap keeps its place there.
            fn clone_from(&mut self, from: &Self) {
                match (self, from) {
                    $(($work::$variant(part), $work::$variant(from)) => part.clone_from(from),)+
                    (work, from) => *work = from.clone(),
                }
            }
        }

        macro_rules! $ask {
            (each $part_at_work:expr, $part:ident => $value:expr) => {
                match $part_at_work {
                    $($work::$variant($part) => $value,)+
                    $($work::$other($part) => $value,)?
                }
            };
            (in $part_name:expr, $part:ident => $value:expr) => {
                match $part_name {
                    $($names::$variant => {
                        use $module as $part;
                        $value
                    })+
                }
            };
            (of $part_name:expr, $part:ident => $value:expr) => {
                match $part_name {
                    $($names::$variant => {
                        type $part = $module::$type;
                        $value
                    })+
                }
            };
            (make $part_name:expr, $part:ident => $value:expr) => {
                match $part_name {
                    $($names::$variant => {
                        type $part = $module::$type;
                        $work::$variant(($value).into())
                    })+
                }
            };
            (rows $then:ident) => {
                $then! { $($variant($module::$type) = $name: $idea,)+ }
            };
        }
    };
}

/// The storage of a part in a [`registry!`](crate::registry).
#[doc(hidden)]
#[macro_export]
macro_rules! held {
    ($type:ty) => { $type };
    ($type:ty, boxed) => { Box<$type> };
}

#[cfg(test)]
mod tests {
    use crate::Named;

    mod hare {
        #[derive(Clone, Debug, Default)]
        pub struct Hare(u32);

        impl Hare {
            pub fn step(&mut self) -> u32 {
                self.0 += 10;
                self.0
            }
        }

        pub const LEGS: u32 = 4;
    }

    mod man {
        #[derive(Clone, Debug, Default)]
        pub struct Man;

        impl Man {
            pub fn step(&mut self) -> u32 {
                1
            }
        }

        pub const LEGS: u32 = 2;
    }

    registry! {
        /// A walker.
        enum Name, "walker",
        /// A walker on its way.
        Walker by walkers beside Still(Stone) {
            Hare(hare::Hare, boxed) = "hare": "leaping",
            Man(man::Man) = "man": "a step at a time",
        }
    }

    /// It stays where it is.
    #[derive(Clone, Debug)]
    struct Stone;

    impl Stone {
        fn step(&mut self) -> u32 {
            0
        }
    }

    macro_rules! names_of {
        ($($variant:ident($($path:tt)*) = $name:literal: $idea:literal,)+) => { [$($name),+] };
    }

    #[test]
    fn a_registry_asks_whichever_part_it_is() {
        let step = |mut walker: Walker| walkers!(each &mut walker, one => one.step());
        let make = |name| walkers!(make name, Part => Part::default());
        let steps: Vec<u32> = Name::ALL.iter().map(|&name| step(make(name))).collect();
        assert_eq!((steps, step(Walker::Still(Stone))), (vec![10, 1], 0));
        let legs = |name: Name| walkers!(in name, part => part::LEGS);
        assert_eq!((legs(Name::Hare), legs(Name::Man)), (4, 2));
        let bytes = |name: Name| walkers!(of name, Part => size_of::<Part>());
        assert_eq!((bytes(Name::Hare), bytes(Name::Man)), (4, 0));
        assert_eq!(walkers!(rows names_of).to_vec(), Name::names());
    }
}
