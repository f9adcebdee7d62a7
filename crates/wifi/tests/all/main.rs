//! One binary for all tests of this crate: they link the same crates, once.

mod access;
mod aggregates_apart;
mod aggregates_equal;
mod aggregates_roam;
mod agreements;
mod agreements_end;
mod arrivals_equal;
mod association;
mod bystanders;
mod channels;
mod driver;
mod driver_queue;
mod durations;
mod lifetimes;
mod medium_effects;
mod medium_equals_cell;
mod medium_equals_referee;
mod medium_promises;
mod older_rates;
mod qos_saturation;
mod rate_control;
mod saturation;
mod saturation_models;
mod support;
mod txops;
