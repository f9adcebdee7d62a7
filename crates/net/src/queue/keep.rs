//! The interface of disciplines that keep packets in several lines.

use super::waiting::{Arrival, Fate, Waiting};
use crate::DropReason;
use base::Time;

/// Packets that a discipline keeps in several lines.
pub(crate) trait Keep<T> {
    /// A packet comes; false where it is not taken. `is_full`: the limit has no room for it; `gone` hears of those that go in
    /// its place, and why.
    fn push(
        &mut self,
        now: Time,
        arrival: &Arrival<'_>,
        waiting: Waiting<T>,
        is_full: bool,
        gone: impl FnMut(Waiting<T>, DropReason),
    ) -> bool;

    /// The packet whose turn it is; `fate` hears of drops and marks.
    fn pop(&mut self, now: Time, fate: impl FnMut(Waiting<T>, Fate)) -> Option<Waiting<T>>;

    /// Packets and bytes of all lines.
    fn backlog(&self) -> (u32, u64);

    /// Calls `each` for every packet, line by line.
    fn each(&self, each: impl FnMut(&Waiting<T>));

    /// Calls `each` for every packet, line by line.
    fn each_mut(&mut self, each: impl FnMut(&mut Waiting<T>));

    /// Takes out those that `goes` names.
    fn take_out(&mut self, now: Time, goes: impl FnMut(&Waiting<T>) -> bool);
}
