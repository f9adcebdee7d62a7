//! Propagation: path loss, shadowing, fading. All are functions of place and time; nothing ticks.

mod closed_form;
mod fading;
mod path_loss;
mod shadowing;

pub use closed_form::{rician_outage, shadowed_share};
pub use fading::{Fading, FadingConfig};
pub use path_loss::{LIGHT_M_PER_S, LogDistance, NS2_LIGHT_M_PER_S, PathLoss, wavelength_m};
pub use shadowing::{FreshNumbers, Shadowing, ShadowingConfig};
