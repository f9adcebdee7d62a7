//! Once a source and the other end are made, nothing in them allocates but a histogram, when a gap is the first of its octave.

#![allow(unsafe_code, reason = "an allocator that counts is an unsafe trait")]

use apps::{
    Begins, BurstRule, FilmModel, Law, OnOffConfig, PeriodicConfig, Pictures, Playout,
    PlayoutConfig, Source, SourceConfig, Start, Times, Trace, TraceFormat, VideoConfig,
};
use base::{Rate, Seed, Span, Time};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, counting for each thread. What grows comes through `alloc` by `GlobalAlloc`'s own `realloc`.
struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // A thread that ends has no counter any more.
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(place, layout) }
    }
}

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

/// Ten thousand acts, every datagram of which arrives 30 ms later or, one in ten, is lost; with a measurement that begins.
#[test]
fn nothing_allocates_once_it_is_made() {
    for config in sources() {
        let seed = Seed { seed: 1, replication: 0 };
        let mut source = Source::new(&config, (seed, 0), Span::secs(600));
        let (deadline, pictures) = (Some(Span::millis(20)), true);
        let mut playout =
            Playout::new(PlayoutConfig { deadline, pictures, ..PlayoutConfig::default() });
        let (mut now, mut number, before) = (Time::ZERO, 0, ALLOCATIONS.get());
        for turn in 0..10_000 {
            if turn == 500 {
                playout.begin_measurement();
            }
            let act = source.act(now);
            let datagrams = act.bytes.div_ceil(source.largest());
            playout.on_sent(number, datagrams);
            for _ in 0..datagrams {
                if number % 10 == 9 {
                    playout.on_lost(number);
                } else {
                    playout.on_datagram(now + Span::millis(30), now, number);
                }
                number += 1;
            }
            now = act.next;
        }
        let allocated = ALLOCATIONS.get() - before;
        // The histogram of gaps grows when a gap is the first of its octave: in the warm-up and in the measurement for each
        // power of two between a nanosecond and a quarter of an hour at most, however many datagrams come.
        assert!(allocated <= 2 * 40, "{allocated} allocations: {config:?}");
        assert!(playout.heard() > 5000 && playout.late() == playout.heard(), "{config:?}");
    }
}
