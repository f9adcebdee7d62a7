//! The kinds of mistakes, by names that stay.

use base::{Named, named};
use serde::{Serialize, Serializer};

named! {
    /// A kind of mistake: its name, and what it means and what to do.
    pub enum Code, "code" {
        UntestedNumber = "untested-number":
            "The text of a claim has a number, or a word such as twice, that none of its tests uses, so the verdict would not be about the text. Test it, or explain it in `note`.",
        NoToml = "no-toml":
            "The text is not valid TOML: a quotation mark, a bracket or a value is missing, a key is given twice, or the file is not UTF-8. Text after the mistake was not read.",
        UnknownKey = "unknown-key":
            "The table has no such key. The message names the nearest; the reference of the scenario format has all.",
        NotModelled = "not-modelled":
            "lasthop does not simulate this. The message names the nearest model.",
        MissingKey = "missing-key":
            "The key has no default and must be given.",
        UnknownUnit = "unknown-unit":
            "Quantities carry their unit in quotes: \"20 ms\", \"2 Mbps\", \"50 packets\".",
        UnknownName = "unknown-name":
            "The name of a variant, a model, a node or a flow is not among those allowed here. The message names the nearest.",
        WrongKind = "wrong-kind":
            "The value has the wrong type, such as a text instead of a number, or a name instead of a table.",
        NoSuchFile = "no-such-file":
            "A file that the scenario names does not exist or cannot be read. Paths begin in the scenario's folder.",
        OutOfRange = "out-of-range":
            "The value is understood, but it is out of range, or conflicts with another value.",
        DoesNotFit = "does-not-fit":
            "Keys that are valid by themselves conflict. The message names them and what is missing.",
    }
}

impl Code {
    /// Returns TOML that has the mistake, beside the correct form.
    pub fn example(self) -> &'static str {
        match self {
            Code::UntestedNumber => {
                "text = \"twice the goodput\", holds = { above = { ... } }  # ratio = { ..., at_least = 2 } tests it"
            }
            Code::NoToml => "duration = 10 s  # a text needs quotes: \"10 s\"",
            Code::UnknownKey => "durration = \"3 s\"",
            Code::NotModelled => "phy = { standard = \"802.11ax\" }",
            Code::MissingKey => "[[flow]]  # without from or to",
            Code::UnknownUnit => "duration = \"10 q\"",
            Code::UnknownName => "tcp = { variant = \"newrino\" }",
            Code::WrongKind => "tcp = \"cubic\"  # a table: tcp = { variant = \"cubic\" }",
            Code::NoSuchFile => "file = \"walk.tcl\"",
            Code::OutOfRange => "duration = \"0 s\"",
            Code::DoesNotFit => "a flow between two nodes with no path between them",
        }
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Returns all codes as JSON: `[{"name": ..., "about": ..., "example": ...}, ...]`.
pub fn codes() -> String {
    let row = |code: &Code| serde_json::json!({ "name": code, "about": code.idea(), "example": code.example() });
    Code::ALL.iter().map(row).collect::<serde_json::Value>().to_string()
}
