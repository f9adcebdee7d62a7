//! Access categories and aggregation of 802.11.

use crate::settings::Set;
use crate::table::table;
use wifi::qos::{Category, CategorySettings, QosSettings};

table! {
    /// Access categories (EDCA), aggregation and block acknowledgements of 802.11. 802.11n, 802.11ac and 802.11ax have
    /// them always; a cell of another standard gets access categories by this table, and nothing is aggregated there.
    #[derive(Default)]
    pub struct QosSpec {
        /// Aggregation and block acknowledgements.
        settings settings: Set<QosSettings>;
        /// AC_BK of every station.
        background: Set<CategorySettings>;
        /// AC_BE of every station.
        best_effort: Set<CategorySettings>;
        /// AC_VI of every station.
        video: Set<CategorySettings>;
        /// AC_VO of every station.
        voice: Set<CategorySettings>;
        /// What the access point has otherwise.
        access_point: EdcaSpec;
    }
}

table! {
    /// Parameters of the access categories of an access point. What is left out is what all stations have, or the
    /// standard's (802.11-2020, annex C, dot11QAPEDCATable: AIFSN 1 for video and voice, CWmax 63 for best effort).
    #[derive(Default)]
    pub struct EdcaSpec {
        /// AC_BK.
        background: Set<CategorySettings>;
        /// AC_BE.
        best_effort: Set<CategorySettings>;
        /// AC_VI.
        video: Set<CategorySettings>;
        /// AC_VO.
        voice: Set<CategorySettings>;
    }
}

impl QosSpec {
    /// Returns the settings of a category: those of all stations, then those of the access point.
    pub fn of(&self, category: Category) -> [Option<&Set<CategorySettings>>; 2] {
        let all = match category {
            Category::Background => &self.background,
            Category::BestEffort => &self.best_effort,
            Category::Video => &self.video,
            Category::Voice => &self.voice,
        };
        let own = self.access_point.as_ref().and_then(|at| match category {
            Category::Background => at.background.as_ref(),
            Category::BestEffort => at.best_effort.as_ref(),
            Category::Video => at.video.as_ref(),
            Category::Voice => at.voice.as_ref(),
        });
        [all.as_ref().map(|at| &at.value), own.map(|at| &at.value)]
    }
}
