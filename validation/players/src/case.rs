//! A case and what became of it.

use serde_json::{Value, json};
use std::fmt;

/// The outcome of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// As expected.
    Pass,
    /// Not as expected.
    Fail,
    /// Not as expected, for a reason that is stated and defended.
    Differs,
}

impl Verdict {
    /// The word in results.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::Differs => "differs",
        }
    }
}

/// A case of a file, run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The case's name in its file.
    pub id: String,
    /// The file's name.
    pub file: String,
    /// The outcome.
    pub verdict: Verdict,
    /// The reason, where it did not pass; else empty.
    pub reason: String,
    /// The group in which the case is counted, where those of its file are not all alike; else empty.
    pub group: &'static str,
}

impl Case {
    /// A case that came out as `outcome` says: nothing, or what went wrong.
    pub fn new(file: &str, id: &str, outcome: Result<(), String>) -> Case {
        let (verdict, reason) = match outcome {
            Ok(()) => (Verdict::Pass, String::new()),
            Err(reason) => (Verdict::Fail, reason),
        };
        Case { id: id.to_owned(), file: file.to_owned(), verdict, reason, group: "" }
    }

    /// True where the case came out as expected.
    pub fn passed(&self) -> bool {
        self.verdict == Verdict::Pass
    }

    /// The same case as a difference, where it fails in exactly this way, which `why` defends. In any other way it
    /// remains a failure: what is known of one difference hides no other.
    #[must_use]
    pub fn defended(self, exactly: &str, why: &str) -> Case {
        if self.verdict != Verdict::Fail || self.reason != exactly {
            return self;
        }
        let reason = format!("{why} ({exactly})");
        Case { verdict: Verdict::Differs, reason, ..self }
    }
}

/// Cases as a JSON list: each with `id`, `file`, `verdict` ("pass", "fail" or "differs") and `reason`, and `group` where it
/// has one.
pub fn to_json(cases: &[Case]) -> String {
    let rows = cases.iter().map(|case| {
        let verdict = case.verdict.name();
        let mut row =
            json!({ "id": case.id, "file": case.file, "verdict": verdict, "reason": case.reason });
        if !case.group.is_empty() {
            row["group"] = case.group.into();
        }
        row
    });
    Value::Array(rows.collect()).to_string()
}

/// A file that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The file's name.
    pub file: String,
    /// The mistake in it.
    pub what: String,
}

impl Error {
    /// `what` is wrong with `file`.
    pub fn new(file: &str, what: impl Into<String>) -> Error {
        Error { file: file.to_owned(), what: what.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.what)
    }
}

impl std::error::Error for Error {}

/// The cases of a file, as JSON.
///
/// # Errors
/// Where there is no list of that name.
pub fn cases<'a>(file: &str, value: &'a Value) -> Result<&'a [Value], Error> {
    let list = value.get("cases").and_then(Value::as_array);
    list.map(Vec::as_slice).ok_or_else(|| Error::new(file, "no list of \"cases\""))
}

/// A case's name.
pub fn id(case: &Value) -> &str {
    case.get("id").and_then(Value::as_str).unwrap_or("unnamed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_defence_holds_for_what_it_names_and_nothing_else() {
        let failed = |why: &str| Case::new("file", "id", Err(why.to_owned()));
        let known = failed("3 instead of 2").defended("3 instead of 2", "two is wrong");
        assert_eq!(known.verdict, Verdict::Differs);
        assert_eq!(known.reason, "two is wrong (3 instead of 2)");
        let other = failed("4 instead of 2").defended("3 instead of 2", "two is wrong");
        assert_eq!(other, failed("4 instead of 2"));
        let passed = Case::new("file", "id", Ok(()));
        assert!(passed.clone().defended("", "two is wrong").passed());
    }
}
