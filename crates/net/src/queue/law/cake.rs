//! CAKE, common applications kept enhanced (Hoiland-Jorgensen, Taht, Morton, "Piece of CAKE", LANMAN 2018; tc-cake(8)): a shaper,
//! tins by DiffServ, and in each a queue for each flow, whose turns are divided by the load of its hosts, with COBALT.
//!
//! | paper, tc-cake | here |
//! |---|---|
//! | bandwidth, overhead | [`shaper`]: a clock without bursts |
//! | DiffServ | [`classes`]; [`Cake::choose`] has which tin is next |
//! | flow isolation, hosts | [`isolation`], and [`tin`] with its sets of eight queues |
//! | COBALT | [`cobalt`] |
//! | memlimit | [`Cake::memory`]; the longest queue of all loses its head |
//! | ack-filter | [`acks`] |
//!
//! Sizes are network-layer bytes. There are no NAT and no washing of codepoints.

mod acks;
mod classes;
mod cobalt;
mod isolation;
mod shaper;
#[cfg(test)]
mod tests;
mod tin;

use super::row::Row;
use crate::DropReason;
use crate::queue::ip_headers::IpHeaders;
use crate::queue::keep::Keep;
pub(super) use crate::queue::manage::Open;
use crate::queue::manage::Site;
use crate::queue::waiting::{Arrival, Fate, Waiting};
use acks::{ACK_FILTERS, AckFilter};
use base::{Bytes, Keyed, Options, Rate, Rng, Span, Time, parameters};
use classes::{Classes, Share, TINS};
use cobalt::Times;
use isolation::{ISOLATIONS, Isolation};
use shaper::{Clock, FRAMINGS, Framing, Shaper};
use tin::{Tin, Turn};

parameters! {
    bandwidth = f64::INFINITY, in BitRate, "rate of the shaper, on wires only; none: as fast as the device sends (tc-cake)";
    overhead = 0.0, in Bytes, "bytes of headers that the link behind the shaper adds to a packet (tc-cake)";
    mpu = 0.0, in Bytes, "the least size of a packet on that link, its overhead included (tc-cake)";
    framing = 0.0, of FRAMINGS, "framing of that link: VDSL2 adds a byte in 65, ATM has cells of 53 bytes for 48 (tc-cake)";
    rtt = 0.1, in Seconds, "COBALT's interval; its target is a twentieth (tc-cake: internet)";
    isolation = 7.0, of ISOLATIONS, "what gets a fair share: flows, hosts, or the flows of a host within the host's share (tc-cake)";
    tins = 1.0, of TINS, "priority queues by DiffServ codepoint (tc-cake)";
    ack_filter = 0.0, of ACK_FILTERS, "which waiting acknowledgements go for later ones that say as much: none, all but two of each queue, or all that can (tc-cake: no-ack-filter, ack-filter, ack-filter-aggressive)";
    memory = 0.0, in Bytes, "bytes of packets that all queues hold; 0: four times the bandwidth times the rtt, at least 4 MiB, and at most 10240 MTUs";
}

/// Its source, its parameters and how it is asked.
pub(super) const ROW: Row = Row {
    source: "Hoiland-Jorgensen, Taht, Morton, Piece of CAKE, LANMAN 2018; tc-cake(8)",
    limit: Some(LIMIT),
    parameters: &[Params::ALL],
    checks: &[check],
    departs: true,
};

/// Packets that it holds where nothing is said.
const LIMIT: u32 = 10_240;
/// Network-layer bytes of the largest packet of Ethernet; tc-cake has 1514, with its header.
const MTU: u32 = 1500;
/// The least memory where nothing is said, bytes.
const LEAST_MEMORY: f64 = 4_194_304.0;
/// The least turn of a flow, bytes.
const LEAST_QUANTUM: u64 = 300;

/// Checks the parameters.
fn check(options: &Options) -> Result<(), &'static str> {
    let p = Params::new(options);
    if p.rtt < 1e-6 {
        return Err("an rtt of less than 1 us; allowed: rtt = \"1 us\" and more");
    }
    if p.memory != 0.0 && p.memory < f64::from(crate::LARGEST_PACKET) {
        return Err("memory for less than the largest packet; allowed: \"65535 B\" and more");
    }
    if p.overhead > 256.0 || p.mpu > 256.0 {
        return Err("more overhead or mpu than a header has; allowed: at most \"256 B\"");
    }
    let is_shaped = p.bandwidth.is_finite();
    match is_shaped || (p.overhead == 0.0 && p.mpu == 0.0 && p.framing == 0.0) {
        true => Ok(()),
        false => Err("overhead, mpu and framing are the shaper's; give bandwidth too"),
    }
}

