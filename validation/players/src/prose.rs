//! Numbers with their units in the sentences that describe a setting, such as "0.8 Mb/s,100 ms".

/// Every number that a unit follows, in order. Digits of a name ("r1") are none.
pub fn quantities(text: &str) -> Vec<(f64, String)> {
    let mut found = vec![];
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let of_a_name = rest[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let (number, after) = split(&rest[at..], |c| c.is_ascii_digit() || c == '.');
        let (unit, after_unit) = split(after.trim_start(), |c| c.is_alphabetic() || c == '/');
        rest = if unit.is_empty() { after } else { after_unit };
        if let (false, false, Ok(number)) = (of_a_name, unit.is_empty(), number.parse()) {
            found.push((number, unit.to_owned()));
        }
    }
    found
}

fn split(text: &str, inside: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !inside(c)).unwrap_or(text.len()))
}

/// The quantities of which `units` knows the factor, multiplied with it.
pub fn in_units(text: &str, units: &[(&str, f64)]) -> Vec<f64> {
    let factor = |unit: &str| units.iter().find(|known| known.0 == unit).map(|known| known.1);
    let all = quantities(text).into_iter();
    all.filter_map(|(number, unit)| Some(number * factor(&unit)?)).collect()
}

/// Bits a second.
pub const RATES: &[(&str, f64)] = &[
    ("b/s", 1.0),
    ("kb/s", 1e3),
    ("kbps", 1e3),
    ("Mb/s", 1e6),
    ("Mbps", 1e6),
    ("Gb/s", 1e9),
    ("Gbps", 1e9),
];

/// Seconds.
pub const TIMES: &[(&str, f64)] = &[("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_gives_its_quantities() {
        let text = "s1 -8 Mb/s,0 ms- r1 -0.8 Mb/s,100 ms- k1; DropTail queue limit 8 packets";
        assert_eq!(in_units(text, RATES), [8e6, 8e5]);
        assert_eq!(in_units(text, TIMES), [0.0, 0.1]);
        assert_eq!(in_units(text, &[("packets", 1.0)]), [8.0]);
        assert_eq!(quantities("k1, r2x, 7 and"), [(7.0, "and".to_owned())]);
    }
}
