//! Rules: which variant for which path. The first that holds is obeyed.

use super::quantity::{Measured, Quantity};
use crate::tcp::TcpConfig;
use base::Span;

/// An ordered list of rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// The variants to choose from.
    pub alternatives: Vec<Alternative>,
    /// In the order in which they are asked.
    pub rules: Vec<Rule>,
    /// The place of the alternative where no rule holds, with which a connection opens too.
    pub default: usize,
    /// The age after which measurements are forgotten.
    pub forget_after: Span,
}

/// A variant that can be picked.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// Its name.
    pub name: String,
    /// The parameters of a connection that uses it.
    pub config: TcpConfig,
}

/// A rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// It holds where all of these do; of none, always.
    pub when: Vec<Condition>,
    /// The place of what it picks among the alternatives.
    pub pick: usize,
}

/// A bound of a quantity. What is not known is neither above nor below.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Condition {
    /// The measured quantity.
    pub quantity: Quantity,
    /// On which side of the bound.
    pub side: Side,
    /// In the quantity's unit.
    pub bound: f64,
}

/// A side of a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Larger, or as large.
    Above,
    /// Smaller.
    Below,
}

impl Condition {
    fn holds(&self, measured: &Measured) -> bool {
        measured.get(self.quantity).is_some_and(|value| match self.side {
            Side::Above => value >= self.bound,
            Side::Below => value < self.bound,
        })
    }
}

impl Policy {
    /// The rule that holds, by its place (`None`: the default), and the alternative.
    pub fn pick(&self, measured: &Measured) -> (Option<usize>, usize) {
        let holds = |rule: &Rule| rule.when.iter().all(|condition| condition.holds(measured));
        match self.rules.iter().position(holds) {
            Some(rule) => (Some(rule), self.rules[rule].pick),
            None => (None, self.default),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy() -> Policy {
        let alternative =
            |name: &str| Alternative { name: name.into(), config: TcpConfig::default() };
        let above = |quantity, bound| Condition { quantity, side: Side::Above, bound };
        let below = |quantity, bound| Condition { quantity, side: Side::Below, bound };
        let lossy = vec![above(Quantity::Loss, 0.01), below(Quantity::DelayInflation, 1.5)];
        Policy {
            alternatives: ["a", "b", "c"].map(alternative).into(),
            rules: vec![
                Rule { when: lossy, pick: 1 },
                Rule { when: vec![above(Quantity::Rtt, 0.1)], pick: 2 },
            ],
            default: 0,
            forget_after: Span::secs(60),
        }
    }

    #[test]
    fn the_first_rule_that_holds_is_obeyed() {
        let mut measured = Measured::default();
        assert_eq!(policy().pick(&measured), (None, 0));
        measured.set(Quantity::Rtt, Some(0.1));
        assert_eq!(policy().pick(&measured), (Some(1), 2));
        measured.set(Quantity::Loss, Some(0.02));
        assert_eq!(policy().pick(&measured), (Some(1), 2), "inflation is not known");
        measured.set(Quantity::DelayInflation, Some(1.49));
        assert_eq!(policy().pick(&measured), (Some(0), 1));
        measured.set(Quantity::DelayInflation, Some(1.5));
        assert_eq!(policy().pick(&measured), (Some(1), 2));
    }
}
