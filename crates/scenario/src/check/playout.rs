//! The playout of a stream at the receiver.

use crate::at::{At, Problem};
use crate::spec::{AppSpec, CodecSpec, VoiceTable};
use crate::units::Duration;
use apps::{Codec, PlayoutConfig, SourceConfig, Speech};
use base::Span;

/// Returns the playout of an application; a constant rate without a deadline has none and is measured as every flow is.
pub fn playout(app: &AppSpec, source: &SourceConfig) -> Result<Option<PlayoutConfig>, Problem> {
    let plain = |deadline: &Option<At<Duration>>| PlayoutConfig {
        deadline: deadline.as_ref().map(|at| at.value.0),
        head_start: Span::ZERO,
        pictures: matches!(app, AppSpec::Video(_)),
        speech: None,
    };
    let deadline = match app {
        AppSpec::Voice(table) => return voice(table, source).map(Some),
        AppSpec::Cbr(table) if table.deadline.is_none() => return Ok(None),
        AppSpec::Cbr(table) => &table.deadline,
        AppSpec::Periodic(table) => &table.deadline,
        AppSpec::OnOff(table) => &table.deadline,
        AppSpec::Game(table) => &table.deadline,
        AppSpec::Video(table) => &table.deadline,
        _ => return Ok(None),
    };
    refuse_late(deadline.as_ref(), Span::ZERO)?;
    Ok(Some(plain(deadline)))
}

fn voice(app: &VoiceTable, source: &SourceConfig) -> Result<PlayoutConfig, Problem> {
    let fill = match source {
        SourceConfig::OnOff(config) => config.rate.time_for_bits(u64::from(config.payload) * 8),
        _ => Span::ZERO,
    };
    let (deadline, counts) = (app.deadline(), app.count_packetisation());
    let head_start = if counts.value { fill } else { Span::ZERO };
    let said = app
        .deadline
        .clone()
        .or_else(|| app.count_packetisation.as_ref().map(|at| at.with(deadline.value)));
    refuse_late(said.as_ref(), head_start)?;
    let speech = Some(Speech { codec: codec(&app.codec().value), fill });
    Ok(PlayoutConfig { deadline: Some(deadline.value.0), head_start, pictures: false, speech })
}

fn refuse_late(deadline: Option<&At<Duration>>, head_start: Span) -> Result<(), Problem> {
    let Some(at) = deadline.filter(|at| at.value.0 <= head_start) else { return Ok(()) };
    Err(at.out_of_range(format!(
        "every datagram would be late; allowed: more than {} s",
        head_start.as_secs()
    )))
}

fn codec(spec: &CodecSpec) -> Codec {
    match spec {
        CodecSpec::Numbers(table) => Codec { ie: table.ie, bpl: table.bpl },
        CodecSpec::Named(name) => name.codec(),
    }
}
