//! Charts of media: a lane for each station, with shares of each step and single frames.

use crate::document::Document;
use crate::names::Names;
use crate::number::Number;
use crate::order::descending;
use serde::ser::{Serialize, Serializer};

/// The most stations with a lane: of more, those with most time on the air, and the others share one.
const LANES: usize = 12;

/// The most frames of a page, of all media: of more, those of some periods, evenly over the run.
const FRAMES: usize = 3_000;

/// The most frames of a run that are shown or left out together.
const PART: usize = 100;

/// Times of frames are whole numbers of this part of a second.
const UNIT: f64 = 1e7;

/// The lane of the stations without one.
const OTHERS: &str = "other stations";

/// The grid that all media share.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// The length of a step, s.
    pub step: f64,
    /// The number of them.
    pub count: usize,
    /// The most single frames of a chart.
    pub room: usize,
}

impl Steps {
    /// The grid of a run.
    pub fn new(document: &Document, count: usize) -> Steps {
        let media: usize = ["airtime", "symbols"]
            .map(|probe| document.probe(probe).column("cell").names().len())
            .iter()
            .sum();
        Steps { step: document.duration_s / count as f64, count, room: FRAMES / media.max(1) }
    }

    /// The step that begins at a time.
    pub fn at(&self, time_s: f64) -> usize {
        ((time_s / self.step).round_ties_even() as usize).min(self.count - 1)
    }
}

