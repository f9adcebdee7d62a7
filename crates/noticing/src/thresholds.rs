//! Thresholds of findings. Each has its reason; they only decide whether a line is printed.

/// A queue whose mean length is this share of its longest was full nearly all the time.
pub const FULL: f64 = 0.9;

/// Packets: a shorter queue may be full and costs little time.
pub const LONG: f64 = 5.0;

/// Of the fair share: as the word "starved" has it in verdicts (`numbers/words.toml`).
pub const STARVED: f64 = 0.05;

/// Share lost, of packets with a known outcome, above which a delay of survivors flatters and a voice codec
/// fails.
pub const LOST: f64 = 0.1;

/// MOS: below R = 70, 3.6, many users are dissatisfied (ITU-T G.107, Annex B).
pub const SATISFIED: f64 = 3.6;

/// Of a call's packets: at fewer losses G.711 without concealment keeps R at 75 (ITU-T G.113, Bpl 4.3).
pub const PLAYED: f64 = 0.01;

/// Packets beyond a quantile: with fewer its relative error is some 30 % or more (1 / sqrt 10).
pub const TAIL: f64 = 10.0;

/// Seconds measured: with fewer the warm-up that is advised, 5 s, would leave less than half of them.
pub const WARMED: f64 = 10.0;

/// Of a station's attempts: more than slotted contention of a few stations loses.
pub const HIDDEN: f64 = 0.1;

/// Of a station's attempts: with the default of 7 tries next to nothing is lost, but a fifth of the air is.
pub const NOISY: f64 = 0.2;

/// Attempts of a station that are enough for a share of them.
pub const ATTEMPTS: f64 = 100.0;

/// Of the time: what is left is less than interframe spaces and backoff take.
pub const BUSY: f64 = 0.95;

/// Of the time: a station that holds less of the air, such as one that only acknowledges, takes little from others.
pub const SHARING: f64 = 0.05;

/// Of the measured time: a flow that is active for this share or more began with the run.
pub const WHOLE: f64 = 0.99;

/// A cause dominates with this share of the time, or of window cuts: twice as much as all else together.
pub const DOMINATES: f64 = 2.0 / 3.0;

/// Of the time: what a loss-based law leaves of a link whose queue is as short as half its window's swing is less
/// (Appenzeller et al. 2004: three quarters with no queue at all).
pub const FULL_LINK: f64 = 0.9;

/// Window cuts that are enough to say what causes them.
pub const CUTS: f64 = 3.0;

/// Share of a datagram flow's packets under which all comes through: G.711 without concealment keeps its rating at fewer
/// losses (as [`PLAYED`]).
pub const THROUGH: f64 = PLAYED;

/// Packets of a flow of datagrams that wait at an interface on average: with fewer each has gone before the next comes.
pub const WAITING: f64 = 1.0;

/// Times the smallest round trip: at a shorter one half of what is under way or more is on the wires, not in queues.
pub const SHORT: f64 = 2.0;

/// Lines are shown: more would be a list that nobody reads.
pub const MOST: usize = 6;

/// Those that others compare with as well, by name.
pub const SHARED: [(&str, f64); 3] =
    [("LOST", LOST), ("SATISFIED", SATISFIED), ("MOST", MOST as f64)];
