//! The fields of `tcp_info` that scripts ask for.

use crate::endpoint::Endpoint;
use transport::tcp::Phase;

/// Compares every field; the first that differs. Fields that we do not have are named as such.
pub fn check(endpoint: &Endpoint, checks: &[(String, String)]) -> Result<(), String> {
    for (field, expected) in checks {
        let got = value(endpoint, field).ok_or_else(|| format!("{field} is not modelled"))?;
        if got != constant(expected) {
            return Err(format!("{field} {expected} expected, is {got}"));
        }
    }
    Ok(())
}

/// The constants that scripts name.
fn constant(text: &str) -> i64 {
    match text {
        "TCP_INFINITE_SSTHRESH" => 0x7fff_ffff,
        "TCP_CA_Open" => 0,
        "TCP_CA_Disorder" => 1,
        "TCP_CA_CWR" => 2,
        "TCP_CA_Recovery" => 3,
        "TCP_CA_Loss" => 4,
        number => number.parse().unwrap_or(i64::MIN),
    }
}

fn value(endpoint: &Endpoint, field: &str) -> Option<i64> {
    let sender = &endpoint.sender;
    let state = sender.snapshot();
    let (lost, resent) = sender.lost_and_resent();
    let disorder = state.phase == Phase::Open && (state.sacked > 0 || sender.has_sacked());
    let value = match field.strip_prefix("tcpi_")? {
        "snd_cwnd" => state.cwnd as i64,
        "snd_ssthresh" if state.ssthresh.is_infinite() => 0x7fff_ffff,
        "snd_ssthresh" => state.ssthresh as i64,
        "ca_state" => match state.phase {
            Phase::Open => i64::from(disorder),
            Phase::Recovery => 3,
            Phase::Loss => 4,
        },
        "lost" => lost as i64,
        "retrans" => resent as i64,
        "sacked" => sender.sacked_segments() as i64,
        "unacked" => state.flight.div_ceil(sender.mss()) as i64,
        "reordering" => sender.reordering() as i64,
        _ => return None,
    };
    Some(value)
}
