//! Documents of conventions, which are files of their own.

use crate::at::At;
use crate::settings::Set;
use crate::table::table;
use std::collections::BTreeMap;
use transport::tcp::TcpConfig;

table! {
    /// A document of conventions: tables of settings that hold where a scenario leaves them out.
    #[derive(Default)]
    pub struct OverlaySpec {
        /// What the document is for, or where it comes from.
        about: String;
        /// TCP's settings.
        tcp: Set<TcpConfig>;
        /// TCP's settings with one law alone, by its name. They count more than `tcp`.
        several law: BTreeMap<String, At<Set<TcpConfig>>>;
    }
}
