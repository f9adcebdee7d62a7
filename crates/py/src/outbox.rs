//! Finished runs on their way from the threads that simulate to the one that reads them.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A bounded queue whose reader sleeps until several items wait: waking it for each would cost more than a short run.
pub struct Outbox<T> {
    state: Mutex<State<T>>,
    /// As many wait as the reader asked for, or no more will come.
    enough: Condvar,
    /// The reader has taken what waited.
    room: Condvar,
    most: usize,
}

struct State<T> {
    waiting: Vec<T>,
    /// The number of items that the reader sleeps for.
    wanted: usize,
    /// The number of items still to be put.
    left: usize,
    closed: bool,
}

impl<T> Outbox<T> {
    /// An outbox for `count` items, of which at most `most` wait at a time.
    pub fn new(count: usize, most: usize) -> Outbox<T> {
        let state = State { waiting: Vec::new(), wanted: 1, left: count, closed: false };
        Outbox { state: Mutex::new(state), enough: Condvar::new(), room: Condvar::new(), most }
    }

    /// Puts an item, and waits for room first; false where nobody reads any more.
    pub fn put(&self, item: T) -> bool {
        let full = |state: &mut State<T>| state.waiting.len() >= self.most && !state.closed;
        let waited = self.room.wait_while(self.lock(), full);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        if state.closed {
            return false;
        }
        state.waiting.push(item);
        state.left = state.left.saturating_sub(1);
        if state.waiting.len() >= state.wanted || state.left == 0 {
            self.enough.notify_one();
        }
        true
    }

    /// Takes all that waits, once that is `enough` (at most half of what may wait), or no more will come, or `timeout` is
    /// over.
    pub fn take(&self, enough: usize, timeout: Duration) -> Vec<T> {
        let mut state = self.lock();
        state.wanted = enough.min(self.most / 2).max(1);
        let short = |state: &mut State<T>| state.waiting.len() < state.wanted && state.left > 0;
        let waited = self.enough.wait_timeout_while(state, timeout, short);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let taken = std::mem::take(&mut state.waiting);
        self.room.notify_all();
        taken
    }

    /// Puts back what was taken, before all else.
    pub fn put_back(&self, mut taken: Vec<T>) {
        let mut state = self.lock();
        taken.append(&mut state.waiting);
        state.waiting = taken;
    }

    /// Ends every wait: nobody will read.
    pub fn close(&self) {
        self.lock().closed = true;
        self.room.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // Each change of the state is whole, so a panic elsewhere leaves nothing half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    const LONG: Duration = Duration::from_secs(600);

    #[test]
    fn the_reader_gets_all_in_order_and_bounded() {
        let outbox = Arc::new(Outbox::new(1000, 16));
        let writer = {
            let outbox = outbox.clone();
            std::thread::spawn(move || (0..1000).all(|item| outbox.put(item)))
        };
        let mut read = vec![];
        while read.len() < 1000 {
            let taken = outbox.take(8, LONG);
            assert!(taken.len() <= 16);
            assert!(taken.len() >= 8 || read.len() + taken.len() == 1000);
            read.extend(taken);
        }
        assert_eq!(read, (0..1000).collect::<Vec<_>>());
        assert!(writer.join().is_ok_and(|all| all));
    }

    #[test]
    fn a_timeout_returns_what_there_is() {
        let outbox = Outbox::<u32>::new(3, 16);
        assert!(outbox.put(1));
        assert_eq!(outbox.take(2, Duration::ZERO), vec![1_u32]);
        assert!(outbox.take(2, Duration::ZERO).is_empty());
    }

    #[test]
    fn what_was_put_back_comes_first() {
        let outbox = Outbox::<u32>::new(3, 16);
        assert!(outbox.put(1) && outbox.put(2));
        let taken = outbox.take(1, LONG);
        assert!(outbox.put(3));
        outbox.put_back(taken);
        assert_eq!(outbox.take(3, LONG), vec![1_u32, 2, 3]);
    }

    #[test]
    fn closing_lets_a_writer_go_that_waits_for_room() {
        let outbox = Arc::new(Outbox::new(10, 1));
        assert!(outbox.put(1));
        let writer = {
            let outbox = outbox.clone();
            std::thread::spawn(move || outbox.put(2))
        };
        outbox.close();
        assert!(writer.join().is_ok_and(|put| !put));
    }
}