/// A map in the order of its keys here.
#[derive(Clone, Debug)]
pub struct Keyed<T>(pub Vec<(&'static str, T)>);

impl<T: Serialize> Serialize for Keyed<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// A chart of a medium.
#[derive(Clone, Debug, serde::Serialize)]
pub struct AirChart {
    pub kind: &'static str,
    /// "802.11", "802.16" or "LAN".
    pub medium: &'static str,
    pub title: String,
    pub unit: &'static str,
    pub lines: [(); 0],
    pub lanes: Vec<String>,
    /// The length of a step, s.
    pub step: f64,
    /// By lane, use and step the share of time; nothing where it is none in all.
    pub bins: Vec<Vec<Vec<Number>>>,
    /// The frames of the run.
    pub all: f64,
    /// The frames that are drawn.
    pub drawn: usize,
    pub shares: Keyed<f64>,
    /// Stations, by the numbers in `frames`.
    pub names: Vec<String>,
    /// Lists of the same length; `at` has differences, and times are in parts of 100 ns. `mpdus` alone is longer: three numbers
    /// for each of the `runs` of each frame.
    pub frames: Keyed<Vec<i64>>,
    /// From when to when all frames are there, s.
    pub known: Vec<[Number; 2]>,
}

/// A time in parts of 100 ns.
pub fn parts(time_s: f64) -> i64 {
    (time_s * UNIT).round_ties_even() as i64
}

/// Differences of each number to the one before.
pub fn gaps(numbers: impl Iterator<Item = i64>) -> Vec<i64> {
    let mut before = 0;
    numbers.map(|number| number - std::mem::replace(&mut before, number)).collect()
}

/// A period in which all frames are there.
pub fn period(begin_s: f64, ends: impl Iterator<Item = f64>) -> [Number; 2] {
    [begin_s, ends.fold(begin_s, f64::max)].map(|time| Number::decimals(time, 7))
}

/// Lanes of stations.
#[derive(Debug)]
pub struct Lanes {
    pub names: Vec<String>,
    /// By lane the place of its station among all.
    own: Vec<usize>,
    /// All stations, that with most time first.
    pub stations: Names,
}

impl Lanes {
    /// The lanes of stations that held the medium for these times, which are added up.
    pub fn new(times: &[(&str, f64)]) -> Lanes {
        let (mut all, mut held) = (Names::default(), Vec::new());
        for (station, time) in times {
            let place = all.place(station);
            held.resize(all.list.len(), 0.0);
            held[place] += time;
        }
        let (mut stations, mut own) = (Names::default(), Vec::<usize>::new());
        for place in descending(held.into_iter()) {
            let rank = stations.place(&all.list[place]);
            if rank < LANES {
                let key = with_numbers(&stations.list[rank]);
                let at = own.partition_point(|each| with_numbers(&stations.list[*each]) < key);
                own.insert(at, rank);
            }
        }
        let mut names: Vec<String> = own.iter().map(|rank| stations.list[*rank].clone()).collect();
        names.extend((stations.list.len() > LANES).then(|| OTHERS.to_owned()));
        Lanes { names, own, stations }
    }

    /// The lane of a station; that of the others where it has none.
    pub fn of(&self, station: &str) -> usize {
        let rank = self.stations.known(station);
        let lane = self.own.iter().position(|each| Some(*each) == rank);
        lane.unwrap_or(self.names.len().saturating_sub(1))
    }
}

/// Shares of steps, by lane and use.
#[derive(Debug)]
pub struct Bins(Vec<Vec<Vec<f64>>>);

impl Bins {
    pub fn new(lanes: usize, uses: usize, steps: usize) -> Bins {
        Bins(vec![vec![vec![0.0; steps]; uses]; lanes])
    }

    pub fn add(&mut self, lane: usize, used: usize, step: usize, share: f64) {
        self.0[lane][used][step] += share;
    }

    /// The sum of a use over lanes and steps.
    pub fn sum(&self, used: usize) -> f64 {
        self.0.iter().flat_map(|lane| &lane[used]).sum()
    }

    /// To three decimals; nothing where all of a use's are 0.
    pub fn plain(&self) -> Vec<Vec<Vec<Number>>> {
        let plain = |used: &Vec<f64>| match used.iter().any(|share| *share != 0.0) {
            true => used.iter().map(|&share| Number::decimals(share, 3)).collect(),
            false => Vec::new(),
        };
        self.0.iter().map(|lane| lane.iter().map(plain).collect()).collect()
    }
}

/// Some of the runs of frames, evenly, so that there are about as many frames as there is room for.
pub fn thinned<T>(runs: Vec<Vec<T>>, room: usize) -> Vec<Vec<T>> {
    let all: usize = runs.iter().map(Vec::len).sum();
    runs.into_iter().step_by(all.div_ceil(room).max(1)).collect()
}

/// The same where parts of a long run may go too: on a busy medium all frames of seconds may be known.
pub fn thinned_in_parts<T: Clone>(runs: Vec<Vec<T>>, room: usize) -> Vec<Vec<T>> {
    let all: usize = runs.iter().map(Vec::len).sum();
    if all <= room {
        return runs;
    }
    let parts = runs.iter().flat_map(|run| run.chunks(PART));
    thinned(parts.map(<[T]>::to_vec).collect(), room)
}

/// A name by which the second comes before the tenth.
fn with_numbers(name: &str) -> String {
    let (mut key, mut digits) = (String::new(), String::new());
    for letter in name.chars().chain(['\0']) {
        if letter.is_ascii_digit() {
            digits.push(letter);
            continue;
        }
        if !digits.is_empty() {
            key.push_str(&format!("{digits:0>12}"));
            digits.clear();
        }
        key.push(letter);
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_of_those_with_most_time() {
        let names: Vec<String> = (1..=14).map(|at| format!("sta{at}")).collect();
        let held = names.iter().enumerate().map(|(at, name)| (name.as_str(), at as f64));
        let lanes = Lanes::new(&held.collect::<Vec<_>>());
        assert_eq!(lanes.names[..2], ["sta3", "sta4"]);
        assert_eq!(lanes.names[11..], ["sta14", OTHERS]);
        assert_eq!((lanes.of("sta14"), lanes.of("sta1")), (11, 12));
    }

    #[test]
    fn runs_are_thinned_evenly() {
        let runs = vec![vec![1, 2], vec![3], vec![4], vec![5, 6]];
        assert_eq!(thinned(runs.clone(), 6), runs);
        assert_eq!(thinned(runs, 3), [vec![1, 2], vec![4]]);
        let long = vec![(0..1000).collect::<Vec<_>>()];
        let shown = thinned_in_parts(long, 400);
        assert_eq!(shown.iter().map(|part| part[0]).collect::<Vec<_>>(), [0, 300, 600, 900]);
        assert!(shown.iter().all(|part| part.len() == PART));
    }
}
