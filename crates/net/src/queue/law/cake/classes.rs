//! DiffServ: the tins among which packets are divided by their codepoints, and the share of each (tc-cake, priority queues).

/// The choices of `tins`.
pub(super) const TINS: &[&str] =
    &["besteffort", "diffserv3", "diffserv4", "diffserv8", "precedence"];

/// How packets are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Classes {
    BestEffort,
    Three,
    Four,
    Eight,
    Precedence,
}

/// A tin's part of the whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Share {
    /// Of the bandwidth, up to which its packets go first.
    pub rate: f64,
    /// Bytes of its turn, relative to the others', where there is no shaper.
    pub weight: i64,
    /// True where its interval is as short as its target allows.
    pub is_quick: bool,
}

const fn share(rate: f64, weight: i64) -> Share {
    Share { rate, weight, is_quick: false }
}

/// Bulk, and what is spared for it: the lowest tin, best effort, may always send and would leave nothing to one below.
const BULK: usize = 1;

impl Classes {
    /// By its place in [`TINS`].
    pub fn at(place: f64) -> Classes {
        match place as usize {
            0 => Classes::BestEffort,
            1 => Classes::Three,
            2 => Classes::Four,
            3 => Classes::Eight,
            _ => Classes::Precedence,
        }
    }

    /// The tins, a higher one before a lower one.
    pub fn shares(self) -> Vec<Share> {
        match self {
            Classes::BestEffort => vec![share(1.0, 1 << 16)],
            Classes::Three => {
                let voice = Share { is_quick: true, ..share(1.0 / 4.0, 256) };
                vec![share(1.0, 1024), share(1.0 / 16.0, 64), voice]
            }
            Classes::Four => {
                let (video, voice) = (share(1.0 / 2.0, 512), share(1.0 / 4.0, 256));
                vec![share(1.0, 1024), share(1.0 / 16.0, 64), video, voice]
            }
            // Each has 7/8 of the one before.
            Classes::Eight | Classes::Precedence => {
                let next = |before: &Share| {
                    Some(share(before.rate * 7.0 / 8.0, (before.weight * 7 / 8).max(1)))
                };
                std::iter::successors(Some(share(1.0, 256)), next).take(8).collect()
            }
        }
    }

    /// The tin of a codepoint.
    pub fn tin(self, dscp: u8) -> usize {
        match (self, dscp) {
            (Classes::BestEffort, _) => 0,
            (Classes::Precedence, _) => usize::from(dscp >> 3) % 8,
            // LE (RFC 8622) and CS1.
            (Classes::Three | Classes::Four, 1 | 8) => BULK,
            // TOS4, VA (RFC 5865), EF, CS6, CS7.
            (Classes::Three, 4 | 44 | 46 | 48 | 56) => 2,
            (Classes::Three, _) => 0,
            (Classes::Four, 32 | 40 | 44 | 46 | 48 | 56) => 3,
            // TOS4, CS2 and AF2x, CS3 and AF3x, AF4x.
            (Classes::Four, 4 | 16 | 18 | 20 | 22 | 24 | 26 | 28 | 30 | 34 | 36 | 38) => 2,
            (Classes::Four, _) => 0,
            (Classes::Eight, _) => of_eight(dscp),
        }
    }
}

fn of_eight(dscp: u8) -> usize {
    match dscp {
        1 | 8 => 0,
        2 | 10 | 12 | 14 => 1,
        24 | 26 | 28 | 30 | 34 | 36 | 38 => 3,
        4 | 18 | 20 | 22 => 4,
        16 => 5,
        32 | 40 | 44 | 46 => 6,
        48 | 56 => 7,
        _ => 2,
    }
}
