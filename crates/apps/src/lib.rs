//! What offers data: passive sources that are asked when they act next.

mod cbr;
mod config;
mod variate;
mod web;

pub use cbr::Cbr;
pub use config::AppConfig;
pub use variate::{Law, Variate};
pub use web::{Done, GapFrom, Object, Sizes, Style, Surfer, Tally, WebConfig};
