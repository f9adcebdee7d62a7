//! BonnMotion's `.movements`: a line a node, `time x y` (or `time x y z`) over and over, seconds and metres.
//!
//! Nodes are called by their number, from 0. They move straight between waypoints and rest before and after.

use super::text::{Gathered, NamedTrack, Presence, TraceError, number, problem, time};
use crate::position::Position;

/// The ways of all nodes. `axes` is 2 or 3: the lines do not say which.
///
/// # Errors
/// With the line: a waypoint is cut off, a number is none, time runs back.
pub fn parse_bonnmotion(text: &str, axes: usize) -> Result<Vec<NamedTrack>, TraceError> {
    let mut gathered = Gathered::default();
    let mut node = 0;
    for (index, content) in text.lines().enumerate() {
        let fields: Vec<&str> = content.split_whitespace().collect();
        if fields.is_empty() || content.starts_with('#') {
            continue;
        }
        let line = index + 1;
        if fields.len() % (axes + 1) != 0 {
            let what = format!("{} numbers; needed: a multiple of {}", fields.len(), axes + 1);
            return problem(line, what);
        }
        for waypoint in fields.chunks_exact(axes + 1) {
            let place = Position {
                x_m: number(line, "x", waypoint[1])?,
                y_m: waypoint.get(2).map_or(Ok(0.0), |y| number(line, "y", y))?,
                z_m: waypoint.get(3).map_or(Ok(0.0), |z| number(line, "z", z))?,
            };
            gathered.add(line, &node.to_string(), time(line, "time", waypoint[0])?, place)?;
        }
        node += 1;
    }
    Ok(gathered.tracks(Presence::Always))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Time;

    #[test]
    fn a_line_is_a_node() {
        let text = "0.0 10.0 20.0 10.0 30.0 20.0\n0.0 5 5\n";
        let tracks = parse_bonnmotion(text, 2).unwrap();
        assert_eq!(tracks.len(), 2);
        assert_eq!(tracks[0].track.position(Time(5_000_000_000)), Position::flat(20.0, 20.0));
        assert_eq!(tracks[1].name, "1");
        let tracks = parse_bonnmotion("0 0 0 10 2 0 0 20\n", 3).unwrap();
        let place = tracks[0].track.position(Time(1_000_000_000));
        assert_eq!(place, Position { x_m: 0.0, y_m: 0.0, z_m: 15.0 });
    }

    #[test]
    fn errors_name_their_line() {
        let error = parse_bonnmotion("0 1 2\n0 1 2 3\n", 2).unwrap_err();
        assert!(error.line == 2 && error.what.contains("multiple of 3"), "{error}");
        let error = parse_bonnmotion("0 1 x\n", 2).unwrap_err();
        assert_eq!(error.to_string(), "line 1: y is \"x\"; allowed: a number");
    }
}
