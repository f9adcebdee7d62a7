//! A serde serializer that writes nothing: it walks along the paths and picks up numbers.

use super::path::{Node, Selector, tree};
use serde::ser::{Impossible, Serialize, SerializeMap, SerializeSeq, SerializeStruct, Serializer};
use std::fmt::{self, Display, Write};

/// Shows `value` to the paths that have come to it, `at`; their ends put numbers into `found`.
pub fn visit<T: Serialize + ?Sized>(
    value: &T,
    nodes: &[Node],
    at: Vec<usize>,
    found: &mut [Vec<f64>],
) {
    // Nothing that a result holds refuses to be read, and a visitor refuses nothing.
    let _ = value.serialize(Visitor { nodes, at, found });
}

/// Every number in `value`, whatever its place; `None` of a null.
fn number<T: Serialize + ?Sized>(value: &T) -> Option<f64> {
    let mut found = [Vec::new()];
    visit(value, &[Node { next: Vec::new(), ends: vec![0] }], vec![0], &mut found);
    found[0].first().copied()
}

/// A place in the result, and all places in the paths that it is.
struct Visitor<'v> {
    nodes: &'v [Node],
    at: Vec<usize>,
    found: &'v mut [Vec<f64>],
}

impl<'v> Visitor<'v> {
    fn tell(self, number: f64) {
        if number.is_finite() {
            for &node in &self.at {
                for &end in &self.nodes[node].ends {
                    self.found[end].push(number);
                }
            }
        }
    }

    fn inside(self) -> Inside<'v> {
        let is_end = self.at.iter().any(|&node| !self.nodes[node].ends.is_empty());
        Inside { visitor: self, is_end, sum: None, mean: None, element: 0, key: String::new() }
    }

    fn field<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) {
        let leads = |selector: &Selector| matches!(selector, Selector::Key(name) if name == key);
        let at: Vec<usize> = self.next(leads).collect();
        if !at.is_empty() {
            visit(value, self.nodes, at, self.found);
        }
    }

    fn element<T: Serialize + ?Sized>(&mut self, place: usize, value: &T) {
        let leads = |selector: &Selector| match selector {
            Selector::Key(_) => false,
            Selector::Place(wanted) => *wanted == place,
            Selector::All(None) => true,
            Selector::All(Some(key)) => {
                let mut found = [Vec::new()];
                let nodes = tree(vec![vec![Selector::Key(key.clone())]]);
                visit(value, &nodes, vec![0], &mut found);
                !found[0].is_empty()
            }
        };
        let at: Vec<usize> = self.next(leads).collect();
        if !at.is_empty() {
            visit(value, self.nodes, at, self.found);
        }
    }

    fn next(&self, leads: impl Fn(&Selector) -> bool) -> impl Iterator<Item = usize> {
        let steps = self.at.iter().flat_map(|&node| &self.nodes[node].next);
        steps.filter(move |(step, _)| leads(step)).map(|&(_, next)| next)
    }
}

/// A key as text: serde writes keys into a formatter as they are.
struct Shown<'k, T: ?Sized>(&'k T);

impl<T: Serialize + ?Sized> Display for Shown<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.serialize(f)
    }
}

/// Within a map or a list.
struct Inside<'v> {
    visitor: Visitor<'v>,
    /// Some path ends at this map.
    is_end: bool,
    sum: Option<f64>,
    mean: Option<f64>,
    element: usize,
    key: String,
}

impl Inside<'_> {
    fn value<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) {
        self.visitor.field(key, value);
        if !self.is_end {
            return;
        }
        if let Some(number) = number(value) {
            self.sum = Some(self.sum.unwrap_or(0.0) + number);
            if key == "mean" {
                self.mean = Some(number);
            }
        }
    }

    fn close(self) {
        // An empty map counts nothing; one that is null is not here.
        let number = self.mean.or(self.sum).unwrap_or(0.0);
        self.visitor.tell(number);
    }
}

/// A visitor refuses nothing; serde asks for an error all the same.
#[derive(Debug)]
struct Never;

impl Display for Never {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not read")
    }
}

impl std::error::Error for Never {}

impl serde::ser::Error for Never {
    fn custom<T: Display>(_: T) -> Never {
        Never
    }
}

macro_rules! numbers {
    ($($method:ident: $type:ty),+) => {$(
        fn $method(self, value: $type) -> Result<(), Never> {
            self.tell(value as f64);
            Ok(())
        }
    )+};
}

type No = Impossible<(), Never>;

impl<'v> Serializer for Visitor<'v> {
    type Ok = ();
    type Error = Never;
    type SerializeSeq = Inside<'v>;
    type SerializeTuple = No;
    type SerializeTupleStruct = No;
    type SerializeTupleVariant = No;
    type SerializeMap = Inside<'v>;
    type SerializeStruct = Inside<'v>;
    type SerializeStructVariant = No;

    numbers!(serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64);
    numbers!(serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64);
    numbers!(serialize_f32: f32, serialize_f64: f64);

    fn serialize_bool(self, value: bool) -> Result<(), Never> {
        self.tell(f64::from(u8::from(value)));
        Ok(())
    }

    fn serialize_char(self, _: char) -> Result<(), Never> {
        self.tell(1.0);
        Ok(())
    }

    fn serialize_str(self, _: &str) -> Result<(), Never> {
        self.tell(1.0);
        Ok(())
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<(), Never> {
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Never> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Never> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Never> {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Never> {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<(), Never> {
        self.tell(1.0);
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Never> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Never> {
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Inside<'v>, Never> {
        Ok(self.inside())
    }

    fn serialize_tuple(self, _: usize) -> Result<No, Never> {
        Err(Never)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<No, Never> {
        Err(Never)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<No, Never> {
        Err(Never)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Inside<'v>, Never> {
        Ok(self.inside())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Inside<'v>, Never> {
        Ok(self.inside())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<No, Never> {
        Err(Never)
    }
}

impl SerializeSeq for Inside<'_> {
    type Ok = ();
    type Error = Never;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Never> {
        self.visitor.element(self.element, value);
        self.element += 1;
        Ok(())
    }

    fn end(self) -> Result<(), Never> {
        Ok(())
    }
}

impl SerializeStruct for Inside<'_> {
    type Ok = ();
    type Error = Never;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Never> {
        self.value(key, value);
        Ok(())
    }

    fn end(self) -> Result<(), Never> {
        self.close();
        Ok(())
    }
}

impl SerializeMap for Inside<'_> {
    type Ok = ();
    type Error = Never;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Never> {
        self.key.clear();
        let _ = write!(self.key, "{}", Shown(key));
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Never> {
        let key = std::mem::take(&mut self.key);
        self.value(&key, value);
        self.key = key;
        Ok(())
    }

    fn end(self) -> Result<(), Never> {
        self.close();
        Ok(())
    }
}
