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

/// Of a station's attempts: more than slotted contention of a few stations loses.
pub const HIDDEN: f64 = 0.1;

/// Of a station's attempts: with the default of 7 tries next to nothing is lost, but a fifth of the air is.
pub const NOISY: f64 = 0.2;

/// Attempts of a station that are enough for a share of them.
pub const ATTEMPTS: f64 = 100.0;

/// Of the time: what is left is less than interframe spaces and backoff take.
pub const BUSY: f64 = 0.95;

/// Times as many drops as any other queue: it alone sets the pace.
pub const BOTTLENECK: f64 = 10.0;

/// Share dropped, of the offered packets, below which a queue is no bottleneck.
pub const DROPPED: f64 = 0.01;

/// Lines are shown: more would be a list that nobody reads.
pub const MOST: usize = 6;

/// Those that others compare with as well, by name.
pub const SHARED: [(&str, f64); 3] =
    [("LOST", LOST), ("SATISFIED", SATISFIED), ("MOST", MOST as f64)];
