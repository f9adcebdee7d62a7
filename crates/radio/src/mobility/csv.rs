//! CSV: a header with the columns `node`, `time_s`, `x_m`, `y_m` and, if wanted, `z_m`, in any order; a row a waypoint.
//!
//! Nodes move straight between rows and rest before the first and after the last. Empty lines and lines that begin with
//! `#` do not count. There is no quoting.

use super::text::{Gathered, NamedTrack, Presence, TraceError, number, problem, time};
use crate::position::Position;

/// Columns of the header, by place.
struct Columns {
    node: usize,
    time: usize,
    x: usize,
    y: usize,
    z: Option<usize>,
    count: usize,
}

/// The ways of all nodes, in the order in which they first appear.
///
/// # Errors
/// With the line: a column or a number is missing, time runs back.
pub fn parse_csv(text: &str) -> Result<Vec<NamedTrack>, TraceError> {
    let mut gathered = Gathered::default();
    let mut columns = None;
    for (index, raw) in text.lines().enumerate() {
        let (line, content) = (index + 1, raw.trim());
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let fields: Vec<&str> = content.split(',').map(str::trim).collect();
        match &columns {
            None => columns = Some(header(line, &fields)?),
            Some(columns) => row(line, &fields, columns, &mut gathered)?,
        }
    }
    Ok(gathered.tracks(Presence::Always))
}

fn header(line: usize, fields: &[&str]) -> Result<Columns, TraceError> {
    let place = |name: &str| fields.iter().position(|field| *field == name);
    let needed = |name: &str| match place(name) {
        Some(place) => Ok(place),
        None => problem(
            line,
            format!("no column {name} among {fields:?}; needed: node, time_s, x_m, y_m"),
        ),
    };
    Ok(Columns {
        node: needed("node")?,
        time: needed("time_s")?,
        x: needed("x_m")?,
        y: needed("y_m")?,
        z: place("z_m"),
        count: fields.len(),
    })
}

fn row(
    line: usize,
    fields: &[&str],
    columns: &Columns,
    gathered: &mut Gathered,
) -> Result<(), TraceError> {
    if fields.len() != columns.count {
        let (found, needed) = (fields.len(), columns.count);
        return problem(line, format!("{found} fields; the header has {needed}"));
    }
    let at = time(line, "time_s", fields[columns.time])?;
    let place = Position {
        x_m: number(line, "x_m", fields[columns.x])?,
        y_m: number(line, "y_m", fields[columns.y])?,
        z_m: columns.z.map_or(Ok(0.0), |z| number(line, "z_m", fields[z]))?,
    };
    gathered.add(line, fields[columns.node], at, place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Time;

    #[test]
    fn rows_are_waypoints() {
        let text = "# walk\nnode, time_s,y_m,x_m\nann,0,1,2\nbob,1,0,0\n\nann,2.5,6,2\n";
        let tracks = parse_csv(text).unwrap();
        let names: Vec<&str> = tracks.iter().map(|node| node.name.as_str()).collect();
        assert_eq!(names, ["ann", "bob"]);
        assert_eq!(tracks[0].track.position(Time(1_250_000_000)), Position::flat(2.0, 3.5));
        assert_eq!(tracks[1].track.position(Time::ZERO), Position::flat(0.0, 0.0));
    }

    #[test]
    fn errors_name_their_line() {
        for (text, line, word) in [
            ("node,time_s,x_m\n", 1, "y_m"),
            ("node,time_s,x_m,y_m\na,0,0,0\na,1,0\n", 3, "3 fields"),
            ("node,time_s,x_m,y_m\n\na,0,zero,0\n", 3, "x_m is \"zero\""),
            ("node,time_s,x_m,y_m\na,2,0,0\na,1,0,0\n", 3, "rise"),
            ("node,time_s,x_m,y_m\na,-2,0,0\n", 2, "time_s"),
        ] {
            let error = parse_csv(text).unwrap_err();
            assert!(error.line == line && error.what.contains(word), "{error}");
        }
    }
}
