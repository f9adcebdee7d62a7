//! The one error: where in the scenario, what was found, what is allowed.

use crate::at::{Problem, Reason};
use crate::code::Code;
use crate::paths::{Step, paths_at};
use std::fmt;
use std::ops::Range;

/// A scenario that cannot be run, with the place and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The kind of mistake.
    pub code: Code,
    /// The key that is wrong, or whose value is; empty where there is none.
    pub path: Vec<Step>,
    /// The place.
    pub place: Place,
    /// The value found, and those allowed.
    pub message: String,
    /// The line that is wrong, the number of wrong columns, and the first of them, counted from 0.
    excerpt: Option<Box<(String, usize, usize)>>,
}

impl Error {
    /// Returns the number of wrong characters in its line; none where that is unknown.
    pub fn length(&self) -> usize {
        self.excerpt.as_ref().map_or(0, |excerpt| excerpt.2)
    }

    /// Returns its line and column in the file, from 1; none in an override.
    pub fn line_and_column(&self) -> Option<(usize, usize)> {
        match self.place {
            Place::File { line, column, .. } => Some((line, column)),
            Place::Override(_) => None,
        }
    }

    /// Returns the override that is wrong, such as "tcp.variant=bic".
    pub fn change(&self) -> Option<&str> {
        match &self.place {
            Place::File { .. } => None,
            Place::Override(text) => Some(text),
        }
    }
}

/// The place of an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a file; line and column count from 1.
    File {
        /// Its name.
        name: String,
        /// Line.
        line: usize,
        /// Column, in characters.
        column: usize,
    },
    /// In an override such as "tcp.variant=bic".
    Override(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = match &self.place {
            Place::File { name, line, column } => {
                write!(f, "{name}:{line}:{column}: error: {}", self.message)?;
                line.to_string()
            }
            Place::Override(text) => {
                let name: String = text.chars().take(LONGEST_EXCERPT).collect();
                let cut = if name.len() < text.len() { "…" } else { "" };
                write!(f, "--set {name}{cut}: error: {}", self.message)?;
                String::new()
            }
        };
        let Some((line, column, length)) = self.excerpt.as_deref() else { return Ok(()) };
        // Tabs stay tabs, so that the caret is below its place.
        let pad: String =
            line.chars().take(*column).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        let margin = " ".repeat(number.len());
        let carets = "^".repeat((*length).max(1));
        write!(f, "\n {number} | {line}\n {margin} | {pad}{carets}")
    }
}

impl std::error::Error for Error {}

/// The text of a scenario and of its overrides, laid end to end, so that one offset names a place in either.
#[derive(Clone, Debug)]
pub struct Sources<'a> {
    file: &'a str,
    text: &'a str,
    /// The beginning of each override.
    overrides: Vec<(usize, &'a str)>,
}

