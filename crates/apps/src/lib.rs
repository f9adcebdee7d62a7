//! What offers data, and what becomes of it at the other end: passive parts that are asked when they act next.

mod cbr;
mod config;
mod on_off;
mod periodic;
mod playout;
mod source;
mod times;
mod variate;
mod web;

pub use cbr::Cbr;
pub use config::AppConfig;
pub use on_off::{Begins, BurstRule, OnOff, OnOffConfig};
pub use periodic::{Periodic, PeriodicConfig};
pub use playout::{Playout, PlayoutConfig};
pub use source::{Act, DatagramConfig, Source, SourceConfig};
pub use times::{Law, Times};
pub use variate::{Distribution, Variate};
pub use web::{Done, GapFrom, Object, Sizes, Style, Surfer, Tally, WebConfig};
