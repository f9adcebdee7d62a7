//! Typed indices: components refer to each other by these, never by reference.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// As a position in a table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )+};
}

ids! {
    /// A host, router, station or access point.
    NodeId,
    /// A one-way wired link.
    LinkId,
    /// A conversation between two nodes: data forward, acknowledgements back.
    FlowId,
    /// A packet in the pool.
    PacketId,
    /// An 802.11 cell.
    CellId,
    /// A station's place in its cell.
    StationId,
}
