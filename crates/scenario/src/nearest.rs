//! The nearest known name to a mistyped one.

use crate::at::Reason;
use crate::code::Code;
use crate::otherwise;

/// Returns the nearest of `known` to `found`, if one is near enough to be meant.
pub fn nearest<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = found.to_lowercase();
    let likeness = |name: &str| {
        // The longest common start counts: "statoin" is nearer to "stations" than to "ration".
        strsim::jaro_winkler(&lower, &name.to_lowercase())
    };
    known
        .into_iter()
        .map(|name| (is_a_slip(&lower, name) || is_a_part(&lower, name), likeness(name), name))
        .filter(|(is_meant, likeness, _)| *is_meant || *likeness > 0.7)
        .max_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)))
        .map(|(.., name)| name)
}

/// Returns true where at most one letter is added, missing or another, or two are swapped, in words long enough for this to
/// be evidence.
fn is_a_slip(found: &str, name: &str) -> bool {
    let (short, long) = (found.len().min(name.len()), found.len().max(name.len()));
    short >= 2 && long >= 3 && strsim::osa_distance(found, &name.to_lowercase()) <= 1
}

/// Returns true for a word of a longer name, such as "cwnd" of "snd_cwnd", that is long enough to be evidence.
fn is_a_part(found: &str, name: &str) -> bool {
    found.len() >= 3 && name.split(['_', '.', '-']).any(|part| part == found)
}

/// Returns `unknown WHAT "found"; did you mean "x"? allowed: ...`, or that this feature is not modelled.
pub fn unknown(what: &str, found: &str, known: &[&str]) -> Reason {
    let meant = otherwise::called(found, known);
    // Names that users choose, such as a node's, name no feature.
    let absent = if NAMED.contains(&what) { None } else { otherwise::absent(found) };
    if let (None, Some(said)) = (meant, absent) {
        return Code::NotModelled.says(format!(
            "{what} \"{found}\": lasthop does not model {said}; allowed: {}",
            listed(known)
        ));
    }
    let hint = match meant.or_else(|| nearest(found, known.iter().copied())) {
        Some(name) => format!(" did you mean \"{name}\"?"),
        None => String::new(),
    };
    let code = match what {
        "key" => Code::UnknownKey,
        "unit" => Code::UnknownUnit,
        _ => Code::UnknownName,
    };
    code.says(format!("unknown {what} \"{found}\";{hint} allowed: {}", listed(known)))
}

/// Objects that files name.
const NAMED: [&str; 7] =
    ["node", "station", "subscriber station", "flow", "link", "cell", "law in Python"];

/// The most names that a message lists.
const MOST_LISTED: usize = 100;

/// Returns names with commas between them.
pub fn listed(names: &[&str]) -> String {
    let some = names[..names.len().min(MOST_LISTED)].join(", ");
    match names.len().saturating_sub(MOST_LISTED) {
        0 => some,
        more => format!("{some} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_meant() {
        let known = ["stations", "duration", "mac"];
        assert_eq!(nearest("statoins", known), Some("stations"));
        assert_eq!(nearest("Duration", known), Some("duration"));
        assert_eq!(nearest("xyz", known), None);
        assert_eq!(nearest("tpc", ["tcp", "cuts"]), Some("tcp"));
        assert_eq!(nearest("tpc", ["tcp", "packets"]), Some("tcp"));
        // One slip is better evidence than a common start.
        assert_eq!(nearest("ixd", ["kind", "id"]), Some("id"));
        assert_eq!(nearest("xid", ["text", "id"]), Some("id"));
        assert_eq!(nearest("up", ["tcp", "udp"]), Some("udp"));
        assert_eq!(nearest("cwnd", ["time_s", "snd_cwnd", "cause"]), Some("snd_cwnd"));
        assert_eq!(
            unknown("model", "random loss", &["none", "bernoulli"])
                .message
                .split(" allowed")
                .next(),
            Some("unknown model \"random loss\"; did you mean \"bernoulli\"?")
        );
        assert!(
            unknown("PHY", "802.11be", &["802.11a"])
                .message
                .starts_with("PHY \"802.11be\": lasthop does not model 802.11be")
        );
        assert_eq!(
            unknown("unit", "q", &["ms", "s"]).message,
            "unknown unit \"q\"; allowed: ms, s"
        );
        assert_eq!(
            unknown("unit", "mss", &["ms", "s"]).message,
            "unknown unit \"mss\"; did you mean \"ms\"? allowed: ms, s"
        );
    }
}