/// A tin beside the others.
#[derive(Clone, Debug)]
struct Class<T> {
    tin: Tin<T>,
    /// With a shaper.
    clock: Option<Clock>,
    /// Without: what it may send in its turn, and what is left of that.
    weight: i64,
    credit: i64,
}

/// CAKE at work.
#[derive(Clone, Debug)]
pub(crate) struct Cake<T> {
    classes: Vec<Class<T>>,
    by: Classes,
    isolation: Isolation,
    shaper: Option<Shaper>,
    headers: IpHeaders,
    salt: Keyed,
    rng: Rng,
    /// Without a shaper: the tin whose turn it is.
    turn: usize,
    memory: u64,
    packets: u32,
    bytes: u64,
}

impl<T: Copy> Cake<T> {
    /// All queues empty.
    pub fn new(site: &Site<'_>) -> Cake<T> {
        let p = Params::new(site.options);
        let (by, isolation) = (Classes::at(p.tins), Isolation::at(p.isolation));
        let class = |share: Share| {
            let rate = bandwidth(&p).map(|all| Rate((all.0 as f64 * share.rate).max(1.0) as u64));
            let tin = Tin::new(
                isolation,
                times(&p, rate, share.is_quick),
                quantum(rate),
                AckFilter::at(p.ack_filter),
            );
            Class { tin, clock: rate.map(Clock::new), weight: share.weight, credit: 0 }
        };
        Cake {
            classes: by.shares().into_iter().map(class).collect(),
            by,
            isolation,
            shaper: bandwidth(&p).map(|rate| Shaper::new(rate, framing(&p))),
            headers: site.headers.clone(),
            salt: site.seed.keyed(site.purpose, site.owner),
            rng: site.rng(),
            turn: 0,
            memory: memory(&p),
            packets: 0,
            bytes: 0,
        }
    }

    /// Time from which the shaper lets the next packet go.
    pub fn opens(&self) -> Time {
        self.shaper.as_ref().map_or(Time::ZERO, Shaper::opens)
    }

    /// The tin that is next. With a shaper the highest that keeps to its share, or the one that comes nearest to it; without,
    /// each in turn by its weight.
    fn choose(&mut self, now: Time) -> Option<usize> {
        if self.shaper.is_none() {
            return self.in_turn();
        }
        let mut best: Option<(usize, Time)> = None;
        for (at, class) in self.classes.iter().enumerate() {
            let due = class.clock.map_or(Time::ZERO, |clock| clock.due);
            let is_next = due <= now || best.is_none_or(|(_, earliest)| due <= earliest);
            if class.tin.is_active() && is_next {
                best = Some((at, due));
            }
        }
        best.map(|(at, _)| at)
    }

    fn in_turn(&mut self) -> Option<usize> {
        if !self.classes.iter().any(|class| class.tin.is_active()) {
            return None;
        }
        loop {
            let class = &mut self.classes[self.turn];
            if class.credit >= 0 && class.tin.is_active() {
                return Some(self.turn);
            }
            if class.credit <= 0 {
                class.credit += class.weight;
            }
            self.turn = (self.turn + 1) % self.classes.len();
        }
    }

    /// A packet leaves a tin.
    fn account(&mut self, now: Time, at: usize, bytes: u32) {
        let class = &mut self.classes[at];
        match (&mut self.shaper, &mut class.clock) {
            (Some(shaper), Some(clock)) => clock.advance(now, shaper.advance(bytes)),
            _ => class.credit -= i64::from(bytes),
        }
    }

    /// The longest queue of all loses its head.
    fn cut(&mut self, now: Time, gone: &mut impl FnMut(Waiting<T>, DropReason)) {
        let longest = self.classes.iter().enumerate();
        let longest = longest.filter_map(|(at, class)| Some((class.tin.fattest()?, at))).max();
        let Some(((_, lane), at)) = longest else { return };
        if let Some(waiting) = self.classes[at].tin.cut(now, lane) {
            self.leave(&waiting);
            gone(waiting, DropReason::Queue);
        }
    }

    fn leave(&mut self, waiting: &Waiting<T>) {
        self.packets -= 1;
        self.bytes -= u64::from(waiting.bytes);
    }
}

