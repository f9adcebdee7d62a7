//! The meaning of duplicate acknowledgements.

/// The origin of a segment that a mobile gets for the second time, and answers with a duplicate that
/// indicates no loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Echo {
    /// The base station's.
    OfCopy,
    /// The sender's.
    OfSender,
}

/// The duplicates of the present acknowledgement, and those that are to come.
#[derive(Clone, Copy, Debug, Default)]
pub struct Duplicates {
    /// That tell of a loss.
    count: u64,
    /// Segments that were on their way to the mobile before the missing one was sent: this many more
    /// duplicates say nothing new. `None`: it was not sent yet.
    expected: Option<u64>,
    /// By [`Echo`]: how many may come, and once what is acknowledged they will no more.
    echoes: [(u32, u64); 2],
}

impl Duplicates {
    /// A new acknowledgement has come.
    pub fn begin(&mut self, ack: u64) {
        (self.count, self.expected) = (0, None);
        for (waiting, until) in &mut self.echoes {
            // The air keeps the order: what went out before what is now acknowledged has been answered.
            if ack > *until {
                *waiting = 0;
            }
        }
    }

    /// A segment went to the mobile, which may have it; nothing beyond `seen` went before.
    pub fn await_echo(&mut self, echo: Echo, seen: u64) {
        let (waiting, until) = &mut self.echoes[echo as usize];
        (*waiting, *until) = (*waiting + 1, seen);
    }

    /// Returns the repeat that a duplicate answers, where answers are pending; the base station's first. One
    /// that is `sure`ly the answer to a repeat answers the sender's where none is known.
    pub fn take_echo(&mut self, sure: bool) -> Option<Echo> {
        for echo in [Echo::OfCopy, Echo::OfSender] {
            let (waiting, _) = &mut self.echoes[echo as usize];
            if *waiting > 0 {
                *waiting -= 1;
                return Some(echo);
            }
        }
        sure.then_some(Echo::OfSender)
    }

    /// A duplicate that tells of a loss; true where what is lost is to be sent, for the first time or once more: each answers
    /// one segment, and more than those that went before the repair answer something that went after it.
    pub fn tells_of_loss(&mut self, dup_thresh: u32) -> bool {
        self.count += 1;
        match &mut self.expected {
            None => self.count >= u64::from(dup_thresh),
            Some(0) => true,
            Some(expected) => {
                *expected -= 1;
                false
            }
        }
    }

    /// The segment that the mobile waits for is sent; `beyond` more are on their way, or have been answered.
    pub fn on_repair(&mut self, beyond: usize) {
        self.expected = Some((beyond as u64).saturating_sub(self.count));
    }
}
