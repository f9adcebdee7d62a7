//! Documents of conventions, which are files of their own.

use super::{ArqSpec, EntrySpec, SignalSpec};
use crate::at::At;
use crate::settings::Set;
use crate::table::table;
use std::collections::BTreeMap;
use transport::tcp::TcpConfig;
use wimax::CellSettings;

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
        /// Settings of 802.16 cells.
        wimax: WimaxLayer;
    }
}

table! {
    /// Settings of 802.16 cells. What the tables in it say holds where a cell has such a table.
    pub struct WimaxLayer {
        /// Rules of the cell.
        settings settings: Set<CellSettings>;
        /// ARQ.
        arq: ArqSpec;
        /// Network entry.
        entry: EntrySpec;
        /// The signal.
        signal: SignalSpec;
    }
}
