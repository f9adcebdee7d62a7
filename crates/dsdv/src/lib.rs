//! DSDV: destination-sequenced distance vectors (Perkins and Bhagwat, SIGCOMM 1994), with the rules and constants that ns-2's
//! `dsdv.cc` gave it.
//!
//! A [`Router`] takes `(input, now)` and answers with updates to broadcast and its next timeout; nothing here
//! knows packets, links or clocks. Each node numbers its own entries, in even numbers; a node that loses a
//! neighbour makes the number of each route through it odd and its metric infinite. Of two routes the one
//! with the larger number is used, and of two with the same number the shorter: so no routes form a loop.
//!
//! Not modelled: ways marked as broken at once when the MAC gives up a frame (ns-2's `use_mac_`, off by default).

mod compose;
mod route;
mod router;
mod update;

pub use router::{Router, Settings};
pub use update::{Advert, INFINITE, Update};
