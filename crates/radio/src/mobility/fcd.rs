//! SUMO's floating car data (`--fcd-output`): XML with a `timestep` for each instant and in it the vehicles, persons and
//! containers with their places in metres.
//!
//! Nodes move straight between time steps and are present from the first in which they are named to the last. Coordinates
//! must be SUMO's own (not `--fcd-output.geo`). A small reader of tags suffices: text, comments and other elements are
//! passed over.

use super::text::{Gathered, NamedTrack, Presence, TraceError, number, problem, time};
use crate::position::Position;
use base::Time;

/// The ways of all vehicles, persons and containers, in the order in which they first appear.
///
/// # Errors
/// With the line: a tag is cut off, an attribute is missing, a number is none, time runs back.
pub fn parse_fcd(text: &str) -> Result<Vec<NamedTrack>, TraceError> {
    let mut gathered = Gathered::default();
    let mut now = None;
    let mut tags = Tags { rest: text, line: 1 };
    while let Some(tag) = tags.next()? {
        match tag.name {
            "timestep" => now = Some(time(tag.line, "time", &tag.needed("time")?)?),
            "vehicle" | "person" | "container" => {
                let Some(now) = now else {
                    return problem(tag.line, format!("<{}> before any <timestep>", tag.name));
                };
                place(&tag, now, &mut gathered)?;
            }
            _ => {}
        }
    }
    Ok(gathered.tracks(Presence::WhileTraced))
}

fn place(tag: &Tag, now: Time, gathered: &mut Gathered) -> Result<(), TraceError> {
    let coordinate = |name: &str| number(tag.line, name, &tag.needed(name)?);
    let (x_m, y_m) = (coordinate("x")?, coordinate("y")?);
    let z_m = tag.attribute("z")?.map_or(Ok(0.0), |z| number(tag.line, "z", &z))?;
    gathered.add(tag.line, &tag.needed("id")?, now, Position { x_m, y_m, z_m })
}

/// An opening tag: its name and the text behind it up to the closing bracket.
struct Tag<'a> {
    line: usize,
    name: &'a str,
    attributes: &'a str,
}

/// Reads tags one by one.
struct Tags<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Tags<'a> {
    /// The next opening tag; comments, declarations and closing tags are passed over.
    fn next(&mut self) -> Result<Option<Tag<'a>>, TraceError> {
        while let Some(open) = self.rest.find('<') {
            self.skip(open);
            let line = self.line;
            let end = if self.rest.starts_with("<!--") { "-->" } else { ">" };
            let Some(length) = self.rest.find(end) else {
                return problem(line, "a tag that does not end; needed: >");
            };
            let inside = &self.rest[1..length];
            self.skip(length + end.len());
            if !inside.starts_with(['!', '?', '/']) {
                let inside = inside.trim_end_matches('/');
                let split = inside.find(char::is_whitespace).unwrap_or(inside.len());
                let (name, attributes) = inside.split_at(split);
                return Ok(Some(Tag { line, name, attributes }));
            }
        }
        Ok(None)
    }

    fn skip(&mut self, bytes: usize) {
        let (passed, rest) = self.rest.split_at(bytes);
        self.line += passed.matches('\n').count();
        self.rest = rest;
    }
}

impl Tag<'_> {
    /// The value of an attribute, its entities replaced.
    fn attribute(&self, wanted: &str) -> Result<Option<String>, TraceError> {
        let mut rest = self.attributes.trim_start();
        while !rest.is_empty() {
            let cut = || problem(self.line, format!("<{}> has a cut off attribute", self.name));
            let Some((name, behind)) = rest.split_once('=') else { return cut() };
            let behind = behind.trim_start();
            let Some(quote) = behind.chars().next().filter(|c| matches!(c, '"' | '\'')) else {
                return cut();
            };
            let Some((value, next)) = behind[1..].split_once(quote) else { return cut() };
            if name.trim() == wanted {
                return Ok(Some(plain(value)));
            }
            rest = next.trim_start();
        }
        Ok(None)
    }

    fn needed(&self, name: &str) -> Result<String, TraceError> {
        match self.attribute(name)? {
            Some(value) => Ok(value),
            None => problem(self.line, format!("<{}> has no {name}", self.name)),
        }
    }
}

/// XML's five entities as characters.
fn plain(value: &str) -> String {
    let entities =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    entities.iter().fold(value.to_string(), |text, (entity, char)| text.replace(entity, char))
}

#[cfg(test)]
mod tests {
    use super::*;

    const XML: &str = r#"<?xml version="1.0"?>
<!-- generated > by hand -->
<fcd-export>
    <timestep time="0.00">
        <vehicle id="a&amp;b" x="0.0" y="5" angle="90" speed="0.00" lane="e_0"/>
    </timestep>
    <timestep time="1.00">
        <vehicle id="a&amp;b" x="10" y="5"/>
        <person id='walker' x="1" y="1" z="2"/>
    </timestep>
    <timestep time="2.50"><person id="walker" x="2" y="1" z="2"/></timestep>
</fcd-export>
"#;

    #[test]
    fn vehicles_move_between_their_time_steps_and_leave() {
        let tracks = parse_fcd(XML).unwrap();
        let names: Vec<&str> = tracks.iter().map(|node| node.name.as_str()).collect();
        assert_eq!(names, ["a&b", "walker"]);
        let (car, walker) = (&tracks[0].track, &tracks[1].track);
        assert_eq!(car.position(Time(500_000_000)), Position::flat(5.0, 5.0));
        assert!(car.is_present(Time(1_000_000_000)) && !car.is_present(Time(1_000_000_001)));
        assert!(!walker.is_present(Time(0)) && walker.is_present(Time(2_000_000_000)));
    }

    #[test]
    fn errors_name_their_line() {
        for (text, line, word) in [
            ("<fcd-export>\n<vehicle id='a' x='1' y='1'/>", 2, "before any"),
            ("<timestep time='1'>\n<vehicle id='a' x='1'/>", 2, "no y"),
            ("<timestep time='soon'>", 1, "time is"),
            ("<a>\n\n<timestep time='1'", 3, "does not end"),
            ("<timestep time=1>", 1, "cut off"),
        ] {
            let error = parse_fcd(text).unwrap_err();
            assert!(error.line == line && error.what.contains(word), "{error}");
        }
    }
}
