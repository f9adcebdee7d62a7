//! Random sizes, times and numbers: a value, or a law with its parameters.

use crate::at::Reason;
use crate::code::Code;
use crate::given::as_json;
use crate::read::reads;
use crate::resolved::json;
use crate::units::{Duration, WindowSize};
use crate::value::{NoTable, Value, refuse, values};
use crate::word::Word;
use apps::{Distribution, Variate};
use base::{Given, Named, named};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value as Json;

named! {
    /// A distribution.
    pub enum DistributionName, "law" {
        Constant = "constant": "always `mean`",
        Uniform = "uniform": "any value from `low` to `high` alike",
        Exponential = "exponential": "memoryless, of a `mean`",
        Pareto = "pareto": "P(X > x) = (scale/x)^shape from `scale` on; `shape`, and `mean` or `scale`",
        ParetoII = "pareto2": "P(X > x) = (1 + x/scale)^-shape, ns-2's ParetoII; `shape`, and `mean` or `scale`",
        Lognormal = "lognormal": "its logarithm is normal of deviation `sigma`; `sigma`, and `mean` or `median`",
        Weibull = "weibull": "P(X > x) = exp(-(x/scale)^shape); `shape` and `scale`",
    }
}

/// A plain number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number(pub f64);

/// The largest number of anything; more is a mistake.
const MOST: f64 = 1e12;

impl Value for Number {
    const ALLOWED: &'static str = "a number, zero or more";
    type Table = NoTable;

    fn from_integer(number: i64) -> Result<Self, Reason> {
        Number::from_float(number as f64)
    }
    fn from_float(number: f64) -> Result<Self, Reason> {
        match (0.0..=MOST).contains(&number) {
            true => Ok(Number(number)),
            false => Err(refuse::<Self>(&number.to_string()).but(Code::OutOfRange)),
        }
    }
    fn written(&self) -> Json {
        as_json(&Given::Number(self.0)).unwrap_or_default()
    }
    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0 })
    }
}

values!(Number);

/// A quantity of which a law can be.
pub trait Quantity: Value + Copy {
    /// Returns seconds, bytes, packets or pieces.
    fn amount(self) -> f64;

    /// Returns true for a number of packets.
    fn is_packets(self) -> bool {
        false
    }
}

impl Quantity for Duration {
    fn amount(self) -> f64 {
        self.0.as_secs()
    }
}

impl Quantity for Number {
    fn amount(self) -> f64 {
        self.0
    }
}

impl Quantity for WindowSize {
    fn amount(self) -> f64 {
        match self {
            WindowSize::Bytes(bytes) => bytes as f64,
            WindowSize::Packets(packets) => f64::from(packets),
        }
    }
    fn is_packets(self) -> bool {
        matches!(self, WindowSize::Packets(_))
    }
}

/// A value, or a distribution of such values, as a file gives it.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueOrLaw<Q> {
    /// The value itself.
    Value(Q),
    /// Values drawn by this law.
    Law(LawTable<Q>),
}

/// A distribution with its parameters.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct LawTable<Q> {
    /// The distribution.
    pub law: Word<DistributionName>,
    /// The mean of the whole distribution (constant, exponential, pareto, pareto2, lognormal).
    pub mean: Option<Q>,
    /// The median, below which half of all values are (lognormal).
    pub median: Option<Q>,
    /// The scale parameter (pareto, pareto2, weibull).
    pub scale: Option<Q>,
    /// The smallest value (uniform).
    pub low: Option<Q>,
    /// The largest value (uniform).
    pub high: Option<Q>,
    /// The shape parameter (pareto, pareto2, weibull). With pareto and pareto2 a mean exists only where it is above
    /// 1.
    pub shape: Option<f64>,
    /// The standard deviation of the natural logarithm (lognormal).
    pub sigma: Option<f64>,
    /// The smallest value that is accepted. A value below it is drawn again.
    pub min: Option<Q>,
    /// The largest value that is accepted. A value above it is drawn again.
    pub max: Option<Q>,
}

reads! {
    LawTable<Q> {
        needed law, optional mean, optional median, optional scale, optional low, optional high, optional shape,
        optional sigma, optional min, optional max,
    } unread {}
}

