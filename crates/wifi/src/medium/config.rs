//! Configuration of a medium.

use super::links::Propagation;
use super::receiver::Reception;
use crate::errors::ErrorConfig;
use crate::mlme::{Channel, Role};
use crate::qos::{AccessParameters, Categories, Category, QosConfig};
use crate::rate::Rung;
use crate::station::StationConfig;
use base::{Span, Time};
use net::LARGEST_PACKET;
use radio::HazardTables;
use radio::mobility::Mobility;

/// A station of a medium.
#[derive(Clone, Debug)]
pub struct Member {
    /// Place or movement.
    pub place: Mobility,
    /// Timing, rates, rules, limits and queue.
    pub station: StationConfig,
    /// True for an access point.
    pub is_access_point: bool,
    /// The number of its random streams.
    pub stream: u64,
    /// The channel on which it begins.
    pub channel: Channel,
    /// Its role in association.
    pub role: Role,
    /// Its access categories and the rules of its cell, where the stations of that have some.
    pub access: Option<MemberAccess>,
}

/// Access categories of a station of a medium.
#[derive(Clone, Debug)]
pub struct MemberAccess {
    /// Their parameters; `None`: a station without QoS, which contends by DCF.
    pub categories: Option<[AccessParameters; Category::COUNT]>,
    /// Its weight where others share airtime among receivers.
    pub weight: u32,
    /// It agrees where others ask it for block-ack agreements.
    pub accepts_agreements: bool,
    /// Rules of its cell.
    pub qos: QosConfig,
}

/// Configuration of a medium.
#[derive(Clone, Debug)]
pub struct MediumConfig {
    /// All stations that can hear each other, now or on another channel, of whatever cell.
    pub members: Vec<Member>,
    /// Propagation: path loss, shadowing and fading.
    pub propagation: Propagation,
    /// Transmit power with antenna gains, W.
    pub transmit_w: f64,
    /// Reception model.
    pub reception: Reception,
    /// Bit errors beyond those of reception.
    pub errors: ErrorConfig,
    /// By flow: its access category.
    pub of_flow: Categories,
    /// The tables of bit errors by SINR, which runs share.
    pub hazards: HazardTables,
    /// The end of the run.
    pub end: Time,
}

impl MediumConfig {
    /// The instant before which a station that waits for an answer learns within the run that none comes.
    pub fn last_wait(&self) -> Time {
        // A frame that has begun by then is heard out.
        Time(self.end.0.saturating_sub(self.longest_frame().0))
    }

    /// The longest time that a frame can take: the largest packet, coded where frames are, at the slowest of all rates.
    pub fn longest_frame(&self) -> Span {
        let code = self.errors.code();
        let of = |member: &Member| {
            let bits = u64::from(LARGEST_PACKET + member.station.mac.data_overhead()) * 8;
            let sent_bits = code.as_ref().map_or(bits, |code| code.coded_bits(bits));
            let at =
                |rung: &Rung| rung.phy.data.of_bits(sent_bits).max(rung.phy.lowest.of_bits(bits));
            member.station.ladder.rungs.iter().map(at).max()
        };
        let aggregates = self.members.iter().filter_map(|member| member.access.as_ref());
        let longest = aggregates.map(|access| access.qos.settings.longest_ppdu);
        self.members.iter().filter_map(of).chain(longest).max().unwrap_or(Span::ZERO)
    }
}