impl<'a> Sources<'a> {
    /// Lays out a file and its overrides.
    pub fn new(file: &'a str, text: &'a str, overrides: &'a [String]) -> Sources<'a> {
        let mut start = text.len() + 1;
        let mut places = Vec::with_capacity(overrides.len());
        for text in overrides {
            places.push((start, text.as_str()));
            start += text.len() + 1;
        }
        Sources { file, text, overrides: places }
    }

    /// Returns the overrides with the offsets at which they begin.
    pub fn overrides(&self) -> &[(usize, &'a str)] {
        &self.overrides
    }

    /// Returns the errors of problems.
    pub fn errors(&self, problems: Vec<Problem>) -> Vec<Error> {
        let paths = paths_at(self.text, problems.iter().map(|problem| problem.place.start));
        let path = |at: usize| paths.get(&at).cloned().unwrap_or_default();
        problems
            .into_iter()
            .map(|problem| self.placed(path(problem.place.start), problem))
            .collect()
    }

    /// Returns the error of a problem.
    pub fn error(&self, problem: Problem) -> Error {
        self.errors(vec![problem]).swap_remove(0)
    }

    /// Names a place in a few characters: "office.toml:12", or "--set tcp.variant=bic".
    pub fn short(&self, place: &Range<usize>) -> String {
        match self.overrides.iter().rev().find(|(start, _)| *start <= place.start) {
            Some((_, text)) => format!("--set {text}"),
            None => {
                let before = &self.text[..floor_boundary(self.text, place.start)];
                let name = self.file.rsplit(['/', '\\']).next().unwrap_or(self.file);
                format!("{name}:{}", before.matches('\n').count() + 1)
            }
        }
    }

    /// Returns a problem in a file that a scenario names, in words: "policy.toml:3:7: what is wrong".
    pub fn in_file(&self, problem: Problem) -> Reason {
        let error = self.error(problem);
        let (line, column) = error.line_and_column().unwrap_or((1, 1));
        error.code.says(format!("{}:{line}:{column}: {}", self.file, error.message))
    }

    /// Returns an error about these bytes, which are at this path of the file.
    fn placed(&self, path: Vec<Step>, Problem { place, code, message }: Problem) -> Error {
        let message = shortened(&message);
        let inside = self.overrides.iter().rev().find(|(start, _)| *start <= place.start);
        if let Some(&(start, text)) = inside {
            let excerpt = excerpt(text, place.start - start, place.end - start, "--set ");
            let key = text.split_once('=').map_or(text, |(key, _)| key);
            let path = key.split('.').map(|step| Step::of(step.trim())).collect();
            return Error { code, path, place: Place::Override(text.to_owned()), message, excerpt };
        }
        let start = floor_boundary(self.text, place.start);
        let before = &self.text[..start];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = self.text[line_start..].lines().next().unwrap_or("");
        Error {
            code,
            path,
            place: Place::File {
                name: self.file.to_owned(),
                line: before.matches('\n').count() + 1,
                column: before[line_start..].chars().count() + 1,
            },
            message,
            excerpt: excerpt(line, start - line_start, place.end.max(start) - line_start, ""),
        }
    }
}

/// The longest excerpt that helps, in characters.
const LONGEST_EXCERPT: usize = 160;

/// Returns the line, or of a long one the part around the place, in the form of `Error::excerpt`.
fn excerpt(
    line: &str,
    start: usize,
    end: usize,
    prefix: &str,
) -> Option<Box<(String, usize, usize)>> {
    let (start, end) = (floor_boundary(line, start), floor_boundary(line, end));
    let column = line[..start].chars().count() + prefix.len();
    let length = line[start..end.max(start)].chars().count();
    let clean = |c: char| if c.is_control() && c != '\t' { '\u{fffd}' } else { c };
    let mut shown: Vec<char> = prefix.chars().chain(line.chars().map(clean)).collect();
    let all = shown.len();
    let longest_skip = all.saturating_sub(LONGEST_EXCERPT);
    let skipped = column.saturating_sub(LONGEST_EXCERPT / 2).min(longest_skip);
    shown.drain(..skipped);
    shown.truncate(LONGEST_EXCERPT);
    let cut_behind = skipped + shown.len() < all;
    if let (true, Some(first)) = (skipped > 0, shown.first_mut()) {
        *first = '…';
    }
    if let (true, Some(last)) = (cut_behind, shown.last_mut()) {
        *last = '…';
    }
    let (line, column): (String, usize) = (shown.into_iter().collect(), column - skipped);
    let room = LONGEST_EXCERPT.saturating_sub(column);
    (!line.trim().is_empty()).then(|| Box::new((line, column, length.min(room))))
}

/// Returns the nearest start of a character at or before `at`.
fn floor_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

/// Lengths of excerpts of a quoted text, of a word, and of a message, characters.
const LONGEST_QUOTED: usize = 80;
const LONGEST_MESSAGE: usize = 3000;

/// Shortens a message that is too long to be read: texts in quotes, words, and the message are cut.
fn shortened(message: &str) -> String {
    if message.len() <= LONGEST_QUOTED {
        return message.to_owned();
    }
    let (mut shown, mut quoted, mut escaped, mut run) = (String::new(), false, false, 0);
    for c in message.chars() {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        if ends || (!quoted && c.is_whitespace()) {
            (quoted, run) = (quoted != ends, 0);
            shown.push(c);
            continue;
        }
        run += 1;
        match run {
            ..=LONGEST_QUOTED => shown.push(c),
            CUT => shown.push('…'),
            _ => {}
        }
    }
    if let Some((end, _)) = shown.char_indices().nth(LONGEST_MESSAGE) {
        shown.truncate(end);
        shown.push('…');
    }
    shown
}

/// The first character that is left out.
const CUT: usize = LONGEST_QUOTED + 1;

/// The parser takes fewer parts of a key, and fewer nested lists and tables, than these.
pub const DEEPEST: usize = 80;

/// Rewrites the messages of the parser of TOML in the words of all others.
pub fn reword(message: &str) -> String {
    if message.starts_with("cannot recurse further") {
        format!(
            "lists and tables are nested too deeply; allowed: fewer than {DEEPEST} in each other"
        )
    } else if message.starts_with("recursion limit") {
        format!("a key has too many parts; allowed: fewer than {DEEPEST}, separated by dots")
    } else {
        message.trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn no(place: std::ops::Range<usize>) -> Problem {
        Code::DoesNotFit.says("no").at(place)
    }

    #[test]
    fn shows_file_line_column_and_a_caret() {
        let overrides = ["tcp.variant=bic".to_owned()];
        let sources = Sources::new("x.toml", "a = 1\nb = \"é\"\n", &overrides);
        assert_eq!(
            sources.error(no(10..14)).to_string(),
            "x.toml:2:5: error: no\n 2 | b = \"é\"\n   |     ^^^"
        );
        let start = sources.overrides()[0].0;
        assert_eq!(
            sources.error(no(start + 12..start + 15)).to_string(),
            "--set tcp.variant=bic: error: no\n  | --set tcp.variant=bic\n  |                   ^^^"
        );
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let text = format!("{}X{}", "a".repeat(5000), "b".repeat(5000));
        let shown = Sources::new("x", &text, &[]).error(no(5000..5001)).to_string();
        let mut lines = shown.lines().skip(1);
        let (line, caret) = (lines.next().unwrap(), lines.next().unwrap());
        assert!(line.chars().count() < 170 && line.contains("| …a") && line.ends_with("b…"));
        let at = caret.chars().position(|c| c == '^').unwrap();
        assert_eq!(line.chars().nth(at), Some('X'));
    }

    #[test]
    fn what_is_too_long_is_cut_and_the_rest_stays() {
        let long = "x".repeat(100_000);
        let shown = shortened(&format!("unknown node \"{long}\" and {long}; allowed: \"a b\""));
        let cut = format!("{}…", "x".repeat(LONGEST_QUOTED));
        assert_eq!(shown, format!("unknown node \"{cut}\" and {cut} allowed: \"a b\""));
        let words = shortened(&"word ".repeat(100_000));
        assert_eq!(words.chars().count(), LONGEST_MESSAGE + 1);
        let quoted = shortened(&format!("found \"{}\\\" y\"; allowed: z", "a b ".repeat(50)));
        assert!(quoted.ends_with("…\"; allowed: z"), "{quoted}");
    }

    #[test]
    fn any_offsets_give_some_place() {
        let sources = Sources::new("x", "é\n", &[]);
        for start in 0..6 {
            for end in 0..6 {
                assert!(sources.error(no(start..end)).to_string().starts_with("x:"));
            }
        }
    }
}
