//! Kinds of settings: how the value of a field is written in a file, and back.

use super::given::{Form, Given, Refused};
use crate::{Bytes, Named, Rate, Span};
use std::borrow::Cow;

/// The form in which the values of a field of type `T` are given. Most types are their own kind; a number has
/// that of its unit.
pub trait Kind<T> {
    /// The form of a value.
    const FORM: Form;

    /// The value that is given.
    ///
    /// # Errors
    /// [`Refused::Form`] where it has another form, [`Refused::Says`] where the field does not take it.
    fn take(given: &Given) -> Result<T, Refused>;

    /// As it would be given.
    fn give(value: &T) -> Given;
}

/// The kind of a number of packets or segments.
#[derive(Clone, Copy, Debug)]
pub struct Count;

/// The kind of a window. Where it is given in segments, the reader multiplies by their size first.
#[derive(Clone, Copy, Debug)]
pub struct Window;

/// The kind of a length in metres.
#[derive(Clone, Copy, Debug)]
pub struct Metres;

/// The kind of a radio frequency in hertz.
#[derive(Clone, Copy, Debug)]
pub struct Hertz;

/// The kind of a power in watts.
#[derive(Clone, Copy, Debug)]
pub struct Watts;

/// The kind of a value that may be left out. What then holds, the setting's line says in words.
#[derive(Clone, Copy, Debug)]
pub struct Maybe<K>(K);

impl<T, K: Kind<T>> Kind<Option<T>> for Maybe<K> {
    const FORM: Form = K::FORM;

    fn take(given: &Given) -> Result<Option<T>, Refused> {
        K::take(given).map(Some)
    }

    fn give(value: &Option<T>) -> Given {
        value.as_ref().map_or(Given::Prose(""), K::give)
    }
}

/// Kinds whose values are given as they are: `TYPE as KIND: FORM(GIVEN)`.
macro_rules! plain {
    ($($type:ty as $kind:ty: $form:ident;)+) => {$(
        impl Kind<$type> for $kind {
            const FORM: Form = Form::$form;

            fn take(given: &Given) -> Result<$type, Refused> {
                match *given {
                    Given::$form(value) => value.try_into().map_err(|_| Refused::Form),
                    _ => Err(Refused::Form),
                }
            }

            fn give(value: &$type) -> Given {
                Given::$form((*value).into())
            }
        }
    )+};
}
plain! {
    bool as bool: Flag;
    u8 as u8: Whole;
    u32 as u32: Whole;
    f64 as f64: Number;
    Span as Span: Span;
    Rate as Rate: Rate;
    u32 as Bytes: Bytes;
    u64 as Bytes: Bytes;
    u32 as Count: Count;
    f64 as Metres: Length;
    f64 as Hertz: Frequency;
    f64 as Watts: Power;
}

impl Kind<u64> for Window {
    const FORM: Form = Form::Window;

    fn take(given: &Given) -> Result<u64, Refused> {
        <Bytes as Kind<u64>>::take(given)
    }

    fn give(value: &u64) -> Given {
        Given::Bytes(*value)
    }
}

impl<T: Named> Kind<T> for T {
    const FORM: Form = Form::Name { list: T::TYPE, what: T::WHAT, rows: T::ROWS };

    fn take(given: &Given) -> Result<T, Refused> {
        match given {
            Given::Word(word) => T::by_name(word).ok_or(Refused::Form),
            _ => Err(Refused::Form),
        }
    }

    fn give(value: &T) -> Given {
        Given::Word(Cow::Borrowed(value.name()))
    }
}
