//! Web users: sessions of pages, pages of objects, each object a request and its response.
//!
//! The same machine makes requests one after the other (pages of one object) and transfers that come whatever became of the
//! last (pages of one object without a request, counted from start to start). It knows no connection: the world takes
//! objects from it and reports their arrivals. The contents of a page are drawn from a stream of their own, so they do not
//! depend on the speed of the network.

use crate::variate::Variate;
use base::{Purpose, Rng, Seed, Span, Time, named};
use std::collections::VecDeque;

/// Behaviour of users, and their connections.
#[derive(Clone, Debug, PartialEq)]
pub struct WebConfig {
    /// Sessions, one after the other; `None`: without end.
    pub sessions: Option<u64>,
    /// Pages in a session; `None`: without end.
    pub pages: Option<Variate>,
    /// From one session to the next, s.
    pub session_gap: Variate,
    /// From one page to the next, s.
    pub page_gap: Variate,
    /// Instant from which both are counted.
    pub gap_from: GapFrom,
    /// Objects of a page, the main one included; at least one.
    pub objects: Variate,
    /// From asking for one object of a page to asking for the next, s.
    pub object_gap: Variate,
    /// The first object of a page, where the others are asked for when it is there. `None`: it is as all others.
    pub main_size: Option<Sizes>,
    /// An object.
    pub size: Sizes,
    /// A request.
    pub request: Sizes,
    /// Number of simultaneous connections.
    pub connections: u32,
    /// Use of connections.
    pub style: Style,
    /// Pages have results of their own.
    pub paged: bool,
}

/// A law of sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// In units; what is drawn is rounded up, to one at least.
    pub law: Variate,
    /// Bytes of a unit: 1, or those of a packet.
    pub unit: u64,
}

impl Sizes {
    /// Bytes.
    pub fn draw(&self, rng: &mut Rng) -> u64 {
        self.law.whole(rng).max(1).saturating_mul(self.unit)
    }
}

named! {
    /// Instant from which the time to the next page is counted.
    pub enum GapFrom, "beginning of a time" {
        End = "page_end": "the last byte of the page before",
        Start = "page_start": "the moment when the page before was asked for",
    }
}

/// A page has no more objects than this, whatever its law says.
const MOST_OBJECTS: u64 = 100_000;

/// Use of connections by objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// The client opens; the connection stays for the next object (HTTP/1.1, RFC 9112 section 9.3).
    Persistent,
    /// The client opens; the server closes behind the object (HTTP/1.0, RFC 1945 section 1.3).
    PerObject,
    /// The client opens for the request; when that is acknowledged the server opens another for the object (ns-2's WebTraf).
    Apart,
    /// The server opens and sends: nobody asks.
    Push,
}

/// A request and its response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object {
    /// Time of the request.
    pub asked: Time,
    /// Bytes of the request.
    pub request: u64,
    /// Bytes of the response.
    pub response: u64,
    /// The page's place among those under way.
    page: u32,
}

/// An object is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// Response time of the object.
    pub object: Span,
    /// Response time of the page, if this was its last object.
    pub page: Option<Span>,
}

/// Counts of requests and responses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Objects asked for.
    pub objects: u64,
    /// Those that are there.
    pub objects_done: u64,
    /// Pages asked for.
    pub pages: u64,
    /// Those of which all objects are there.
    pub pages_done: u64,
}

/// A page under way.
#[derive(Clone, Debug)]
struct Page {
    rng: Rng,
    asked: Time,
    /// The main object, for which all others wait, is not asked for yet.
    main_is_due: bool,
    /// Objects not asked for yet.
    left: u64,
    /// Objects asked for that are not there.
    open: u64,
    /// Time of the next object's request; `NEVER`: when the main one has arrived.
    next: Time,
    /// From its end to the next page; `None`: that does not wait for it.
    then: Option<Span>,
}

/// A user.
#[derive(Clone, Debug)]
pub struct Surfer {
    config: WebConfig,
    seed: Seed,
    owner: u32,
    /// By place; those that are over wait in `free`.
    pages: Vec<Page>,
    free: Vec<u32>,
    /// Places of pages with objects that are not asked for yet.
    asking: Vec<u32>,
    next_page: Time,
    /// Pages of this session that are not asked for yet; `None`: without end.
    pages_left: Option<u64>,
    sessions_begun: u64,
    waiting: VecDeque<Object>,
    tally: Tally,
}

