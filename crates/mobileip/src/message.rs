//! Messages between mobile nodes and agents, with their sizes.

use base::{NodeId, Span};

/// The header that a tunnel adds: an IPv4 header (RFC 2003 section 3.1), bytes.
pub const TUNNEL_BYTES: u32 = 20;

/// An agent makes itself known (RFC 5944 section 2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advertisement {
    /// Sender.
    pub agent: NodeId,
    /// Sequence number, which counts up from 0, and from 65535 continues at 256 (section 2.3.2).
    pub sequence: u16,
    /// For how long the advertisement holds.
    pub lifetime: Span,
    /// The longest registration that it takes.
    pub registration_lifetime: Span,
    /// True for a foreign agent (the F bit): its address is a care-of address.
    pub foreign: bool,
}

/// A mobile node asks for a binding (section 3.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The mobile node's home address.
    pub mobile: NodeId,
    /// Its home agent.
    pub home_agent: NodeId,
    /// Care-of address; the home agent itself if the node is at home.
    pub care_of: NodeId,
    /// For how long; zero ends the binding.
    pub lifetime: Span,
    /// Matches the reply and keeps requests in order: a time, never the same twice (section 5.7.1).
    pub identification: u64,
}

/// Answer to a request (section 3.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The mobile node's home address.
    pub mobile: NodeId,
    /// Its home agent.
    pub home_agent: NodeId,
    /// Granted or not.
    pub code: Code,
    /// For how long it is granted; with [`Code::LifetimeTooLong`], the longest that would be.
    pub lifetime: Span,
    /// Identification of the request.
    pub identification: u64,
}

/// The code of a reply, by its number in RFC 5944 section 3.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Code {
    /// Registration accepted.
    Accepted = 0,
    /// A foreign agent takes shorter lifetimes only.
    LifetimeTooLong = 69,
    /// A foreign agent does not have this care-of address.
    InvalidCareOf = 77,
    /// The home agent has seen a later request.
    IdentificationMismatch = 133,
    /// The home agent is another.
    UnknownHomeAgent = 136,
}

/// A message of Mobile IP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message {
    /// ICMP, on the agent's link.
    Advertisement(Advertisement),
    /// ICMP, on the link of the mobile node that solicits agents.
    Solicitation(NodeId),
    /// UDP to port 434.
    Request(Request),
    /// UDP from port 434.
    Reply(Reply),
}

/// Network-layer sizes of messages, bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Advertisement with one care-of address.
    pub advertisement: u32,
    /// Advertisement without one: the agent is a home agent only.
    pub home_advertisement: u32,
    /// Solicitation.
    pub solicitation: u32,
    /// Registration request.
    pub request: u32,
    /// Registration reply.
    pub reply: u32,
}

const IP: u32 = 20;
const UDP: u32 = 8;
/// Router advertisement: ICMP header (RFC 1256 section 3) and one router address with its preference.
const ROUTER_ADVERTISEMENT: u32 = 8 + 8;
/// Mobility agent advertisement extension without care-of addresses (RFC 5944 section 2.1.1): type and length, sequence
/// number, registration lifetime, flags.
const EXTENSION: u32 = 2 + 2 + 2 + 2;
const CARE_OF: u32 = 4;
/// The mobile-home authentication extension, which requests and replies must have: type, length, SPI, HMAC-MD5 (RFC 5944
/// sections 3.5.2 and 5.1).
const AUTHENTICATION: u32 = 2 + 4 + 16;

impl Sizes {
    /// Those of the RFC, with the extensions that it demands and no other.
    pub const RFC5944: Sizes = Sizes {
        advertisement: IP + ROUTER_ADVERTISEMENT + EXTENSION + CARE_OF,
        home_advertisement: IP + ROUTER_ADVERTISEMENT + EXTENSION,
        solicitation: IP + 8,
        request: IP + UDP + 24 + AUTHENTICATION,
        reply: IP + UDP + 20 + AUTHENTICATION,
    };

    /// ns-2's: an advertisement has 48 B from any sender; a request has 52 B, and solicitations and replies
    /// are as long.
    pub const NS2: Sizes = Sizes {
        advertisement: 48,
        home_advertisement: 48,
        solicitation: 52,
        request: 52,
        reply: 52,
    };

    /// The size of `message`.
    pub fn of(&self, message: &Message) -> u32 {
        match message {
            Message::Advertisement(ad) if ad.foreign => self.advertisement,
            Message::Advertisement(_) => self.home_advertisement,
            Message::Solicitation(_) => self.solicitation,
            Message::Request(_) => self.request,
            Message::Reply(_) => self.reply,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_rfc() {
        let Sizes { advertisement, home_advertisement, solicitation, request, reply } =
            Sizes::RFC5944;
        assert_eq!((advertisement, home_advertisement, solicitation), (48, 44, 28));
        // 52 and 48 B, and 22 B of authentication.
        assert_eq!((request, reply), (74, 70));
    }
}
