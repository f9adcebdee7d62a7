//! The fields of `tcp_info` that scripts ask for.

use super::event::Claim;
use transport::tcp::{Endpoint, Phase};

/// Compares every field; the first that differs. Fields that we do not have are named as such.
pub fn check(endpoint: &Endpoint, claims: &[Claim]) -> Result<(), String> {
    for Claim { field, op, value: expected } in claims {
        let got = value(endpoint, field).ok_or_else(|| format!("{field} is not modelled"))?;
        let want =
            constant(expected).ok_or_else(|| format!("{field}: {expected:?} is not read"))?;
        let holds = match op.as_str() {
            "==" | "" => got == want,
            "!=" => got != want,
            "<" => got < want,
            "<=" => got <= want,
            ">" => got > want,
            ">=" => got >= want,
            other => return Err(format!("{field}: the comparison {other:?} is not read")),
        };
        if !holds {
            let op = if op == "==" { "" } else { op };
            let op = if op.is_empty() { String::new() } else { format!("{op} ") };
            return Err(format!("{field} {op}{expected} expected, is {got}"));
        }
    }
    Ok(())
}

/// The constants that scripts name.
fn constant(text: &str) -> Option<i64> {
    let value = match text.trim() {
        "TCP_INFINITE_SSTHRESH" => 0x7fff_ffff,
        "TCP_CA_Open" => 0,
        "TCP_CA_Disorder" => 1,
        "TCP_CA_CWR" => 2,
        "TCP_CA_Recovery" => 3,
        "TCP_CA_Loss" => 4,
        number => match number.strip_prefix("0x") {
            Some(hex) => i64::from_str_radix(hex, 16).ok()?,
            None => number.parse().ok()?,
        },
    };
    Some(value)
}

fn value(endpoint: &Endpoint, field: &str) -> Option<i64> {
    let sender = &endpoint.sender;
    let (state, stats) = (sender.snapshot(), sender.stats());
    let micros = |span: base::Span| (span.0 / 1000) as i64;
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
        "snd_mss" => sender.mss() as i64,
        "rto" => micros(state.rto),
        "rtt" => state.srtt.map_or(0, micros),
        "rttvar" => state.rttvar.map_or(0, micros),
        "total_retrans" => stats.retransmits as i64,
        "bytes_retrans" => stats.bytes_retransmitted as i64,
        "bytes_acked" => state.snd_una.max(1) as i64 - 1,
        "dsack_dups" => stats.dsacks as i64,
        "delivered_ce" => stats.marks as i64,
        _ => return None,
    };
    Some(value)
}
