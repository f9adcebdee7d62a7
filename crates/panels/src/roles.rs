//! The lines of charts about flows where there are more flows than a chart has room for.

use crate::document::Flow;
use crate::order::descending;

/// The most lines of a chart: each has a colour that the eye can tell from the others.
pub const MOST: usize = 6;

/// A line of a chart: a flow, or the mean of several that do the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Role<'a> {
    /// Its name in the legend.
    pub name: String,
    /// The flows.
    pub flows: Vec<&'a str>,
    /// Its place in the palette.
    pub colour: usize,
}

impl<'a> Role<'a> {
    /// The flow, where it is one.
    pub fn single(&self) -> Option<&'a str> {
        if let [flow] = self.flows[..] { Some(flow) } else { None }
    }
}

/// The lines of charts about flows, and a sentence about those that are not shown one by one.
///
/// Up to [`MOST`] flows have a line each. Of more, flows with names that differ in a number only are one role: its mean
/// is shown, and its best and its worst flow by goodput.
pub fn roles(flows: &[Flow]) -> (Vec<Role<'_>>, Option<String>) {
    let one = |name: &str, flow, colour| Role { name: name.to_owned(), flows: vec![flow], colour };
    if flows.len() <= MOST {
        let each = flows.iter().map(|flow| flow.name.as_str()).enumerate();
        return (each.map(|(at, name)| one(name, name, at)).collect(), None);
    }
    let mut groups: Vec<(&str, Vec<&Flow>)> = Vec::new();
    for flow in flows {
        let stem = stem(&flow.name);
        match groups.iter_mut().find(|(name, _)| *name == stem) {
            Some((_, members)) => members.push(flow),
            None => groups.push((stem, vec![flow])),
        }
    }
    let mut found = Vec::new();
    for place in descending(groups.iter().map(|(_, members)| members.len() as f64)) {
        let ((name, members), first) = (&groups[place], found.len());
        if let [only] = members[..] {
            found.push(one(&only.name, &only.name, first));
            continue;
        }
        let ranked = ranked(members);
        let (best, worst) = (ranked[0], ranked[ranked.len() - 1]);
        let mean = format!("{name}, mean of {}", ranked.len());
        found.push(Role { name: mean, flows: ranked, colour: first });
        found.push(one(&format!("{best} (most goodput)"), best, first + 1));
        found.push(one(&format!("{worst} (least goodput)"), worst, first + 2));
    }
    found.truncate(MOST);
    let names: Vec<&str> = found.iter().map(|role| role.name.as_str()).collect();
    let note = format!("The charts show these of {} flows: {}.", flows.len(), names.join(", "));
    (found, Some(note))
}

/// Names of flows, those with most goodput first.
fn ranked<'a>(members: &[&'a Flow]) -> Vec<&'a str> {
    let order = descending(members.iter().map(|flow| flow.goodput_bps.unwrap_or(0.0)));
    order.into_iter().map(|place| members[place].name.as_str()).collect()
}

/// A name without the number at its end.
fn stem(name: &str) -> &str {
    let bare = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let stem = match bare.strip_suffix(['-', '_', ' ', '.']) {
        Some(stem) if bare.len() < name.len() => stem,
        _ => bare,
    };
    if stem.is_empty() { name } else { stem }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(name: &str, goodput: f64) -> Flow {
        let text = format!(r#"{{"name": "{name}", "goodput_bps": {goodput}}}"#);
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn many_flows_are_shown_by_what_they_do() {
        let mut flows: Vec<Flow> =
            (1..=10).map(|i| flow(&format!("up-{i}"), f64::from(i))).collect();
        flows.push(flow("call", 64e3));
        let (shown, note) = roles(&flows);
        let names: Vec<&str> = shown.iter().map(|role| role.name.as_str()).collect();
        assert_eq!(
            names,
            ["up, mean of 10", "up-10 (most goodput)", "up-1 (least goodput)", "call"]
        );
        assert_eq!(shown[0].flows.len(), 10);
        assert!(note.unwrap().starts_with("The charts show these of 11 flows: up, mean"));
        let (few, note) = roles(&flows[..MOST]);
        assert_eq!((few.len(), few[5].single(), note), (6, Some("up-6"), None));
    }

    #[test]
    fn a_stem_has_no_number() {
        let stems = ["up-12", "up12", "up", "12", "a b 3"].map(stem);
        assert_eq!(stems, ["up", "up", "up", "12", "a b"]);
    }
}
