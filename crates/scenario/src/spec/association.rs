//! Beacons, scanning, association.

use crate::settings::Set;
use crate::table::{prose, table};
use wifi::mlme::AssociationSettings;

table! {
    /// How stations find their access point. All cells with an access point form one network, and stations move
    /// between them.
    #[derive(Default)]
    pub struct AssociationSpec {
        /// The numbers of the channels that a station scans, in this order, such as [1, 6, 11].
        channels: Vec<u32> = held prose("those of the cells, in the order of the file");
        /// The rest.
        settings settings: Set<AssociationSettings>;
    }
}
