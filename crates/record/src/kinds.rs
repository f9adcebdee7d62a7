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

/// A set of kinds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kinds(u32);

impl Kinds {
    /// These kinds.
    pub const fn of(kinds: &[Kind]) -> Kinds {
        let (mut set, mut at) = (0, 0);
        while at < kinds.len() {
            set |= 1 << kinds[at] as u32;
            at += 1;
        }
        Kinds(set)
    }

    /// Returns whether a kind is one of them.
    #[inline]
    pub const fn has(self, kind: Kind) -> bool {
        self.0 >> kind as u32 & 1 == 1
    }
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

    /// Returns whether anybody looks at a kind.
    #[inline]
    pub fn any(&self, kind: Kind) -> bool {
        self.0[kind as usize] != 0
    }

    /// Tells the numbers of those who look at a kind. A plain loop: it is gone through for each note.
    #[inline]
    pub fn each(&self, kind: Kind, mut tell: impl FnMut(usize)) {
        let mut left = self.0[kind as usize];
        while left != 0 {
            tell(left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_are_found_by_what_they_look_at() {
        let looks: [&[Kind]; 3] = [&[Kind::Sent, Kind::Tcp], &[], &[Kind::Tcp]];
        let readers = Readers::new(looks.into_iter());
        let of = |kind| {
            let mut found = Vec::new();
            readers.each(kind, |number| found.push(number));
            assert_eq!(found.is_empty(), !readers.any(kind));
            found
        };
        assert_eq!((of(Kind::Tcp), of(Kind::Sent), of(Kind::Fresh)), (vec![0, 2], vec![0], vec![]));
    }

    #[test]
    fn a_set_has_its_kinds() {
        let set = Kinds::of(&[Kind::WireIn, Kind::Tcp]);
        let has = [Kind::WireIn, Kind::WireWaits, Kind::Tcp].map(|kind| set.has(kind));
        assert_eq!(has, [true, false, true]);
    }
}
