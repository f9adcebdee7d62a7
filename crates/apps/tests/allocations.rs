//! Once a source and the other end are made, nothing in them allocates but a histogram, when a gap is the first of its octave.

use apps::{
    Begins, BurstRule, FilmModel, Law, OnOffConfig, PeriodicConfig, Pictures, Playout,
    PlayoutConfig, Source, SourceConfig, Start, Times, Trace, TraceFormat, VideoConfig,
};
use base::{Rate, Seed, Span, Time};
use counting::{Counting, allocations};
use std::sync::Arc;

#[global_allocator]
static COUNTING: Counting = Counting;

fn on_off(law: Law, rule: BurstRule) -> SourceConfig {
    let times = Times { law, mean: Span::millis(500) };
    SourceConfig::OnOff(OnOffConfig {
        payload: 210,
        rate: Rate(64_000),
        burst: times,
        idle: times,
        rule,
        begins: Begins::Stationary,
    })
}

fn sources() -> Vec<SourceConfig> {
    let trace = Trace::read("2500\n300\n0\n", TraceFormat::Sizes, Some(Span::millis(40)));
    let trace = Arc::new(trace.expect("it is one"));
    let video = |pictures| SourceConfig::Video(VideoConfig { pictures, packet: 500 });
    let (interval, jitter) = (Span::millis(60), Span::millis(10));
    vec![
        SourceConfig::Cbr { payload: 210, rate: Rate(448_000) },
        SourceConfig::Periodic(PeriodicConfig { payload: 42, interval, jitter }),
        on_off(Law::Exponential, BurstRule::Packets),
        on_off(Law::Pareto { shape: 1.5 }, BurstRule::Time),
        video(Pictures::Trace { trace, start: Start::Drawn, looped: true }),
        video(Pictures::Model(FilmModel::StarWarsIvHigh)),
        video(Pictures::Model(FilmModel::LectureRoomCamVbr)),
    ]
}

/// The bit of a gap's octave; all below 16 ns share one, as in the histogram.
fn octave(gap: Span) -> u64 {
    1 << gap.0.max(15).ilog2()
}

/// Ten thousand acts, every datagram of which arrives 30 ms later or, one in ten, is lost; with a measurement that begins.
#[test]
fn nothing_allocates_once_it_is_made() {
    for config in sources() {
        let seed = Seed { seed: 1, replication: 0 };
        let mut source = Source::new(&config, (seed, 0), Span::secs(600));
        let (deadline, pictures) = (Some(Span::millis(20)), true);
        let mut playout =
            Playout::new(PlayoutConfig { deadline, pictures, ..PlayoutConfig::default() });
        let (mut now, mut number, before) = (Time::ZERO, 0, allocations());
        // A bit for each octave of gaps, in the warm-up and in the measurement.
        let (mut last, mut octaves, mut measured) = (Time::ZERO, [0_u64; 2], 0);
        for turn in 0..10_000 {
            if turn == 500 {
                playout.begin_measurement();
                measured = 1;
            }
            let act = source.act(now);
            let datagrams = act.bytes.div_ceil(source.largest());
            playout.on_sent(number, datagrams);
            for _ in 0..datagrams {
                if number % 10 == 9 {
                    playout.on_lost(number);
                } else {
                    octaves[measured] |= octave(now.since(last));
                    last = now;
                    playout.on_datagram(now + Span::millis(30), now, number);
                }
                number += 1;
            }
            now = act.next;
        }
        let allocated = allocations() - before;
        // The histogram of gaps grows when a gap is the first of its octave, and starts anew with the measurement.
        let most = octaves.iter().map(|seen| u64::from(seen.count_ones())).sum();
        assert!(allocated <= most, "{allocated} allocations for {most} octaves: {config:?}");
        assert!(playout.heard() > 5000 && playout.late() == playout.heard(), "{config:?}");
    }
}
