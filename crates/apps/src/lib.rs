//! What offers data: passive sources that are asked when they act next.

mod cbr;
mod config;

pub use cbr::Cbr;
pub use config::AppConfig;
