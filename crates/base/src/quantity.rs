//! Quantities: the numbers of an outcome, each declared once with its field.

mod outcome;

pub use outcome::Outcome;

use std::fmt::{self, Display};
use std::ops::RangeInclusive;

/// The combination of several objects' numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Together {
    /// Nothing by itself: the reader has to choose.
    #[default]
    Alone,
    /// Their sum.
    Sum,
    /// The largest.
    Max,
    /// Their mean, weighted by another quantity of the same objects.
    By(&'static str),
    /// The ratio of the sums of two other quantities.
    Over(&'static str, &'static str),
}

impl Display for Together {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Together::Alone => f.write_str("alone"),
            Together::Sum => f.write_str("sum"),
            Together::Max => f.write_str("max"),
            Together::By(weight) => write!(f, "by {weight}"),
            Together::Over(above, below) => write!(f, "{above} over {below}"),
        }
    }
}

/// A number that a run gives for each object of a kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// The kind of objects; empty for the run as a whole.
    pub of: String,
    /// Its path in a row of such objects: `pictures.sent`.
    pub name: String,
    /// Its name for people.
    pub words: String,
    /// Its unit; "1" for a share or an index, empty for other counts.
    pub unit: &'static str,
    /// The least and the largest possible value.
    pub ends: RangeInclusive<f64>,
    /// The combination of several objects' numbers.
    pub together: Together,
    /// The statistics or causes that it consists of.
    pub parts: Vec<(String, Together)>,
    /// True for a count for each name of a list.
    pub by_name: bool,
    /// True where the key is absent in some runs.
    pub optional: bool,
}

/// All quantities of an outcome.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Quantities {
    /// Each, in the order of the outcome's fields.
    pub all: Vec<Quantity>,
    /// The kinds of objects, and the keys of their rows.
    pub kinds: Vec<(String, String)>,
    /// The paths at which a row holds another row of its own kind, and that kind.
    pub within: Vec<(String, String)>,
}

impl Quantities {
    /// Those of an outcome.
    ///
    /// # Panics
    /// If a number has no words.
    pub fn of<T: Outcome>() -> Quantities {
        let mut found = Quantities::default();
        T::list(&Place::default(), &mut found);
        found
    }

    /// The quantity of a place, added if it is not known.
    fn add(&mut self, at: &Place) -> &mut Quantity {
        let same = |each: &Quantity| each.of == at.of && each.name == at.path;
        let known = self.all.iter().position(same).unwrap_or_else(|| {
            self.all.push(at.quantity());
            self.all.len() - 1
        });
        &mut self.all[known]
    }

    fn number(&mut self, at: &Place) {
        if at.words.is_some() {
            self.add(at);
            return;
        }
        let whole = at.whole.as_deref().unwrap_or_else(|| panic!("{} has no words", at.path));
        let part = at.path[whole.path.len() + 1..].to_owned();
        let together = at.together.or(whole.together).unwrap_or_default();
        self.add(whole).parts.push((part, together));
    }
}

/// The quantity that a field declares.
#[derive(Clone, Debug, Default)]
pub struct Stated {
    /// Its name for people. For an object with several quantities: an addition to the name of each.
    pub words: Option<&'static str>,
    /// Its unit, where the end of its name does not say it.
    pub unit: Option<&'static str>,
    /// Its least and largest value, where the unit does not say them.
    pub ends: Option<RangeInclusive<f64>>,
    /// The combination of several objects' numbers.
    pub together: Option<Together>,
    /// True where the key may be absent.
    pub optional: bool,
}

/// A field on the way from a row of a run to its numbers.
#[derive(Clone, Debug, Default)]
pub struct Place {
    of: String,
    path: String,
    words: Option<String>,
    unit: &'static str,
    ends: Option<RangeInclusive<f64>>,
    together: Option<Together>,
    optional: bool,
    /// True where it has no key of its own: its fields are those of the row around it.
    flat: bool,
    /// The field around it, which has words.
    whole: Option<Box<Place>>,
}

impl Place {
    /// A field in here.
    pub fn field(&self, name: &str, stated: &Stated) -> Place {
        let path = [&*self.path, name].into_iter().filter(|step| !step.is_empty());
        Place {
            of: self.of.clone(),
            path: path.collect::<Vec<_>>().join("."),
            words: stated.words.map(|words| joined(words, self.words.as_deref())),
            unit: stated.unit.unwrap_or_else(|| said_by(name)),
            ends: stated.ends.clone(),
            together: stated.together,
            optional: stated.optional || self.optional,
            flat: false,
            whole: self.words.is_some().then(|| Box::new(self.clone())),
        }
    }

