//! The low-density parity-check codes of 802.11, simulated: how many code words a receiver loses by the signal-to-noise ratio.
//!
//! What lasthop itself knows of them is two numbers a curve (`radio`'s `errors/ldpc.rs`), which the program of this crate
//! writes. It is in no wheel.

mod code;
mod decoder;
mod fit;
mod frames;
mod limit;
mod link;
mod lists;
mod points;
mod sum_product;
mod tables;

pub use code::{Block, Code};
pub use decoder::{Decode, ITERATIONS, MinSum};
pub use fit::{Curve, Point, fit};
pub use frames::{Frame, HIGHEST_MCS};
pub use limit::least_db;
pub use link::{Link, Sent};
pub use lists::CONSTELLATIONS;
pub use points::{Effort, measure};
pub use sum_product::SumProduct;
pub use tables::{SHARE, ns3_db, thresholds};