impl<T: Copy> Keep<T> for Cake<T> {
    // Apart, so that the code around the other disciplines stays as short as it was.
    #[inline(never)]
    fn push(
        &mut self,
        now: Time,
        arrival: &Arrival<'_>,
        waiting: Waiting<T>,
        is_full: bool,
        mut gone: impl FnMut(Waiting<T>, DropReason),
    ) -> bool {
        let header = arrival.packet.and_then(|packet| self.headers.of(packet));
        let ends = isolation::ends(header);
        let class = &mut self.classes[self.by.tin(header.map_or(0, |header| header.dscp))];
        if let Some(clock) = class.clock.as_mut().filter(|_| class.tin.is_empty()) {
            clock.wake(now);
        }
        if let Some(shaper) = self.shaper.as_mut().filter(|_| self.packets == 0) {
            shaper.wake(now);
        }
        let hash = self.isolation.hash(self.salt, ends, arrival.conversation());
        let needless = class.tin.push(hash, ends, waiting, arrival.packet);
        self.packets += 1;
        self.bytes += u64::from(waiting.bytes);
        if let Some(needless) = needless {
            self.leave(&needless);
            gone(needless, DropReason::Filtered);
        }
        if is_full {
            self.cut(now, &mut gone);
        }
        while self.bytes > self.memory && self.packets > 0 {
            self.cut(now, &mut gone);
        }
        true
    }

    #[inline(never)]
    fn pop(&mut self, now: Time, mut fate: impl FnMut(Waiting<T>, Fate)) -> Option<Waiting<T>> {
        let mut decays = true;
        while self.packets > 0 && self.opens() <= now {
            let at = self.choose(now)?;
            let (mut packets, mut bytes) = (0, 0);
            let mut hear = |waiting: Waiting<T>, what: Fate| {
                if matches!(what, Fate::Dropped(_)) {
                    packets += 1;
                    bytes += u64::from(waiting.bytes);
                }
                fate(waiting, what);
            };
            let turn = self.classes[at].tin.serve(now, decays, &mut self.rng, &mut hear);
            decays = false;
            self.packets -= packets;
            self.bytes -= bytes;
            if let Turn::Sends(next) = turn {
                self.leave(&next);
                self.account(now, at, next.bytes);
                return Some(next);
            }
        }
        None
    }

    fn backlog(&self) -> (u32, u64) {
        (self.packets, self.bytes)
    }

    fn each(&self, each: impl FnMut(&Waiting<T>)) {
        self.classes.iter().flat_map(|class| class.tin.each()).for_each(each);
    }

    fn each_mut(&mut self, each: impl FnMut(&mut Waiting<T>)) {
        self.classes.iter_mut().flat_map(|class| class.tin.each_mut()).for_each(each);
    }

    fn take_out(&mut self, _now: Time, mut goes: impl FnMut(&Waiting<T>) -> bool) {
        let left = self.classes.iter_mut().map(|class| class.tin.take_out(&mut goes));
        let left = left.fold((0, 0), |sum, tin| (sum.0 + tin.0, sum.1 + tin.1));
        (self.packets, self.bytes) = left;
    }
}

/// True with a shaper.
pub(in crate::queue) fn is_shaped(options: &Options) -> bool {
    bandwidth(&Params::new(options)).is_some()
}

/// The shaper's rate, if there is one.
fn bandwidth(p: &Params) -> Option<Rate> {
    p.bandwidth.is_finite().then_some(Rate(p.bandwidth as u64))
}

fn framing(p: &Params) -> Framing {
    Framing { overhead: p.overhead as u64, least: p.mpu as u64, kind: p.framing as usize }
}

/// The times of a tin that may send at this rate: a target below one and a half packets would never be met, and an interval
/// below two targets is none.
fn times(p: &Params, rate: Option<Rate>, is_quick: bool) -> Times {
    let mtu = rate.map_or(Span::ZERO, |rate| rate.time_for(Bytes(MTU)));
    let usual = Span::from_secs(p.rtt / 20.0).0.max(1);
    let interval = if is_quick { usual } else { Span::from_secs(p.rtt).0 };
    let target = usual.max(3 * mtu.0 / 2);
    let interval = (interval + target - usual).max(2 * target);
    Times { target: Span(target), interval: Span(interval), mtu }
}

/// The turn of a flow: bytes of 1/4096 s, from 300 to an MTU.
fn quantum(rate: Option<Rate>) -> u32 {
    let most = u64::from(MTU);
    rate.map_or(MTU, |rate| (rate.0 / 8 / 4096).clamp(LEAST_QUANTUM, most) as u32)
}

fn memory(p: &Params) -> u64 {
    if p.memory > 0.0 {
        return p.memory as u64;
    }
    let shaped = (4.0 * p.bandwidth / 8.0 * p.rtt).max(LEAST_MEMORY);
    shaped.min(f64::from(LIMIT) * f64::from(MTU)) as u64
}
