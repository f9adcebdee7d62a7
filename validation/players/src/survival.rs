//! The share of frames that survive noise (`wifi_per`), each to the tolerance that its case gives.

use crate::case::{Case, Error, cases};
use crate::trial::{Outcome, judged, near, need};
use radio::noise::ratio_from_db;
use radio::{BitCode, CodeRate, Constellation, ErrorModel, Modulation};
use serde_json::Value;

/// Runs a file of frames in noise.
///
/// # Errors
/// Where the file has no list of cases.
pub fn run(file: &str, value: &Value) -> Result<Vec<Case>, Error> {
    Ok(cases(file, value)?.iter().map(|case| judged(file, case, one(case))).collect())
}

fn one(case: &Value) -> Outcome {
    let name = case.pointer("/in/mode").and_then(Value::as_str).unwrap_or_default();
    let modulation = modulation(name).ok_or_else(|| format!("no mode {name:?}"))?;
    let sinr = ratio_from_db(need(case, "/in/snr_db")?);
    let got = ErrorModel::Nist.packet_success(modulation, sinr, need(case, "/in/bits")? as u64);
    let want = need(case, "/expect/success_probability")?;
    near("share that survives", got, want, need(case, "/expect/abs_tol")?)?;
    Ok(String::new())
}

fn modulation(mode: &str) -> Option<Modulation> {
    use CodeRate::{Half, ThreeQuarters, TwoThirds};
    use Constellation::{Bpsk, Qam16, Qam64, Qpsk};
    let ofdm = |constellation, rate| Modulation::Ofdm {
        constellation,
        code: BitCode::convolutional(rate),
    };
    Some(match mode {
        "DsssDbpsk" => Modulation::Dbpsk,
        "DsssDqpsk" => Modulation::Dqpsk,
        "DsssDqpskCck5_5" => Modulation::Cck5_5,
        "DsssDqpskCck11" => Modulation::Cck11,
        "OfdmRate6Mbps" => ofdm(Bpsk, Half),
        "OfdmRate9Mbps" => ofdm(Bpsk, ThreeQuarters),
        "OfdmRate12Mbps" => ofdm(Qpsk, Half),
        "OfdmRate18Mbps" => ofdm(Qpsk, ThreeQuarters),
        "OfdmRate24Mbps" => ofdm(Qam16, Half),
        "OfdmRate36Mbps" => ofdm(Qam16, ThreeQuarters),
        "OfdmRate48Mbps" => ofdm(Qam64, TwoThirds),
        "OfdmRate54Mbps" => ofdm(Qam64, ThreeQuarters),
        _ => return None,
    })
}