impl Surfer {
    /// Creates a user that has not begun; `owner` is the flow's number.
    pub fn new(config: WebConfig, seed: Seed, owner: u32) -> Surfer {
        Surfer {
            config,
            seed,
            owner,
            pages: Vec::new(),
            free: Vec::new(),
            asking: Vec::new(),
            next_page: Time::NEVER,
            pages_left: Some(0),
            sessions_begun: 0,
            waiting: VecDeque::new(),
            tally: Tally::default(),
        }
    }

    /// The first page is asked for at `now`.
    pub fn begin(&mut self, now: Time) {
        self.next_page = now;
        self.on_time(now);
    }

    /// No page after this; those under way are asked for to their end.
    pub fn stop(&mut self) {
        self.next_page = Time::NEVER;
        self.config.sessions = Some(0);
        self.pages_left = Some(0);
        for page in &mut self.pages {
            page.then = None;
        }
    }

    /// Time to call [`Surfer::on_time`]; [`Time::NEVER`]: an object must arrive first.
    pub fn next(&self) -> Time {
        let objects = self.asking.iter().map(|&place| self.pages[place as usize].next);
        objects.fold(self.next_page, Time::min)
    }

    /// The time of [`Surfer::next`] has come.
    pub fn on_time(&mut self, now: Time) {
        while self.next_page <= now {
            self.open_page(self.next_page);
        }
        let mut asking = std::mem::take(&mut self.asking);
        asking.retain(|&place| {
            self.ask(place, now);
            self.pages[place as usize].left > 0
        });
        self.asking = asking;
    }

    /// The next object to fetch.
    pub fn take(&mut self) -> Option<Object> {
        self.waiting.pop_front()
    }

    /// True where an object waits to be fetched.
    pub fn wants(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// The last byte of an object has come. Ask [`Surfer::next`] again.
    pub fn on_done(&mut self, now: Time, object: &Object) -> Done {
        self.tally.objects_done += 1;
        let page = &mut self.pages[object.page as usize];
        page.open -= 1;
        if page.left > 0 && page.next == Time::NEVER {
            page.next = now + self.config.object_gap.span(&mut page.rng);
        }
        let over = page.left == 0 && page.open == 0;
        let done =
            Done { object: now.since(object.asked), page: over.then(|| now.since(page.asked)) };
        if over {
            self.tally.pages_done += 1;
            if let Some(gap) = page.then {
                self.next_page = now + gap;
            }
            self.free.push(object.page);
        }
        done
    }

    /// Counts of requests and responses from the beginning.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    fn open_page(&mut self, now: Time) {
        let owner = u64::from(self.owner) << 32 | (self.tally.pages & u64::from(u32::MAX));
        let mut rng = self.seed.stream(Purpose::Page, owner);
        self.tally.pages += 1;
        if self.pages_left == Some(0) {
            self.sessions_begun += 1;
            self.pages_left = self.config.pages.map(|pages| pages.whole(&mut rng).max(1));
        }
        self.pages_left = self.pages_left.map(|left| left - 1);
        let over = self.pages_left == Some(0);
        let gap = if over { &self.config.session_gap } else { &self.config.page_gap };
        let gap = gap.span(&mut rng);
        let ends = over && self.config.sessions.is_some_and(|most| self.sessions_begun >= most);
        let then = match self.config.gap_from {
            _ if ends => None,
            GapFrom::End => Some(gap),
            GapFrom::Start => None,
        };
        self.next_page = match self.config.gap_from {
            GapFrom::Start if !ends => now + gap.max(Span(1)),
            _ => Time::NEVER,
        };
        let left = self.config.objects.whole(&mut rng).clamp(1, MOST_OBJECTS);
        let page = Page { rng, asked: now, main_is_due: true, left, open: 0, next: now, then };
        let place = match self.free.pop() {
            Some(place) => {
                self.pages[place as usize] = page;
                place
            }
            None => {
                self.pages.push(page);
                self.pages.len() as u32 - 1
            }
        };
        self.asking.push(place);
    }

    /// Asks for the objects of a page whose time has come.
    fn ask(&mut self, place: u32, now: Time) {
        let (page, config) = (&mut self.pages[place as usize], &self.config);
        while page.left > 0 && page.next <= now {
            let main = config.main_size.filter(|_| std::mem::take(&mut page.main_is_due));
            let response = main.unwrap_or(config.size).draw(&mut page.rng);
            let request = config.request.draw(&mut page.rng);
            self.waiting.push_back(Object { asked: page.next, request, response, page: place });
            self.tally.objects += 1;
            page.open += 1;
            page.left -= 1;
            page.next = match main {
                Some(_) => Time::NEVER,
                None => page.next + config.object_gap.span(&mut page.rng),
            };
        }
    }
}

#[cfg(test)]
mod tests;
