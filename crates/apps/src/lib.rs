//! Applications and their receivers: passive parts that name the time of their next action.

mod cbr;
mod config;
mod on_off;
mod on_times;
mod periodic;
mod pictures;
mod playout;
mod source;
mod speech;
mod times;
mod variate;
mod video;
mod web;

pub use cbr::Cbr;
pub use config::AppConfig;
pub use on_off::{Begins, BurstRule, OnOff, OnOffConfig, OnOffRules, OnTimesRules, VoiceRules};
pub use on_times::{OnTimes, OnTimesConfig, Turn};
pub use periodic::{Periodic, PeriodicConfig};
pub use pictures::PictureCounts;
pub use playout::{Playout, PlayoutConfig, Speech};
pub use source::{Act, DatagramConfig, Source, SourceConfig};
pub use speech::{Codec, KnownCodec, opinion};
pub use times::{Law, Times};
pub use variate::{Distribution, Variate};
pub use video::{FilmModel, Pictures, Start, Trace, TraceError, TraceFormat, VideoConfig};
pub use web::{Done, GapFrom, Object, Sizes, Style, Surfer, Tally, WebConfig};
