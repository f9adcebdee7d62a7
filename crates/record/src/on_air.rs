//! Follows the frames on 802.11's air to what became of each.

use base::{NodeId, Span, StationId, Time};
use wifi::{FrameKind as Kind, Sent};
use world::{Note, Plan};

/// What became of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Its answer, a CTS or an acknowledgement, came back.
    Answered,
    /// No answer came back, and another frame was on the air at the same time.
    Overlapped,
    /// No answer came back, and it was alone on the air.
    Unanswered,
    /// It asks for none: an answer itself, or a frame for all.
    NoneDue,
}

impl Fate {
    /// As tables have it.
    pub fn name(self) -> &'static str {
        match self {
            Fate::Answered => "answered",
            Fate::Overlapped => "overlapped",
            Fate::Unanswered => "unanswered",
            Fate::NoneDue => "none_due",
        }
    }
}

/// A frame whose fate is known.
#[derive(Clone, Copy, Debug)]
pub struct Settled {
    /// The element of the air.
    pub element: u32,
    /// The frame.
    pub frame: Sent,
    /// What became of it.
    pub fate: Fate,
}

/// A frame whose fate is open.
#[derive(Clone, Copy, Debug)]
struct Open {
    frame: Sent,
    overlapped: bool,
    answered: bool,
}

impl Open {
    fn fate(&self) -> Fate {
        let waits = match self.frame.kind {
            Kind::Rts | Kind::Data => true,
            Kind::Cts | Kind::Group | Kind::Ack => false,
        };
        match (waits, self.answered, self.overlapped) {
            (false, ..) => Fate::NoneDue,
            (_, true, _) => Fate::Answered,
            (_, _, true) => Fate::Overlapped,
            _ => Fate::Unanswered,
        }
    }

    fn ends(&self) -> Time {
        self.frame.start + self.frame.airtime
    }

    /// Whether both are on the air at once; frames on different channels do not meet.
    fn meets(&self, other: &Sent) -> bool {
        let same = self.frame.channel == other.channel || self.frame.channel.is_none();
        same && self.ends() > other.start
    }
}

/// The last frame of every station, by element of the air.
#[derive(Clone, Debug)]
pub struct OnAir {
    elements: Vec<Vec<Option<Open>>>,
    /// The cell and the node of every station of every element.
    pub whose: Vec<Vec<(u32, NodeId)>>,
}

impl OnAir {
    pub fn new(plan: &Plan) -> OnAir {
        let of_cell = |&i: &usize| plan.cells[i].stations.iter().map(move |&node| (i as u32, node));
        let elements = plan.air_map().elements;
        let whose: Vec<Vec<_>> =
            elements.iter().map(|cells| cells.iter().flat_map(of_cell).collect()).collect();
        OnAir { elements: whose.iter().map(|each| vec![None; each.len()]).collect(), whose }
    }

    /// Takes a note; what it settles is the frame that its station has sent before.
    pub fn see(&mut self, note: &Note) -> Option<Settled> {
        match *note {
            Note::FrameSent { cell, frame, .. } => {
                let stations = &mut self.elements[cell.index()];
                let mut open = Open { frame, overlapped: false, answered: false };
                // Frames are told in the order in which they begin.
                for (at, other) in stations.iter_mut().enumerate() {
                    let Some(other) = other.as_mut().filter(|other| other.meets(&frame)) else {
                        continue;
                    };
                    if at != frame.from.index() {
                        other.overlapped = true;
                        open.overlapped = true;
                    }
                }
                let before = stations[frame.from.index()].replace(open)?;
                Some(Settled { element: cell.0, frame: before.frame, fate: before.fate() })
            }
            Note::FrameHeard { cell, heard } => {
                let stations = &mut self.elements[cell.index()];
                let heard_frame = stations[heard.from.index()].map(|open| open.frame);
                let answers =
                    |to: StationId| heard_frame.is_some_and(|f| f.kind.is_answer() && f.to == to);
                if heard.decoded && answers(heard.at) {
                    if let Some(open) = &mut stations[heard.at.index()] {
                        open.answered = true;
                    }
                }
                None
            }
            _ => None,
        }
    }

    /// What is settled by the end of the run.
    pub fn rest(&self) -> impl Iterator<Item = Settled> + '_ {
        self.elements.iter().enumerate().flat_map(|(element, stations)| {
            stations.iter().flatten().map(move |open| Settled {
                element: element as u32,
                frame: open.frame,
                fate: open.fate(),
            })
        })
    }
}

/// The step in which an instant lies.
pub fn step_of(at: Time, step: Span) -> u64 {
    at.0 / step.0.max(1)
}
