//! The differentiated services code point of a flow's packets.

use crate::at::Reason;
use crate::code::Code;
use crate::nearest::unknown;
use crate::value::{NoTable, Value, values};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::Value as Json;

/// The per-hop behaviours that have names: CS0 to CS7 (RFC 2474), AF11 to AF43 (RFC 2597), EF (RFC 3246), VA (RFC 5865),
/// LE (RFC 8622).
const NAMES: [(&str, u8); 23] = [
    ("CS0", 0),
    ("LE", 1),
    ("CS1", 8),
    ("AF11", 10),
    ("AF12", 12),
    ("AF13", 14),
    ("CS2", 16),
    ("AF21", 18),
    ("AF22", 20),
    ("AF23", 22),
    ("CS3", 24),
    ("AF31", 26),
    ("AF32", 28),
    ("AF33", 30),
    ("CS4", 32),
    ("AF41", 34),
    ("AF42", 36),
    ("AF43", 38),
    ("CS5", 40),
    ("VA", 44),
    ("EF", 46),
    ("CS6", 48),
    ("CS7", 56),
];

/// A code point, by number or by the name of its per-hop behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodePoint(pub u8);

impl CodePoint {
    /// The largest one: the field has six bits (RFC 2474, section 3).
    const MOST: u8 = 63;
}

impl Value for CodePoint {
    const ALLOWED: &'static str =
        "a whole number from 0 to 63, or the name of a behaviour, such as 46 or \"EF\"";
    type Table = NoTable;

    fn from_text(text: &str) -> Result<Self, Reason> {
        let named = NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
        let names = NAMES.map(|(name, _)| name);
        let known = named.map(|&(_, code)| CodePoint(code));
        known.ok_or_else(|| unknown("code point", text, &names))
    }
    fn from_integer(number: i64) -> Result<Self, Reason> {
        let code = u8::try_from(number).ok().filter(|&code| code <= Self::MOST);
        let refused = || {
            Code::OutOfRange.says(format!("{number} is out of range; allowed: 0 to {}", Self::MOST))
        };
        code.map(CodePoint).ok_or_else(refused)
    }
    fn written(&self) -> Json {
        self.0.into()
    }
    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "type": "integer", "minimum": 0, "maximum": Self::MOST },
            { "type": "string", "enum": NAMES.map(|(name, _)| name) },
        ]})
    }
}

values!(CodePoint);

#[cfg(test)]
mod tests {
    use super::{CodePoint, NAMES};
    use crate::value::Value;

    #[test]
    fn names_are_those_of_the_rfcs() {
        // RFC 2597, section 6: AFij is class i and drop precedence j; RFC 2474, section 4.2.2: CSn is n in the upper bits.
        for (name, code) in NAMES {
            let digit = |at: usize| name.as_bytes()[at] - b'0';
            match name {
                _ if name.starts_with("CS") => assert_eq!(code, digit(2) << 3),
                _ if name.starts_with("AF") => assert_eq!(code, digit(2) << 3 | digit(3) << 1),
                _ => assert!(matches!((name, code), ("LE", 1) | ("VA", 44) | ("EF", 46)), "{name}"),
            }
        }
    }

    #[test]
    fn code_points_are_numbers_or_names() {
        assert_eq!(CodePoint::from_text("ef").map(|code| code.0).ok(), Some(46));
        assert_eq!(CodePoint::from_integer(63).map(|code| code.0).ok(), Some(63));
        assert!(
            CodePoint::from_integer(64)
                .is_err_and(|why| why.message == "64 is out of range; allowed: 0 to 63")
        );
        assert!(CodePoint::from_integer(-1).is_err());
        let refused = CodePoint::from_text("EFF").map(|code| code.0).unwrap_err().message;
        assert!(refused.contains("did you mean \"EF\"?"), "{refused}");
    }
}
