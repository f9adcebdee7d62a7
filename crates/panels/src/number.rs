//! Numbers as short as they may be on a page.

use serde::{Serialize, Serializer};

/// The largest whole number below which every whole number is a float of its own.
const WHOLE: f64 = 9e15;

/// A number in JSON: NaN is null, and a whole number has no decimals.
#[derive(Clone, Copy, Debug)]
pub struct Number(pub f64);

impl Number {
    /// Rounds to significant digits.
    pub fn significant(value: f64, digits: usize) -> Number {
        Number(significant(value, digits))
    }

    /// Rounds to decimals.
    pub fn decimals(value: f64, decimals: usize) -> Number {
        Number(format!("{value:.decimals$}").parse().unwrap_or(value))
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            value if value.is_nan() => serializer.serialize_unit(),
            value if value.fract() == 0.0 && value.abs() < WHOLE => {
                serializer.serialize_i64(value as i64)
            }
            value => serializer.serialize_f64(value),
        }
    }
}

/// Rounds to significant digits.
pub fn significant(value: f64, digits: usize) -> f64 {
    format!("{value:.*e}", digits.saturating_sub(1)).parse().unwrap_or(value)
}

/// Rounds values to four significant digits, as the pages say them: a chart shows three.
pub fn plain(values: &[f64]) -> Vec<Number> {
    values.iter().map(|&value| Number::significant(value, 4)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_short() {
        let said = |number: Number| serde_json::to_string(&number).unwrap();
        assert_eq!(said(Number::significant(1234.567, 5)), "1234.6");
        assert_eq!(said(Number::significant(1_234_567.0, 5)), "1234600");
        assert_eq!(said(Number::decimals(0.999_96, 4)), "1");
        assert_eq!(said(Number(f64::NAN)), "null");
    }
}
