//! Traces of links: Mahimahi's, and CSV.

use crate::units::BitRate;
use crate::value::Value;
use base::{Rate, Span};

/// The values from a time on; those that are `None` stay.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    pub at: Span,
    /// Zero: nothing is sent.
    pub rate: Option<Rate>,
    pub delay: Option<Span>,
    pub loss: Option<f64>,
}

/// The number of a line, from one, and the mistake there.
type Mistake = (usize, String);

/// Reads the times at which Mahimahi lets 1,500 bytes go: a whole number of milliseconds a line, in order.
///
/// # Errors
/// Returns the first line that is no such time, or is earlier than the one before.
pub fn mahimahi(text: &str) -> Result<Vec<Span>, Mistake> {
    let mut times: Vec<Span> = Vec::new();
    for (line, said) in lines(text) {
        let wrong = || (line, format!("\"{said}\" is no whole number of milliseconds"));
        let time = Span::millis(said.parse::<u32>().map_err(|_| wrong())?.into());
        if times.last().is_some_and(|last| time < *last) {
            return Err((line, format!("{said} ms is before the time of the line above")));
        }
        times.push(time);
    }
    Ok(times)
}

/// Reads a table with the column `time_s` and any of `rate_mbps`, `delay_ms` and `loss`; a rate of zero is an outage.
///
/// # Errors
/// Returns the first unknown column, wrong number, number out of bounds, or time out of order.
pub fn csv(text: &str) -> Result<Vec<Row>, Mistake> {
    let mut rows = lines(text);
    let Some((line, head)) = rows.next() else { return Err((1, "an empty file".to_owned())) };
    let columns: Vec<&str> = head.split(',').map(str::trim).collect();
    const KNOWN: [&str; 4] = ["time_s", "rate_mbps", "delay_ms", "loss"];
    if let Some(other) = columns.iter().find(|column| !KNOWN.contains(column)) {
        return Err((line, format!("column \"{other}\"; allowed: {}", KNOWN.join(", "))));
    }
    if !columns.contains(&KNOWN[0]) {
        return Err((line, "no column \"time_s\"".to_owned()));
    }
    let mut found: Vec<Row> = Vec::new();
    for (line, said) in rows {
        let row = row(&columns, said).map_err(|what| (line, what))?;
        if found.last().is_some_and(|last| row.at <= last.at) {
            return Err((line, format!("{} s is not after the line above", row.at.as_secs())));
        }
        found.push(row);
    }
    Ok(found)
}

fn row(columns: &[&str], said: &str) -> Result<Row, String> {
    let values: Vec<&str> = said.split(',').map(str::trim).collect();
    if values.len() != columns.len() {
        return Err(format!("{} values for {} columns", values.len(), columns.len()));
    }
    let mut row = Row::default();
    for (column, value) in columns.iter().zip(values) {
        let number = value.parse::<f64>().ok().filter(|number| *number >= 0.0 && *number <= 1e9);
        let number = number.ok_or_else(|| format!("{column}: \"{value}\"; allowed: 0 to 1e9"))?;
        match *column {
            "time_s" => row.at = Span::from_secs(number),
            "rate_mbps" if number == 0.0 => row.rate = Some(Rate(0)),
            "rate_mbps" => {
                let rate = BitRate::from_text(&format!("{number} Mbps"));
                row.rate = Some(rate.map_err(|why| format!("{column}: {}", why.message))?.0);
            }
            "delay_ms" => row.delay = Some(Span::from_secs(number / 1e3)),
            _ if number <= 1.0 => row.loss = Some(number),
            _ => return Err(format!("{column}: {value}; allowed: 0 to 1")),
        }
    }
    Ok(row)
}

/// Returns the lines that are not empty, numbered from one; # begins a comment.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = text.lines().enumerate();
    numbered
        .map(|(i, line)| (i + 1, line.split('#').next().unwrap_or_default().trim()))
        .filter(|(_, line)| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_mahimahi_are_milliseconds_in_order() {
        assert_eq!(
            mahimahi("0\n0\n5 # a comment\n\n12"),
            Ok([0, 0, 5, 12].map(Span::millis).to_vec())
        );
        assert_eq!(mahimahi("1\n2\n1").unwrap_err().0, 3);
        assert_eq!(
            mahimahi("1\n\n2.5").unwrap_err(),
            (3, "\"2.5\" is no whole number of milliseconds".into())
        );
    }

    #[test]
    fn tables_say_what_changes() {
        let rows = csv("time_s, rate_mbps, loss\n0, 12, 0\n1.5, 0, 0.25\n").unwrap();
        let second =
            Row { at: Span::millis(1500), rate: Some(Rate(0)), delay: None, loss: Some(0.25) };
        assert_eq!((rows.len(), &rows[1]), (2, &second));
        for (text, line, said) in [
            ("", 1, "empty"),
            ("time_s,speed\n", 1, "\"speed\"; allowed: time_s, rate_mbps"),
            ("rate_mbps\n1\n", 1, "no column"),
            ("time_s,loss\n0,1.5\n", 2, "loss"),
            ("time_s,rate_mbps\n0,1\n0,2\n", 3, "not after"),
            ("time_s,rate_mbps\n0\n", 2, "1 values for 2 columns"),
            ("time_s,rate_mbps\n0,-1\n", 2, "allowed: 0 to"),
        ] {
            let (at, what) = csv(text).unwrap_err();
            assert!(at == line && what.contains(said), "{text:?}: {at}: {what}");
        }
    }
}
