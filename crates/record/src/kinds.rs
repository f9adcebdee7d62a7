//! Kinds of notes: a run has millions, of which each probe looks at a few.

use world::Note;

macro_rules! kinds {
    ($($name:ident)+) => {
        /// The kind of a note.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Kind { $($name,)+ }

        impl Kind {
            /// The number of kinds.
            pub const COUNT: usize = [$(Kind::$name),+].len();

            /// The kind of a note.
            #[inline]
            pub fn of(note: &Note) -> Kind {
                match note { $(Note::$name { .. } => Kind::$name,)+ }
            }
        }
    };
}

kinds! {
    WireIn WireWaits FrameSent MsduSent MpduSent FrameHeard WireQueue Queue Frames Carried LanSent Clustered AirIn AirOut
    ExchangeEnded Associated Sent Delivered Fresh Dropped WindowCut Tcp
}

/// Those who look at notes, numbered, by the kinds of these.
#[derive(Clone, Copy, Debug, Default)]
pub struct Readers([u32; Kind::COUNT]);

impl Readers {
    /// Readers of these kinds each, by their numbers.
    pub fn new<'a>(each: impl Iterator<Item = &'a [Kind]>) -> Readers {
        let mut readers = Readers::default();
        for (number, kinds) in each.enumerate() {
            kinds.iter().for_each(|kind| readers.0[*kind as usize] |= 1 << number);
        }
        readers
    }

    /// The numbers of those who look at a kind.
    #[inline]
    pub fn of(&self, kind: Kind) -> impl Iterator<Item = usize> + use<> {
        let mut left = self.0[kind as usize];
        std::iter::from_fn(move || {
            let next = (left != 0).then(|| left.trailing_zeros() as usize);
            left &= left.wrapping_sub(1);
            next
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_are_found_by_what_they_look_at() {
        let looks: [&[Kind]; 3] = [&[Kind::Sent, Kind::Tcp], &[], &[Kind::Tcp]];
        let readers = Readers::new(looks.into_iter());
        let of = |kind| readers.of(kind).collect::<Vec<_>>();
        assert_eq!((of(Kind::Tcp), of(Kind::Sent), of(Kind::Fresh)), (vec![0, 2], vec![0], vec![]));
    }
}
