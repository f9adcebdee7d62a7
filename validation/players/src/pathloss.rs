//! Received powers (`pathloss`), each to the digits that its case gives.

use crate::case::{Case, Error, cases};
use crate::trial::{Outcome, judged, near, need, numbers};
use radio::Position;
use radio::propagation::{LIGHT_M_PER_S, PathLoss};
use serde_json::Value;

/// Runs a file of received powers.
///
/// # Errors
/// Where the file has no list of cases.
pub fn run(file: &str, value: &Value) -> Result<Vec<Case>, Error> {
    Ok(cases(file, value)?.iter().map(|case| judged(file, case, one(case))).collect())
}

fn one(case: &Value) -> Outcome {
    let gain = model(case)?.gain(position(case, "/in/tx_pos_m")?, position(case, "/in/rx_pos_m")?);
    let got = gain * need(case, "/in/tx_w")?;
    near("power", got, need(case, "/expect/rx_w")?, need(case, "/expect/abs_tol_w")?)?;
    Ok(String::new())
}

fn model(case: &Value) -> Result<PathLoss, String> {
    let wavelength_m = || Ok::<f64, String>(LIGHT_M_PER_S / need(case, "/in/frequency_hz")?);
    let name = case.pointer("/in/model").and_then(Value::as_str).unwrap_or_default();
    Ok(match name {
        "Friis" => PathLoss::Friis {
            wavelength_m: wavelength_m()?,
            system_loss: need(case, "/in/system_loss")?,
        },
        "TwoRayGround" => PathLoss::TwoRayGround {
            wavelength_m: wavelength_m()?,
            system_loss: need(case, "/in/system_loss")?,
            antenna_m: need(case, "/in/antenna_height_above_node_m")?,
        },
        _ if name.starts_with("LogDistance") => PathLoss::LogDistance {
            exponent: need(case, "/in/exponent")?,
            reference_m: need(case, "/in/reference_distance_m")?,
            reference_db: need(case, "/in/reference_loss_db")?,
        },
        _ => return Err(format!("no model {name:?}")),
    })
}

fn position(case: &Value, pointer: &str) -> Result<Position, String> {
    match numbers(case, pointer)[..] {
        [x_m, y_m, z_m] => Ok(Position { x_m, y_m, z_m }),
        _ => Err(format!("{pointer}: three coordinates are needed")),
    }
}
