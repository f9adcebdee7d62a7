//! Physics without protocol: channels that lose bits and the codes that mend them; power on its way; bit errors by
//! signal and noise; places and movement.

mod chain;
mod channel;
mod closed_form;
mod config;
mod errors;
mod fec;
pub mod mobility;
mod modulation;
pub mod noise;
mod position;
pub mod propagation;
mod threshold;

pub use chain::{Chain, ChannelRules, Sampling, State};
pub use channel::{Burst, Channel, HeaderBits};
pub use closed_form::mean_frame_loss;
pub use config::{ChannelConfig, FecConfig, FecModel, FecSettings, StatePer};
pub use errors::{ErrorModel, HazardTable, HazardTables};
pub use fec::{Code, Layout, correctable, residual_ber};
pub use modulation::{BitCode, CodeRate, Constellation, Modulation, Word};
pub use position::Position;
pub use threshold::Thresholds;
