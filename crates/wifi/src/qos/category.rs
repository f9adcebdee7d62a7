//! Access categories and their parameters (802.11-2020, 10.23.2 and table 9-155).

use base::{FlowId, Maybe, Span, named, settings};

named! {
    /// Access category of EDCA, from low to high priority.
    pub enum Category, "access category" {
        Background = "background": "AC_BK: user priorities 1 and 2; DSCP CS1 and LE",
        BestEffort = "best_effort": "AC_BE: user priorities 0 and 3; all else",
        Video = "video": "AC_VI: user priorities 4 and 5; DSCP AF3x, AF4x, CS3, CS4, CS5",
        Voice = "voice": "AC_VO: user priorities 6 and 7; DSCP EF, VOICE-ADMIT, CS6, CS7",
    }
}

impl Category {
    /// The number of categories.
    pub const COUNT: usize = 4;

    /// Every one, from low to high priority.
    pub const EVERY: [Category; 4] =
        [Category::Background, Category::BestEffort, Category::Video, Category::Voice];

    /// By category: the place of the function of each, where all have one.
    pub const PLACES: [u8; Category::COUNT] = [0, 1, 2, 3];

    /// The category of packets with a differentiated services code point (RFC 8325 section 4.3, table 1).
    pub fn of_dscp(dscp: u8) -> Category {
        match dscp {
            // CS6 and CS7 (network control), EF, VOICE-ADMIT.
            44 | 46 | 48 | 56 => Category::Voice,
            // CS5, AF4x, CS4, AF3x, CS3.
            24 | 26 | 28 | 30 | 32 | 34 | 36 | 38 | 40 => Category::Video,
            // LE (RFC 8622) and CS1.
            1 | 8 => Category::Background,
            _ => Category::BestEffort,
        }
    }
}

/// What the contention of an access category needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessParameters {
    /// Slots of the inter-frame space behind SIFS.
    pub aifsn: u32,
    /// CWmin, slots.
    pub cw_min: u32,
    /// CWmax, slots.
    pub cw_max: u32,
    /// TXOP limit; zero: one PPDU and its answer.
    pub txop: Span,
    /// The largest A-MPDU, bytes; zero: none.
    pub ampdu: u32,
    /// The largest sum of the subframes of an A-MSDU, bytes; zero: none.
    pub amsdu: u32,
}

settings! {
    /// The parameters of an access category, as files give them.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct CategorySettings {
        /// The slots of the inter-frame space behind SIFS (AIFSN).
        aifsn: Option<u32> as Maybe<u32> = None => "3 for best effort, 7 for background, 2 for video and voice (802.11-2020, table 9-155)", "aifsn", Some(1)..=Some(15);
        /// The smallest contention window in slots.
        cw_min: Option<u32> as Maybe<u32> = None => "aCWmin for best effort and background, half of it for video, a quarter for voice", "cw_min", ..=Some(1023);
        /// The largest contention window in slots.
        cw_max: Option<u32> as Maybe<u32> = None => "aCWmax for best effort and background, aCWmin for video, half of that for voice", "cw_max", ..=Some(1023);
        /// How long a station may go on once it has won the medium. Zero: one PPDU and its answer.
        txop: Option<Span> as Maybe<Span> = None => "2.528 ms for best effort and background, 4.096 ms for video, 2.08 ms for voice (802.11-2020, table 9-155)", "txop", ..=Some(Span(8_160_000));
        /// The largest A-MPDU. Zero: none.
        ampdu: Option<u32> as Maybe<base::Bytes> = None => "65535 B with 802.11n, 1048575 B with 802.11ac, 6500631 B with 802.11ax; zero for voice", "ampdu";
        /// The largest sum of the subframes of an A-MSDU. Zero: none.
        amsdu: u32 as base::Bytes = 0, "amsdu", ..=11_454;
    }
}

impl AccessParameters {
    /// The settings that give them.
    pub fn settings(&self) -> CategorySettings {
        CategorySettings {
            aifsn: Some(self.aifsn),
            cw_min: Some(self.cw_min),
            cw_max: Some(self.cw_max),
            txop: Some(self.txop),
            ampdu: Some(self.ampdu),
            amsdu: self.amsdu,
        }
    }
}

/// By flow: the category of its packets in both directions.
#[derive(Clone, Debug, Default)]
pub struct Categories(Vec<Category>);

impl Categories {
    /// Those of flows in their order.
    pub fn new(by_flow: Vec<Category>) -> Categories {
        Categories(by_flow)
    }

    /// That of a flow.
    #[inline]
    pub fn of(&self, flow: FlowId) -> Category {
        self.0.get(flow.index()).copied().unwrap_or(Category::BestEffort)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 8325, figure 1.
    #[test]
    fn code_points_map_as_rfc_8325_says() {
        for (dscp, category) in [
            (0, Category::BestEffort),
            (8, Category::Background),
            (1, Category::Background),
            (10, Category::BestEffort),
            (18, Category::BestEffort),
            (16, Category::BestEffort),
            (24, Category::Video),
            (34, Category::Video),
            (40, Category::Video),
            (44, Category::Voice),
            (46, Category::Voice),
            (48, Category::Voice),
        ] {
            assert_eq!(Category::of_dscp(dscp), category, "{dscp}");
        }
        let priorities = Category::EVERY.map(|category| category as usize);
        assert_eq!(priorities, [0, 1, 2, 3], "functions are numbered by priority");
    }
}
