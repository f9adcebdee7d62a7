//! Single numbers of a result, without its JSON: a study reads a few of the hundreds of numbers that a run gives, a
//! hundred thousand times. A path leads through the result as it leads through the JSON; everything beside the paths is not
//! visited.

mod path;
mod visitor;

use base::named;
pub use path::Selector;
use path::{Node, tree};
use serde::Serialize;
use visitor::visit;

named! {
    /// The combination of the numbers at the end of a path.
    pub enum Reduce, "reduction" {
        Value = "value": "the first",
        Mean = "mean": "their mean",
        Sum = "sum": "their sum, 0 of none",
        Min = "min": "the smallest",
        Max = "max": "the largest",
        Count = "count": "how many there are",
    }
}

impl Reduce {
    /// Combines the numbers: NaN where there is none, but 0 for a sum and a count.
    fn of(self, found: &[f64]) -> f64 {
        match self {
            Reduce::Value => found.first().copied().unwrap_or(f64::NAN),
            Reduce::Mean => found.iter().sum::<f64>() / found.len() as f64,
            Reduce::Sum => found.iter().fold(0.0, |sum, number| sum + number),
            Reduce::Min => found.iter().copied().fold(f64::NAN, f64::min),
            Reduce::Max => found.iter().copied().fold(f64::NAN, f64::max),
            Reduce::Count => found.len() as f64,
        }
    }
}

/// Paths to numbers.
///
/// A path that ends at a map means its `mean` where it has one, else the sum of its values. Null and an absent value
/// are no numbers; a string counts as 1.
#[derive(Clone, Debug)]
pub struct Leaves {
    nodes: Vec<Node>,
    reduce: Vec<Reduce>,
}

impl Leaves {
    /// Takes paths, each with the reduction of its numbers.
    pub fn new(paths: Vec<(Vec<Selector>, Reduce)>) -> Leaves {
        let (paths, reduce): (Vec<_>, Vec<_>) = paths.into_iter().unzip();
        Leaves { nodes: tree(paths), reduce }
    }

    /// Returns the numbers of `result`, one for each path.
    pub fn of(&self, result: &(impl Serialize + ?Sized)) -> Vec<f64> {
        let mut found = vec![Vec::new(); self.reduce.len()];
        visit(result, &self.nodes, vec![0], &mut found);
        self.reduce.iter().zip(&found).map(|(reduce, numbers)| reduce.of(numbers)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn key(name: &str) -> Selector {
        Selector::Key(name.to_owned())
    }

    fn pick(path: Vec<Selector>, reduce: Reduce) -> f64 {
        let result = json!({
            "jain": null,
            "flows": [
                {"name": "a", "lost": {"queue": 2, "ttl": 3}, "delay_s": {"p50": 1.0, "mean": 1.5}},
                {"name": "b", "lost": {}, "delay_s": null},
            ],
            "handoffs": [{"from": null, "gap_s": 9.0}, {"from": "x", "gap_s": 1.0}, {"from": "y", "gap_s": null}],
        });
        Leaves::new(vec![(path, reduce)]).of(&result)[0]
    }

    #[test]
    fn finds_what_a_path_leads_to() {
        let flow = |place, rest: &[&str]| {
            let steps = [key("flows"), Selector::Place(place)].into_iter();
            pick(steps.chain(rest.iter().map(|name| key(name))).collect(), Reduce::Value)
        };
        assert_eq!(flow(0, &["lost", "ttl"]), 3.0);
        assert_eq!(flow(0, &["lost"]), 5.0); // counts by reason: all of them
        assert_eq!(flow(1, &["lost"]), 0.0);
        assert_eq!(flow(0, &["delay_s"]), 1.5); // a distribution: its mean
        assert_eq!(flow(0, &["delay_s", "p50"]), 1.0);
        assert!(flow(1, &["delay_s", "p50"]).is_nan());
        assert!(flow(2, &["lost"]).is_nan());
        assert!(pick(vec![key("jain")], Reduce::Value).is_nan());
    }

    #[test]
    fn reduces_what_all_elements_have() {
        let gaps = |from: Option<&str>, reduce| {
            let all = Selector::All(from.map(str::to_owned));
            pick(vec![key("handoffs"), all, key("gap_s")], reduce)
        };
        assert_eq!(gaps(None, Reduce::Count), 2.0);
        assert_eq!(gaps(None, Reduce::Mean), 5.0);
        assert_eq!(gaps(Some("from"), Reduce::Count), 1.0);
        assert_eq!(gaps(Some("from"), Reduce::Max), 1.0);
        assert_eq!(gaps(Some("nobody"), Reduce::Sum), 0.0);
        assert!(gaps(Some("nobody"), Reduce::Min).is_nan());
    }

    #[test]
    fn paths_that_share_steps_are_told_apart() {
        let paths = [vec![key("a")], vec![key("a"), key("b")], vec![key("a"), key("b")]];
        let leaves = Leaves::new(paths.map(|path| (path, Reduce::Value)).to_vec());
        assert_eq!(leaves.of(&json!({"a": {"b": 4, "c": 5}})), [9.0, 4.0, 4.0]);
    }
}
