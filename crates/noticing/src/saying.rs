//! Numbers as people read them.

/// Formats a number with `digits` significant digits, without zeros at its end; with an exponent where it is
/// very large or small.
pub fn significant(value: f64, digits: usize) -> String {
    let scientific = format!("{value:.*e}", digits.saturating_sub(1));
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let decimals = i32::try_from(digits).unwrap_or(0) - 1 - exponent;
    if exponent < -4 || decimals < 0 {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trimmed(mantissa), exponent.unsigned_abs());
    }
    trimmed(&format!("{value:.*}", usize::try_from(decimals).unwrap_or(0))).to_owned()
}

/// Formats a number with `digits` significant digits, but never fewer than all before the point.
pub fn rounded(value: f64, digits: i32) -> String {
    let whole = 10_f64.powi(digits) - 0.5;
    if value >= whole { grouped(value) } else { significant(value, digits.unsigned_abs() as usize) }
}

/// A whole number with commas between thousands.
pub fn grouped(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut said = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place) % 3 == 0 && !said.ends_with('-') {
            said.push(',');
        }
        said.push(digit);
    }
    said
}

/// A sentence on how many more there are of the same; `what` is the word for one.
pub fn others(count: usize, what: &str) -> String {
    match count {
        0 | 1 => String::new(),
        2 => format!(" The same is true of 1 more {what}."),
        _ => format!(" The same is true of {} more {what}s.", count - 1),
    }
}

/// The names of things in a row, at most three of them.
pub fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first, second] => format!("{first} and {second}"),
        [first, second, third] => format!("{first}, {second} and {third}"),
        [first, second, rest @ ..] => format!("{first}, {second} and {} more", rest.len()),
    }
}

fn trimmed(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_that_say_something() {
        // As C's %.3g has them.
        for (value, said) in [
            (0.0, "0"),
            (81.44, "81.4"),
            (100.0, "100"),
            (999.6, "1e+03"),
            (0.000_123_456, "0.000123"),
            (0.000_012_345, "1.23e-05"),
            (-2.5, "-2.5"),
            (12_345.0, "1.23e+04"),
        ] {
            assert_eq!(significant(value, 3), said);
        }
        assert_eq!(significant(60.0, 6), "60");
        for (value, said) in
            [(999.4, "999"), (1_000.0, "1,000"), (1_234_567.0, "1,234,567"), (-123.0, "-123")]
        {
            assert_eq!(grouped(value), said);
        }
    }

    #[test]
    fn others_are_counted() {
        assert_eq!(others(1, "flow"), "");
        assert_eq!(others(2, "flow"), " The same is true of 1 more flow.");
        assert_eq!(others(3, "flow"), " The same is true of 2 more flows.");
    }
}
