//! ns-2's movement scripts, as `setdest`, BonnMotion and SUMO's traceExporter write them.
//!
//! Read are `$node_(I) set X_ V` (also `Y_`, `Z_`) and `$ns_ at T "$node_(I) setdest X Y SPEED"`; lines about `$god_`,
//! comments and empty lines are skipped; anything else is an error. As in ns-2 a node rests until its first order, a new
//! order replaces one under way from wherever the node is, a speed of 0 stops it, and its height stays.

use super::text::{NamedTrack, TraceError, number, problem, time};
use super::track::Track;
use crate::position::Position;
use base::Time;
use std::collections::BTreeMap;

/// An order to go to a place.
#[derive(Clone, Copy)]
struct Order {
    at: Time,
    x_m: f64,
    y_m: f64,
    speed: f64,
}

#[derive(Default)]
struct Node {
    start: [Option<f64>; 3],
    orders: Vec<Order>,
    last_line: usize,
}

/// The ways of all nodes, by rising number.
///
/// # Errors
/// Gives the line if its form is unknown, a number cannot be read, or an order is for a node without a place.
pub fn parse_setdest(text: &str) -> Result<Vec<NamedTrack>, TraceError> {
    let mut nodes: BTreeMap<u64, Node> = BTreeMap::new();
    for (index, raw) in text.lines().enumerate() {
        let line = index + 1;
        let words: Vec<&str> = raw
            .split(|c: char| c.is_whitespace() || c == '"' || c == ';')
            .filter(|word| !word.is_empty())
            .collect();
        match words[..] {
            [] => {}
            [first, ..] if first.starts_with('#') || first.starts_with("$god") => {}
            [_, "at", _, god, ..] if god.starts_with("$god") => {}
            [node, "set", axis, value] if node.starts_with("$node") => {
                let node = node_of(line, node, &mut nodes)?;
                node.start[axis_of(line, axis)?] = Some(number(line, axis, value)?);
            }
            [_, "at", at, node, "setdest", x, y, speed] if node.starts_with("$node") => {
                let at = time(line, "time", at)?;
                let (x_m, y_m) = (number(line, "x", x)?, number(line, "y", y)?);
                let speed = number(line, "speed", speed)?;
                node_of(line, node, &mut nodes)?.orders.push(Order { at, x_m, y_m, speed });
            }
            _ => {
                let what = format!(
                    "{raw:?}; allowed: $node_(I) set X_ V, $ns_ at T \"$node_(I) setdest X Y SPEED\""
                );
                return problem(line, what);
            }
        }
    }
    nodes.into_iter().map(|(number, node)| named(number, node)).collect()
}

fn node_of<'a>(
    line: usize,
    word: &str,
    nodes: &'a mut BTreeMap<u64, Node>,
) -> Result<&'a mut Node, TraceError> {
    let inside = word.split('(').nth(1).and_then(|rest| rest.strip_suffix(')'));
    match inside.and_then(|digits| digits.parse().ok()) {
        Some(number) => {
            let node = nodes.entry(number).or_default();
            node.last_line = line;
            Ok(node)
        }
        None => problem(line, format!("{word:?} is not a node; allowed: $node_(I), I from 0")),
    }
}

fn axis_of(line: usize, axis: &str) -> Result<usize, TraceError> {
    match axis {
        "X_" => Ok(0),
        "Y_" => Ok(1),
        "Z_" => Ok(2),
        _ => problem(line, format!("{axis:?} is not a coordinate; allowed: X_, Y_, Z_")),
    }
}

fn named(number: u64, mut node: Node) -> Result<NamedTrack, TraceError> {
    let [Some(x_m), Some(y_m), z_m] = node.start else {
        return problem(node.last_line, format!("$node_({number}) has no X_ or no Y_"));
    };
    node.orders.sort_by_key(|order| order.at);
    let mut track = Track::fixed(Position { x_m, y_m, z_m: z_m.unwrap_or(0.0) });
    for order in &node.orders {
        let height_m = track.position(order.at).z_m;
        let to = Position { x_m: order.x_m, y_m: order.y_m, z_m: height_m };
        track.set_off(order.at, to, order.speed);
    }
    Ok(NamedTrack { name: number.to_string(), track })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = r#"
# nodes: 2, pause: 1.00, max speed: 20.00
$node_(0) set X_ 10.0
$node_(0) set Y_ 20.0
$node_(0) set Z_ 1.5
$node_(1) set X_ 5
$node_(1) set Y_ 5
$god_ set-dist 0 1 1
$ns_ at 2.0 "$node_(0) setdest 10.0 60.0 10.0"
$ns_ at 4.0 "$node_(0) setdest 40.0 40.0 5.0";
$ns_ at 4.5 "$god_ set-dist 0 1 2"
"#;

    #[test]
    fn orders_replace_each_other_where_the_node_is() {
        let tracks = parse_setdest(SCRIPT).unwrap();
        let at = |s: f64| tracks[0].track.position(Time((s * 1e9) as u64));
        let place = |x_m, y_m| Position { x_m, y_m, z_m: 1.5 };
        assert_eq!(at(1.0), place(10.0, 20.0));
        // Half way to (10, 60) the second order comes: from (10, 40) to (40, 40) in 6 s.
        assert!(at(4.0).distance_m(place(10.0, 40.0)) < 1e-9);
        assert!(at(7.0).distance_m(place(25.0, 40.0)) < 1e-9);
        assert_eq!(at(10.0), place(40.0, 40.0));
        assert_eq!(at(100.0), place(40.0, 40.0));
        assert_eq!(tracks[1].track.position(Time(9)), Position::flat(5.0, 5.0));
    }

    #[test]
    fn errors_name_their_line() {
        for (text, line, word) in [
            ("\n$node_(0) set X_ abc\n", 2, "X_ is \"abc\""),
            ("$node_(x) set X_ 1\n", 1, "not a node"),
            ("$node_(0) set Q_ 1\n", 1, "not a coordinate"),
            ("$node_(0) set X_ 1\n$ns_ at 1 \"$node_(0) setdest 1 2 3\"\n", 2, "no Y_"),
            ("$ns_ at 1 \"$node_(0) setdest 1 2\"\n", 1, "allowed"),
        ] {
            let error = parse_setdest(text).unwrap_err();
            assert!(error.line == line && error.what.contains(word), "{error}");
        }
    }
}
