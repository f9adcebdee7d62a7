//! Physics without protocol: channels that lose bits, and the codes that mend them.

mod channel;
mod closed_form;
mod config;
mod fec;

pub use channel::{Burst, Channel, bit_error_rates};
pub use closed_form::mean_frame_loss;
pub use config::{ChannelConfig, FecConfig, FecModel, Sampling, StatePer};
pub use fec::{Code, Layout, correctable, residual_ber};
