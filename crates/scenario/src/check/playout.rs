//! What the receiving end makes of a stream that is played.

use crate::at::Problem;
use crate::spec::{AppKind, AppTable, CodecName, CodecSpec};
use apps::{Codec, PlayoutConfig, SourceConfig, Speech};
use base::Span;

/// petrovic2003: a voice packet later than half a second counts as lost.
const VOICE_DEADLINE: Span = Span::millis(500);

/// What the other end makes of it; a constant rate without a deadline is measured as every flow is.
pub fn playout(app: &AppTable, source: &SourceConfig) -> Result<Option<PlayoutConfig>, Problem> {
    if app.kind == AppKind::Cbr && app.deadline.is_none() {
        return Ok(None);
    }
    let default = (app.kind == AppKind::Voice).then_some(VOICE_DEADLINE);
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
    let speech = (app.kind == AppKind::Voice).then(|| Speech { codec: codec(app), fill });
    let pictures = app.kind == AppKind::Video;
    Ok(Some(PlayoutConfig { deadline, head_start, pictures, speech }))
}

/// ITU-T G.113 Appendix I.
fn codec(app: &AppTable) -> Codec {
    let name = match app.codec.as_ref().map(|at| at.value) {
        Some(CodecSpec::Numbers(table)) => return Codec { ie: table.ie, bpl: table.bpl },
        Some(CodecSpec::Named(name)) => name,
        None => CodecName::G72632,
    };
    let (ie, bpl) = match name {
        CodecName::G711 => (0.0, 4.3),
        CodecName::G711Plc => (0.0, 25.1),
        CodecName::G72632 => (7.0, 4.3),
        CodecName::G729a => (11.0, 19.0),
        CodecName::G7231 => (15.0, 16.1),
        CodecName::GsmEfr => (5.0, 10.0),
    };
    Codec { ie, bpl }
}
