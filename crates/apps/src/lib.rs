//! What offers data: passive sources that are asked when they act next.

mod config;

pub use config::AppConfig;
