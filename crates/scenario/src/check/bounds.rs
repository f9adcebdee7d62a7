//! Bounds of numbers, sizes and positions, for all tables.

use crate::at::{At, Problem};
use crate::units::Size;
use net::LARGEST_PACKET;
use radio::Position;
use std::fmt::Display;

/// Returns a size that fits a packet.
pub fn packet_part(size: &At<Size>) -> Result<u32, Problem> {
    match u32::try_from(size.value.0) {
        Ok(bytes) if bytes <= LARGEST_PACKET => Ok(bytes),
        _ => Err(size.out_of_range(format!(
            "{} B do not fit a packet; allowed: at most {LARGEST_PACKET} B",
            size.value.0
        ))),
    }
}

/// Refuses a packet whose payload and header are together too large, or whose payload is nothing.
pub fn refuse_packet<T>(at: &At<T>, payload: u32, header: u32) -> Result<(), Problem> {
    if payload == 0 {
        return Err(at.out_of_range("an empty payload; allowed: 1 B or more"));
    }
    if payload.saturating_add(header) > LARGEST_PACKET {
        let most = LARGEST_PACKET.saturating_sub(header);
        return Err(at.out_of_range(format!(
            "too large beside {header} B of headers; allowed: at most {most} B"
        )));
    }
    Ok(())
}

/// Returns a number within bounds, or the default.
pub fn number<T: Copy + PartialOrd + Display>(
    at: Option<&At<T>>,
    default: T,
    bounds: (T, T),
) -> Result<T, Problem> {
    at.map_or(Ok(default), |at| bounded(at, bounds))
}

/// Returns a number within bounds.
pub fn bounded<T: Copy + PartialOrd + Display>(
    at: &At<T>,
    (least, most): (T, T),
) -> Result<T, Problem> {
    if (least..=most).contains(&at.value) {
        return Ok(at.value);
    }
    Err(at.out_of_range(format!("{} is out of range; allowed: {least} to {most}", at.value)))
}

/// Returns the payload of packets that have `header` bytes before it.
pub fn payload(size: &At<Size>, header: u32) -> Result<u32, Problem> {
    let payload = packet_part(size)?;
    refuse_packet(size, payload, header)?;
    Ok(payload)
}

/// Returns a position, m.
pub fn vector(at: &At<Vec<f64>>) -> Result<Position, Problem> {
    let fits = |x: &f64| x.abs() <= 1e7;
    match at.value[..] {
        [x_m, y_m] if [x_m, y_m].iter().all(fits) => Ok(Position::flat(x_m, y_m)),
        [x_m, y_m, z_m] if [x_m, y_m, z_m].iter().all(fits) => Ok(Position { x_m, y_m, z_m }),
        _ => {
            Err(at.out_of_range("allowed: [east, north] or [east, north, up], each up to 10000 km"))
        }
    }
}