/// A quantity drawn by a law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drawn {
    /// The law and its bounds, in seconds, bytes, packets or pieces.
    pub variate: Variate,
    /// Whether the unit is the packet.
    pub packets: bool,
}

impl Drawn {
    fn constant<Q: Quantity>(value: Q) -> Drawn {
        Drawn { variate: Variate::constant(value.amount()), packets: value.is_packets() }
    }

    fn of<Q: Quantity>(table: &LawTable<Q>) -> Result<Drawn, Reason> {
        let LawTable { mean, median, scale, low, high, min, max, .. } = *table;
        let given = [mean, median, scale, low, high, min, max];
        let packets = given.iter().flatten().any(|quantity| quantity.is_packets());
        if packets && !given.iter().flatten().all(|quantity| quantity.is_packets()) {
            let message = "a law in packets and bytes at once; allowed: one unit";
            return Err(Code::OutOfRange.says(message));
        }
        let least = min.map_or(0.0, Q::amount);
        let most = max.map_or(f64::INFINITY, Q::amount);
        if least > most {
            return Err(Code::OutOfRange.says("min is more than max; allowed: min up to max"));
        }
        Ok(Drawn { variate: Variate { law: law(table)?, least, most }, packets })
    }
}

/// Returns the law of a table, which must have exactly the parameters of its law.
fn law<Q: Quantity>(table: &LawTable<Q>) -> Result<Distribution, Reason> {
    use DistributionName as Name;
    let [mean, median, scale, low, high] =
        [table.mean, table.median, table.scale, table.low, table.high]
            .map(|quantity| quantity.map(Q::amount));
    let (shape, sigma) = (table.shape, table.sigma);
    for (key, value) in [("shape", shape), ("sigma", sigma)] {
        if value.is_some_and(|value| !(value > 0.0 && value <= 1000.0)) {
            let message = format!("{key} is out of range; allowed: more than 0, up to 1000");
            return Err(Code::OutOfRange.says(message));
        }
    }
    if table.shape.is_some_and(|shape| shape <= 1.0) && mean.is_some() {
        return Err("a shape up to 1 leaves no mean; allowed with mean: a shape above 1".into());
    }
    let law = match (table.law.0, mean, median, scale, (low, high), (shape, sigma)) {
        (Name::Constant, Some(mean), None, None, (None, None), (None, None)) => {
            Distribution::Constant(mean)
        }
        (Name::Uniform, None, None, None, (Some(low), Some(high)), (None, None)) => {
            Distribution::Uniform { low, high: high.max(low) }
        }
        (Name::Exponential, Some(mean), None, None, (None, None), (None, None)) => {
            Distribution::Exponential { mean }
        }
        (Name::Pareto, Some(mean), None, None, (None, None), (Some(shape), None)) => {
            Distribution::pareto(mean, shape)
        }
        (Name::Pareto, None, None, Some(scale), (None, None), (Some(shape), None)) => {
            Distribution::Pareto { scale, shape }
        }
        (Name::ParetoII, Some(mean), None, None, (None, None), (Some(shape), None)) => {
            Distribution::pareto_ii(mean, shape)
        }
        (Name::ParetoII, None, None, Some(scale), (None, None), (Some(shape), None)) => {
            Distribution::ParetoII { scale, shape }
        }
        (Name::Lognormal, Some(mean), None, None, (None, None), (None, Some(sigma))) => {
            Distribution::lognormal(mean, sigma)
        }
        (Name::Lognormal, None, Some(median), None, (None, None), (None, Some(sigma))) => {
            Distribution::Lognormal { median, sigma }
        }
        (Name::Weibull, None, None, Some(scale), (None, None), (Some(shape), None)) => {
            Distribution::Weibull { scale, shape }
        }
        (name, ..) => return Err(wanted(name).into()),
    };
    Ok(law)
}

/// Lists the parameters of a law, for a message.
fn wanted(name: DistributionName) -> String {
    use DistributionName as Name;
    let keys = match name {
        Name::Constant | Name::Exponential => "mean",
        Name::Uniform => "low and high",
        Name::Pareto | Name::ParetoII => "shape, and mean or scale",
        Name::Lognormal => "sigma, and mean or median",
        Name::Weibull => "shape and scale",
    };
    let name = name.name();
    format!("the law \"{name}\" takes exactly {keys}, and min and max as any law")
}

