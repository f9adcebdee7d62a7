//! What the receiving end makes of a stream that is played.

use crate::at::Problem;
use crate::spec::{AppKind, AppTable, CodecSpec};
use apps::{Codec, KnownCodec, PlayoutConfig, SourceConfig, Speech};
use base::Span;

/// petrovic2003: a voice packet later than half a second counts as lost.
const VOICE_DEADLINE: Span = Span::millis(500);

/// What the other end makes of it; a constant rate without a deadline is measured as every flow is.
pub fn playout(app: &AppTable, source: &SourceConfig) -> Result<Option<PlayoutConfig>, Problem> {
    if app.kind.0 == AppKind::Cbr && app.deadline.is_none() {
        return Ok(None);
    }
    let default = (app.kind.0 == AppKind::Voice).then_some(VOICE_DEADLINE);
    let deadline = app.deadline.as_ref().map(|at| at.value.0).or(default);
    let fill = match source {
        SourceConfig::OnOff(config) => config.rate.time_for_bits(u64::from(config.payload) * 8),
        _ => Span::ZERO,
    };
    let counts = app.count_packetisation.as_ref().is_some_and(|at| at.value);
    let head_start = if counts { fill } else { Span::ZERO };
    if deadline.is_some_and(|deadline| deadline <= head_start) {
        let message = format!("all would be late; allowed: more than {} s", head_start.as_secs());
        let at = app.deadline.as_ref().map(|at| at.problem(&*message));
        let other = app.count_packetisation.as_ref().map(|at| at.problem(&*message));
        return at.or(other).map_or(Ok(None), Err);
    }
    let speech = (app.kind.0 == AppKind::Voice).then(|| Speech { codec: codec(app), fill });
    let pictures = app.kind.0 == AppKind::Video;
    Ok(Some(PlayoutConfig { deadline, head_start, pictures, speech }))
}

fn codec(app: &AppTable) -> Codec {
    match app.codec.as_ref().map(|at| at.value) {
        Some(CodecSpec::Numbers(table)) => Codec { ie: table.ie, bpl: table.bpl },
        Some(CodecSpec::Named(name)) => name.codec(),
        None => KnownCodec::G72632.codec(),
    }
}