    /// A field whose own fields are those of this one.
    pub fn flat(&self) -> Place {
        Place { flat: true, ..self.clone() }
    }

    fn quantity(&self) -> Quantity {
        let most = if self.unit == "1" { 1.0 } else { f64::INFINITY };
        Quantity {
            of: self.of.clone(),
            name: self.path.clone(),
            words: self.words.clone().unwrap_or_default(),
            unit: self.unit,
            ends: self.ends.clone().unwrap_or(0.0..=most),
            together: self.together.unwrap_or_default(),
            parts: Vec::new(),
            by_name: false,
            optional: self.optional,
        }
    }
}

/// The ends of names that say units.
pub const ENDINGS: &[(&str, &str)] =
    &[("_bps", "bit/s"), ("_s", "s"), ("_bytes", "B"), ("_share", "1")];

fn said_by(name: &str) -> &'static str {
    ENDINGS.iter().find(|(ending, _)| name.ends_with(ending)).map_or("", |&(_, unit)| unit)
}

/// Words with those of what is around: in the place of `{}`, else at the end.
fn joined(words: &str, around: Option<&str>) -> String {
    match around {
        None => words.to_owned(),
        Some(around) if words.contains("{}") => words.replace("{}", around),
        Some(around) => format!("{words} {around}"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(dead_code, reason = "only what is declared of the fields is read")]

    use super::*;
    use crate::outcome;
    use std::collections::BTreeMap;

    outcome! {
        /// A time.
        pub struct Spread {
            /// Mean.
            mean: f64;
            /// Largest.
            max: f64, max;
        }

        /// Pictures.
        pub struct Pictures {
            /// Those that came.
            arrived: u64 = "arrived {}", sum;
            /// Their durations.
            delay_s: Option<Spread> = "delay", by arrived;
        }

        /// A flow.
        pub struct Flow<M = ()> {
            /// Its name.
            name: String;
            /// Bits a second.
            rate_bps: f64 = "rate", sum;
            /// A grade.
            grade: f64 = "grade" in "1" of 1.0..=4.5;
            /// Its pictures.
            pictures: Option<Pictures> = "pictures";
            /// By reason.
            lost: BTreeMap<String, u64> = "lost" in "packets", sum;
            /// Others.
            others: M = "others";
            /// Its second leg.
            leg: Option<Box<Flow<M>>>;
        }

        /// A run.
        pub struct Run {
            /// Its flows.
            flows: Vec<Flow<()>> = "flow";
            /// Its index.
            index: Option<f64> = "index" in "1", rate_bps over index;
        }
    }

    #[test]
    fn an_outcome_lists_what_its_fields_state() {
        let Quantities { all, kinds, within } = Quantities::of::<Run>();
        let names: Vec<_> = all.iter().map(|q| (&*q.of, &*q.name, &*q.words, q.unit)).collect();
        assert_eq!(
            names,
            [
                ("flow", "rate_bps", "rate", "bit/s"),
                ("flow", "grade", "grade", "1"),
                ("flow", "pictures.arrived", "arrived pictures", ""),
                ("flow", "pictures.delay_s", "delay pictures", "s"),
                ("flow", "lost", "lost", "packets"),
                ("", "index", "index", "1"),
            ]
        );
        let parts =
            [("mean".to_owned(), Together::By("arrived")), ("max".to_owned(), Together::Max)];
        assert_eq!(all[3].parts, parts);
        assert_eq!([&all[1].ends, &all[5].ends], [&(1.0..=4.5), &(0.0..=1.0)]);
        assert_eq!((all[4].by_name, all[3].by_name), (true, false));
        assert_eq!(all[5].together.to_string(), "rate_bps over index");
        assert_eq!(kinds, [("flow".to_owned(), "flows".to_owned())]);
        assert_eq!(within, [("leg".to_owned(), "flow".to_owned())]);
    }

    #[test]
    #[should_panic(expected = "max has no words")]
    fn a_number_without_words_is_found() {
        outcome! {
            /// One number.
            pub struct Bare {
                /// Nobody knows what.
                max: f64;
            }
        }
        Quantities::of::<Bare>();
    }
}
