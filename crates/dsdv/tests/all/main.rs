//! Routers that hear each other, or do not.

mod loops;
mod rules;
