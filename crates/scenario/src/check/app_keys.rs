//! Which keys belong to which application.

use crate::at::{At, Problem};
use crate::spec::{AppKind, AppTable};
use apps::Law;
use std::ops::Range;

/// A key: where it stands, if it is given, its name, and what it is for.
type Key<'a> = (Option<&'a Range<usize>>, &'a str, &'a [AppKind]);

fn place<T>(at: &Option<At<T>>) -> Option<&Range<usize>> {
    at.as_ref().map(|at| &at.place)
}

/// Refuses keys of other applications.
pub fn refuse_strange(app: &AppTable) -> Result<(), Problem> {
    use AppKind::{Bulk, Cbr, RequestResponse, Saturated, ShortFlows, Web};
    let keys: [Key<'_>; 19] = [
        (place(&app.rate), "rate", &[Cbr]),
        (place(&app.payload), "payload", &[Cbr, Saturated]),
        (place(&app.size), "size", &[Bulk, Web, ShortFlows]),
        (place(&app.model), "model", &[Web]),
        (place(&app.sessions), "sessions", &[Web]),
        (place(&app.pages), "pages", &[Web]),
        (place(&app.session_gap), "session_gap", &[Web]),
        (place(&app.think), "think", &[Web, RequestResponse]),
        (place(&app.think_from), "think_from", &[Web]),
        (place(&app.objects), "objects", &[Web]),
        (place(&app.object_gap), "object_gap", &[Web]),
        (place(&app.main_size), "main_size", &[Web]),
        (place(&app.request), "request", &[Web, RequestResponse]),
        (place(&app.response), "response", &[RequestResponse]),
        (place(&app.requests), "requests", &[RequestResponse]),
        (place(&app.interarrival), "interarrival", &[ShortFlows]),
        (place(&app.connections), "connections", &[Web, RequestResponse, ShortFlows]),
        (place(&app.persistent), "persistent", &[Web, RequestResponse]),
        (place(&app.request_apart), "request_apart", &[Web, RequestResponse]),
    ];
    let strange = keys.iter().find_map(|&(place, key, kinds)| {
        let place = place.filter(|_| !kinds.contains(&app.kind))?;
        Some(Problem { place: place.clone(), message: belongs(key, kinds) })
    });
    strange.map_or(Ok(()), Err)
}

fn belongs(key: &str, kinds: &[AppKind]) -> String {
    let names: Vec<String> = kinds.iter().map(|kind| format!("\"{}\"", kind.name())).collect();
    let (word, names) = match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => {
            ("apps", format!("{} and {last}", rest.join(", ")))
        }
        _ => ("app", names.concat()),
    };
    let more = if key == "payload" { "; for TCP see tcp.mss" } else { "" };
    format!("{key} is for the {word} {names}{more}")
}

/// How much a bulk transfer sends: one value, no law.
pub fn bulk_size(app: &AppTable, mss: u32) -> Result<Option<u64>, Problem> {
    let Some(at) = &app.size else { return Ok(None) };
    let drawn = at.value.0;
    let Law::Constant(amount) = drawn.variate.law else {
        return Err(at.problem("a law, where \"bulk\" takes one size; allowed: such as \"64 kB\""));
    };
    let unit = if drawn.packets { u64::from(mss) } else { 1 };
    match amount as u64 {
        0 => Err(at.problem("nothing to send; allowed: 1 B or more")),
        amount => Ok(Some(amount.saturating_mul(unit))),
    }
}
