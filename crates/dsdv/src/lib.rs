//! DSDV: destination-sequenced distance vectors (Perkins and Bhagwat, SIGCOMM 1994), with the rules and constants that ns-2's
//! `dsdv.cc` gave it.
//!
//! A [`Router`] is told `(input, now)` and answers with updates to be broadcast and its next timeout; nothing here knows of
//! packets, links or clocks. Each node numbers what it says of itself, in even numbers; who loses a neighbour makes the number
//! of each way by it odd and its metric infinite. Of two ways the one with the larger number is believed, and of two with the
//! same number the shorter: so no ways lead in a circle.
//!
//! Not modelled: ways marked as broken at once when the MAC gives up a frame (ns-2's `use_mac_`, off by default).

mod compose;
mod route;
mod router;
mod update;

pub use router::{Router, Settings};
pub use update::{Advert, INFINITE, Update};
