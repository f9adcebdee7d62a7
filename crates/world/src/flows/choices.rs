//! The choices of a flow's connections, where their endpoints pick their variant.

use transport::tcp::auto::Choice;

/// The most choices that are listed of a flow; all are counted.
const MOST_LISTED: usize = 1000;

/// The choices of a flow, those of the end that its data come from.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChoiceLog {
    /// Each that is not as the one before.
    pub listed: Vec<Choice>,
    /// By alternative: how often it was picked.
    pub counts: Vec<u64>,
}

impl ChoiceLog {
    /// Enters one.
    pub fn push(&mut self, choice: Choice) {
        if self.counts.len() <= choice.alternative {
            self.counts.resize(choice.alternative + 1, 0);
        }
        self.counts[choice.alternative] += 1;
        let same =
            |last: &Choice| (last.alternative, last.rule) == (choice.alternative, choice.rule);
        if self.listed.len() < MOST_LISTED && !self.listed.last().is_some_and(same) {
            self.listed.push(choice);
        }
    }
}
