//! Quantities: the numbers of an outcome, each declared once with its field.

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
    /// The quantity of a place, added if it is not known.
    pub(crate) fn add(&mut self, at: &Place) -> &mut Quantity {
        let same = |each: &Quantity| each.of == at.of && each.name == at.path;
        let known = self.all.iter().position(same).unwrap_or_else(|| {
            self.all.push(at.quantity());
            self.all.len() - 1
        });
        &mut self.all[known]
    }

    pub(crate) fn number(&mut self, at: &Place) {
        if at.words.is_some() {
            self.add(at);
            return;
        }
        let whole = at.whole.as_deref().unwrap_or_else(|| panic!("{} has no words", at.path));
        let part = at.path[whole.path.len() + 1..].to_owned();
        let together = at.together.or(whole.together).unwrap_or_default();
        self.add(whole).parts.push((part, together));
    }

    /// Adds the rows of a kind of objects, which the field's words name, and returns where their own fields are;
    /// `None` of a list of what happened, which has no words.
    pub(crate) fn rows(&mut self, at: &Place) -> Option<Place> {
        let kind = at.words.as_ref()?;
        self.kinds.push((kind.clone(), at.path.clone()));
        Some(Place { of: kind.clone(), ..Place::default() })
    }

    /// Adds a row within a row of the same kind.
    pub(crate) fn row_within(&mut self, at: &Place) {
        self.within.push((at.path.clone(), at.of.clone()));
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

    /// The same field, whose value may be left out; one without a key of its own leaves out all its fields.
    pub(crate) fn optional(&self) -> Place {
        Place { optional: self.optional || self.flat, ..self.clone() }
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
