//! A station with its queues, event by event. A queue is a station's access of its own: all notice the same.

use super::events::{Answer, Draw, Event, Script};
use super::grant::{Grant, us};
use base::{Span, Time};
use std::collections::VecDeque;
use wifi::Access;

/// More events than any case needs.
const MOST: usize = 100_000;

/// A case under way.
#[derive(Clone, Debug)]
pub struct Play {
    /// The queue that began, and the time.
    pub grants: Vec<Grant>,
    /// The station's answers to the question whether the medium is busy.
    pub looks: Vec<bool>,
    queues: Vec<Access>,
    /// As they were when nothing had been heard.
    fresh: Vec<Access>,
    /// Frames by queue: how long each takes, and its answer.
    frames: Vec<VecDeque<(Span, Answer)>>,
    agenda: Vec<(Time, Event)>,
    draws: Vec<Draw>,
    /// Transmissions that are noticed now.
    noticed: Vec<usize>,
    numbered: usize,
}

impl Play {
    /// Before anything happens.
    pub fn new(queues: Vec<Access>, script: Script) -> Play {
        let Script { mut agenda, draws, numbered } = script;
        agenda.sort_by_key(|&(at, _)| at);
        Play {
            grants: Vec::new(),
            looks: Vec::new(),
            fresh: queues.clone(),
            frames: vec![VecDeque::new(); queues.len()],
            queues,
            agenda,
            draws,
            noticed: Vec::new(),
            numbered,
        }
    }

    /// Plays all.
    pub fn run(&mut self) -> Result<(), String> {
        for _ in 0..MOST {
            let start = self.queues.iter().map(Access::start).min().unwrap_or(Time::NEVER);
            match self.agenda.first() {
                Some(&(at, event)) if at <= start => {
                    self.agenda.remove(0);
                    self.happen(at, event)?;
                }
                _ if start == Time::NEVER => return self.all_drawn(),
                _ => self.begin(start),
            }
        }
        Err("it does not end".to_owned())
    }

    fn all_drawn(&self) -> Result<(), String> {
        let Some(draw) = self.draws.first() else { return Ok(()) };
        let at = us(draw.at);
        Err(format!("queue {} draws no backoff at {at}", draw.queue))
    }

    fn happen(&mut self, now: Time, event: Event) -> Result<(), String> {
        match event {
            Event::Busy(number) => {
                self.noticed.push(number);
                self.on_busy(now);
            }
            Event::Idle(number, decoded) => {
                if self.forget(number) {
                    self.each(|queue| queue.idle(now, decoded));
                }
            }
            Event::Transmit(number) => self.transmit(now, number),
            Event::Request(queue, airtime, answer) => {
                let frames = self.frames.get_mut(queue).ok_or("no such queue")?;
                frames.push_back((airtime, answer));
                if frames.len() == 1 {
                    self.request(now, queue);
                }
            }
            Event::Sent(number, answer) => self.sent(now, number, answer),
            Event::Answered => self.each(|queue| queue.hear_answer(now)),
            Event::Reserve(until, reset) => self.each(|queue| queue.reserve(now, until, reset)),
            Event::Switch(number) => self.switch(now, number),
            Event::Look => self.looks.push(self.queues.iter().any(|queue| queue.is_busy(now))),
        }
        Ok(())
    }

    fn each(&mut self, does: impl FnMut(&mut Access)) {
        self.queues.iter_mut().for_each(does);
    }

    /// False where the transmission of that number is not noticed any more.
    fn forget(&mut self, number: usize) -> bool {
        let place = self.noticed.iter().position(|&noticed| noticed == number);
        place.map(|place| self.noticed.swap_remove(place)).is_some()
    }

    fn on_busy(&mut self, now: Time) {
        for (i, queue) in self.queues.iter_mut().enumerate() {
            queue.busy(now, || take(&mut self.draws, now, i));
        }
    }

    fn request(&mut self, now: Time, queue: usize) {
        self.queues[queue].request(now, || take(&mut self.draws, now, queue));
    }

    /// Ends the reception of the station.
    fn transmit(&mut self, now: Time, number: usize) {
        self.each(|queue| queue.transmit(now));
        for _ in std::mem::replace(&mut self.noticed, vec![number]) {
            self.each(|queue| queue.idle(now, None));
        }
    }

    /// The first queue whose start has come begins; others of that start collide with it within the station.
    fn begin(&mut self, now: Time) {
        let due = |queue: &Access| queue.start() == now;
        let Some(winner) = self.queues.iter().position(due) else { return };
        for (i, queue) in self.queues.iter_mut().enumerate() {
            if i != winner && due(queue) {
                queue.give_way(now, take(&mut self.draws, now, i));
            } else {
                queue.transmit(now);
            }
        }
        self.grants.push((now, winner));
        let number = self.numbered;
        self.numbered += 1;
        self.noticed.push(number);
        if let Some((airtime, answer)) = self.frames[winner].pop_front() {
            self.later(now + airtime, Event::Sent(number, answer));
        }
    }

    fn sent(&mut self, now: Time, number: usize, answer: Answer) {
        if !self.forget(number) {
            return;
        }
        match answer {
            Answer::AtOnce => self.each(|queue| queue.fall_silent(now)),
            Answer::Never | Answer::After(_) => self.each(|queue| queue.await_answer(now)),
        }
        if let Answer::After(delay) = answer {
            self.later(now + delay, Event::Answered);
        }
        for queue in 0..self.queues.len() {
            if !self.frames[queue].is_empty() && self.queues[queue].start() == Time::NEVER {
                self.request(now, queue);
            }
        }
    }

    /// All that waits is given up, and all that was known of the channel forgotten.
    fn switch(&mut self, now: Time, number: usize) {
        for queue in 0..self.queues.len() {
            let frames = std::mem::take(&mut self.frames[queue]);
            self.grants.extend(frames.iter().map(|_| (now, queue)));
        }
        self.queues.clone_from(&self.fresh);
        self.noticed = vec![number];
        self.on_busy(now);
    }

    fn later(&mut self, at: Time, event: Event) {
        let place = self.agenda.partition_point(|&(other, _)| other <= at);
        self.agenda.insert(place, (at, event));
    }
}

/// The backoff that `queue` draws now; none: 0.
fn take(draws: &mut Vec<Draw>, now: Time, queue: usize) -> u32 {
    let place = draws.iter().position(|draw| (draw.at, draw.queue) == (now, queue));
    place.map_or(0, |place| draws.remove(place).slots)
}
