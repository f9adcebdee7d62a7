//! Follows the frames on 802.11's air, and on shared LANs, to what became of each.

use crate::columns::Name;
use crate::kinds::{Kind as NoteKind, Kinds};
use base::{NodeId, Rate, Span, StationId, Time};
use net::LanSent;
use wifi::qos::Category;
use wifi::{FrameKind as Kind, GROUP, Sent};
use world::{Note, Plan};

/// Fate of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Its answer, a CTS or an acknowledgement, came back.
    Answered,
    /// No answer came back, and another frame was on the air at the same time; on a LAN: it collided.
    Overlapped,
    /// No answer came back, and it was alone on the air.
    Unanswered,
    /// Needs no answer: an answer itself, a group frame, or one that came through on a LAN.
    NoneDue,
}

impl Fate {
    /// Name in tables.
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
    /// Its sender, numbered through the cells of the element.
    pub from: StationId,
    /// Addressee; `None`: all.
    pub to: Option<StationId>,
    /// Start, preamble included.
    pub start: Time,
    /// Time on the air.
    pub airtime: Span,
    /// Name of its kind in tables.
    pub kind: &'static str,
    /// Its fate.
    pub fate: Fate,
    /// True if it has been sent before.
    pub retry: bool,
    /// Without preamble.
    pub bytes: u32,
    /// Rate of these.
    pub rate: Rate,
    /// On a LAN, after a collision: for how long its sender keeps silent.
    pub backoff: Option<Span>,
    /// The access category whose exchange it is part of, where its sender has some.
    pub category: Option<Category>,
    /// It is settled when it is reported: the frame of a LAN.
    pub at_once: bool,
}

impl Settled {
    fn on_lan(element: u32, from: StationId, sent: &LanSent) -> Settled {
        Settled {
            element,
            from,
            to: Some(sent.to),
            start: sent.start,
            airtime: sent.took,
            kind: "data",
            fate: if sent.collides { Fate::Overlapped } else { Fate::NoneDue },
            retry: sent.again,
            bytes: sent.bytes,
            rate: sent.rate,
            backoff: sent.backoff,
            category: None,
            at_once: true,
        }
    }
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
            Kind::Rts | Kind::Data | Kind::BlockAckRequest => true,
            Kind::Cts | Kind::Group | Kind::Ack | Kind::BlockAck | Kind::End => false,
        };
        match (waits, self.answered, self.overlapped) {
            (false, ..) => Fate::NoneDue,
            (_, true, _) => Fate::Answered,
            (_, _, true) => Fate::Overlapped,
            _ => Fate::Unanswered,
        }
    }

    fn settled(&self, element: u32) -> Settled {
        let Sent { from, to, start, airtime, retry, bytes, rate, .. } = self.frame;
        Settled {
            element,
            from,
            to: (to != GROUP).then_some(to),
            start,
            airtime,
            kind: match self.frame.kind {
                Kind::Data | Kind::Group if self.frame.management.is_some() => "management",
                Kind::Data | Kind::Group => "data",
                Kind::Rts => "rts",
                Kind::Cts => "cts",
                Kind::Ack => "ack",
                Kind::BlockAck => "block_ack",
                Kind::BlockAckRequest => "block_ack_request",
                Kind::End => "cf_end",
            },
            fate: self.fate(),
            retry,
            bytes,
            rate,
            backoff: None,
            category: self.frame.qos.map(|qos| qos.category),
            at_once: false,
        }
    }

    fn ends(&self) -> Time {
        self.frame.start + self.frame.airtime
    }

    /// Returns true if both are on the air at once; frames on different channels do not meet.
    fn meets(&self, other: &Sent) -> bool {
        let same = self.frame.channel == other.channel || self.frame.channel.is_none();
        same && self.ends() > other.start
    }
}

/// The stations of the air.
#[derive(Clone, Debug)]
pub struct Stations {
    /// The part and the node of every station of every element.
    pub whose: Vec<Vec<(u32, NodeId)>>,
    /// The names of parts.
    pub names: Vec<Name>,
}

impl Stations {
    pub fn new(plan: &Plan) -> Stations {
        let mut names = Vec::new();
        let whose = plan.by_element(|part| {
            let number = names.len() as u32;
            names.push(Name::from(part.name));
            part.stations.iter().map(move |&node| (number, node))
        });
        Stations { whose, names }
    }

    /// Something for each station of every element.
    pub fn each<T: Clone>(&self, of: &T) -> Vec<Vec<T>> {
        self.whose.iter().map(|stations| vec![of.clone(); stations.len()]).collect()
    }
}

/// The last frame of every station, by element of the air; those of LANs are settled when they are reported.
#[derive(Clone, Debug)]
pub struct OnAir {
    elements: Vec<Vec<Option<Open>>>,
}

impl OnAir {
    /// The notes that it is shown.
    pub const SEES: Kinds =
        Kinds::of(&[NoteKind::FrameHeard, NoteKind::FrameSent, NoteKind::LanSent]);

    pub fn new(plan: &Plan) -> OnAir {
        OnAir { elements: Stations::new(plan).each(&None) }
    }

    /// Takes a note; what it settles is the frame that its station has sent before.
    pub fn see(&mut self, note: &Note) -> Option<Settled> {
        match *note {
            Note::FrameSent { cell, frame, .. } => {
                let stations = &mut self.elements[cell.index()];
                let mut open = Open { frame, overlapped: false, answered: false };
                // Frames are reported in the order in which they begin.
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
                Some(before.settled(cell.0))
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
            Note::LanSent { cell, station, ref sent } => {
                Some(Settled::on_lan(cell.0, station, sent))
            }
            _ => None,
        }
    }

    /// Frames settled by the end of the run.
    pub fn rest(&self) -> impl Iterator<Item = Settled> + '_ {
        self.elements.iter().enumerate().flat_map(|(element, stations)| {
            stations.iter().flatten().map(move |open| open.settled(element as u32))
        })
    }
}

/// The step in which an instant lies.
pub fn step_of(at: Time, step: Span) -> u64 {
    at.0 / step.0.max(1)
}