/// Types that are a value or a law of such values.
macro_rules! drawn {
    ($($(#[$doc:meta])* $name:ident($quantity:ty), $allowed:literal;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name(pub Drawn, ValueOrLaw<$quantity>);

        impl $name {
            fn constant(value: $quantity) -> Self {
                $name(Drawn::constant(value), ValueOrLaw::Value(value))
            }
        }

        impl Value for $name {
            const ALLOWED: &'static str = $allowed;
            type Table = LawTable<$quantity>;

            fn from_text(text: &str) -> Result<Self, Reason> {
                <$quantity>::from_text(text).map($name::constant)
            }
            fn from_integer(number: i64) -> Result<Self, Reason> {
                <$quantity>::from_integer(number).map($name::constant)
            }
            fn from_float(number: f64) -> Result<Self, Reason> {
                <$quantity>::from_float(number).map($name::constant)
            }
            fn from_table(table: Self::Table) -> Result<Self, Reason> {
                Drawn::of(&table).map(|drawn| $name(drawn, ValueOrLaw::Law(table)))
            }
            fn written(&self) -> Json {
                match &self.1 {
                    ValueOrLaw::Value(value) => value.written(),
                    ValueOrLaw::Law(table) => json(table),
                }
            }
            fn schema(generator: &mut SchemaGenerator) -> Schema {
                let value = generator.subschema_for::<$quantity>();
                let table = generator.subschema_for::<LawTable<$quantity>>();
                json_schema!({ "anyOf": [value, table] })
            }
        }
        values!($name);
    )+};
}

drawn! {
    /// A time, or a law of times.
    TimeLaw(Duration), "a time such as \"15 s\", or a law such as { law = \"exponential\", mean = \"15 s\" }";
    /// A size in bytes or in packets of the MSS, or a law of sizes. What is drawn in packets is rounded up to whole ones.
    SizeLaw(WindowSize), "a size such as \"300 B\" or \"1 packet\", or a law such as { law = \"pareto2\", mean = \"12 packets\", shape = 1.2 }";
    /// A number, or a law of numbers; what is drawn is rounded up.
    CountLaw(Number), "a number, or a law such as { law = \"exponential\", mean = 5 }";
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table<Q>(law: DistributionName) -> LawTable<Q> {
        LawTable {
            law: Word(law),
            mean: None,
            median: None,
            scale: None,
            low: None,
            high: None,
            shape: None,
            sigma: None,
            min: None,
            max: None,
        }
    }

    #[test]
    fn a_law_has_what_it_needs() {
        let bytes = |n| Some(WindowSize::Bytes(n));
        let pareto = LawTable { shape: Some(1.5), ..table(DistributionName::Pareto) };
        let good = LawTable { mean: bytes(3000), max: bytes(9000), ..pareto.clone() };
        let drawn = Drawn::of(&good).unwrap();
        assert_eq!(drawn.variate.law, Distribution::Pareto { scale: 1000.0, shape: 1.5 });
        assert_eq!((drawn.variate.most, drawn.packets), (9000.0, false));
        let why = |table: LawTable<WindowSize>| Drawn::of(&table).unwrap_err();
        assert!(why(pareto.clone()).message.contains("shape, and mean or scale"));
        assert!(
            why(LawTable { median: bytes(1), ..good.clone() }).message.contains("takes exactly")
        );
        assert!(why(LawTable { shape: Some(1.0), ..good.clone() }).message.contains("above 1"));
        assert!(
            why(LawTable { shape: Some(f64::NAN), ..good.clone() })
                .message
                .contains("out of range")
        );
        assert!(
            why(LawTable { min: bytes(9001), ..good.clone() }).message.contains("min up to max")
        );
        let packets = Some(WindowSize::Packets(3));
        assert!(why(LawTable { min: packets, ..good }).message.contains("one unit"));
        let twelve = LawTable { mean: packets, ..pareto };
        assert!(Drawn::of(&twelve).unwrap().packets);
    }
}
