//! Videos: by a film's statistics, or by a trace.

use super::bounds::payload;
use crate::at::{At, Problem, Reason};
use crate::files::Files;
use crate::spec::{Offset, VideoTable};
use apps::{FilmModel, Pictures, SourceConfig, Start, Trace, TraceFormat, VideoConfig};
use base::{Named, Span};
use std::sync::Arc;

/// More packets of one picture than this are a mistake: they all leave at once.
const MOST_PACKETS: u32 = 20_000;

/// Returns a video; `missing` makes the problem of a missing key.
pub fn video(
    app: &VideoTable,
    header: u32,
    files: &Files,
    missing: impl Fn(&str) -> Problem,
) -> Result<SourceConfig, Problem> {
    let packet = payload(&app.payload(), header)?;
    let pictures = match (&app.film, &app.file) {
        (Some(film), None) => {
            refuse_with_film(app)?;
            Pictures::Model(film.value.0)
        }
        (None, Some(file)) => trace(app, (file, packet), files, missing)?,
        (Some(_), Some(file)) => {
            return Err(file.problem("a film and a file; leave one of them out"));
        }
        (None, None) => {
            let names = FilmModel::names().join(", ");
            return Err(missing(&format!("\"film\" ({names}) or \"file\"")));
        }
    };
    Ok(SourceConfig::Video(VideoConfig { pictures, packet }))
}

fn refuse_with_film(app: &VideoTable) -> Result<(), Problem> {
    let strange = [
        app.format.as_ref().map(|at| ("format", &at.place)),
        app.r#loop.as_ref().map(|at| ("loop", &at.place)),
        app.offset.as_ref().map(|at| ("offset", &at.place)),
        app.interval.as_ref().map(|at| ("interval", &at.place)),
    ];
    match strange.into_iter().flatten().next() {
        None => Ok(()),
        Some((key, place)) => {
            let message = format!(
                "{key} is for a video by file; a film by its model has 25 pictures a second and is drawn anew for each run"
            );
            Err(Reason::from(message).at(place.clone()))
        }
    }
}

fn trace(
    app: &VideoTable,
    (file, packet): (&At<String>, u32),
    files: &Files,
    missing: impl Fn(&str) -> Problem,
) -> Result<Pictures, Problem> {
    let Some(format) = &app.format else {
        let names = TraceFormat::names().join(", ");
        return Err(missing(&format!("\"format\"; allowed: {names}")));
    };
    let interval = app.interval.as_ref().map(|at| at.value.0);
    if let Some(at) = app.interval.as_ref().filter(|_| interval < Some(Span::micros(1))) {
        return Err(at.out_of_range("too short; allowed: 1 us or more"));
    }
    let text = files.text(file).map_err(|why| file.problem(why))?;
    let trace = Trace::read(text, format.value.0, interval)
        .map_err(|error| file.problem(format!("{}:{}: {}", file.value, error.line, error.what)))?;
    let most = trace.pictures().iter().map(|picture| picture.bytes).max().unwrap_or(0);
    if most.div_ceil(packet) > MOST_PACKETS {
        let message = format!(
            "a picture of {most} B in packets of {packet} B; allowed: up to {MOST_PACKETS} packets"
        );
        return Err(app
            .payload
            .as_ref()
            .map_or(file.out_of_range(&*message), |at| at.out_of_range(&*message)));
    }
    let start = match app.offset().value {
        Offset::At(offset) => Start::At(offset.0),
        Offset::Drawn => Start::Drawn,
    };
    let looped = app.r#loop().value;
    Ok(Pictures::Trace { trace: Arc::new(trace), start, looped })
}
