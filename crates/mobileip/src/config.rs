//! Parameters, as plain values, and the two sets of them that have names.

use crate::message::Sizes;
use base::{Span, named, settings};

named! {
    /// A named set of parameters.
    pub enum Preset, "Mobile IP preset" {
        Rfc5944 = "rfc5944": "RFC 5944 with an advertisement each second: a node leaves an agent when its lifetime is over",
            ///
            /// `mobile/mip-reg.cc`, `tcl/lib/ns-mip.tcl`.
        Ns2 = "ns2": "ns-2.35: registrations last 2 s, an agent is forgotten after a second, and a node changes to a new one at once",
    }
}

settings! {
    /// Choice of a preset.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Rules {
        /// The set of rules from which the defaults of other keys come.
        preset: Preset = Preset::Rfc5944, "preset";
    }
}

/// Configuration of agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgentConfig {
    /// The longest time between two advertisements.
    pub max_interval: Span,
    /// The shortest: the time is uniform between both (RFC 1256 section 4.3).
    pub min_interval: Span,
    /// For how long an advertisement holds.
    pub advertisement_lifetime: Span,
    /// The longest registration that an agent takes or grants.
    pub registration_lifetime: Span,
}

named! {
    /// Rule for moving to an agent heard beside the present one.
    pub enum Detection, "movement detection" {
            ///
            /// "Lazy Cell Switching".
        Lazy = "lazy": "when the advertisement of its own agent has expired (RFC 5944 section 2.4.2.1)",
            ///
            /// "Eager Cell Switching".
        Eager = "eager": "when it hears an agent that it did not know",
    }
}

/// Rule for dropping an agent that is no longer heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expiry {
    /// The end of the lifetime of its last advertisement (RFC 5944 section 2.4.2.1).
    Lifetime,
    /// At checks with this interval, if the agent has not been heard for longer than that.
    Check(Span),
}

/// Schedule of a mobile node's solicitations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solicits {
    /// Three times this far apart, then twice as far each time up to the second (RFC 5944 section 2.4: 1 s, a minute).
    Backoff(Span, Span),
    /// Always this far apart.
    Every(Span),
}

/// Rule for renewing a registration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renewal {
    /// Half of its lifetime. The RFC demands no more than "before" its end (section 3.6.3).
    HalfLife,
    /// Whenever its agent advertises itself.
    EachAdvertisement,
}

/// From when on a mobile node sends by its agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RouterRule {
    /// From the reply on (RFC 5944 section 4.2.1).
    Registered,
    /// From the request on.
    Chosen,
}

/// Configuration of mobile nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MobileConfig {
    /// Rule for moving to another agent.
    pub detection: Detection,
    /// True if it goes home as soon as it hears its home agent (RFC 5944 section 2.4.3); else that is an agent like others.
    pub home_first: bool,
    /// Rule for leaving an agent that is no longer heard.
    pub expiry: Expiry,
    /// Schedule of its solicitations.
    pub solicits: Solicits,
    /// From a request to the first repetition. At least 1 s, and twice as long each time (RFC 5944 section 3.6.3).
    pub retransmit: Span,
    /// The wait doubles.
    pub retransmit_backoff: bool,
    /// The answer to an earlier request for the same agent counts too.
    pub any_reply: bool,
    /// For how long it asks to be registered, if the agent takes that.
    pub lifetime: Span,
    /// Rule for registering again.
    pub renewal: Renewal,
    /// Rule for changing its default router.
    pub router: RouterRule,
    /// True if it leaves its agent, and solicits, as soon as its link layer has joined another access point (RFC 4957).
    pub link_trigger: bool,
}

/// All parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Configuration of agents.
    pub agent: AgentConfig,
    /// Configuration of mobile nodes.
    pub mobile: MobileConfig,
    /// Sizes of messages.
    pub sizes: Sizes,
}

impl Preset {
    /// Its parameters.
    pub fn settings(self) -> Settings {
        match self {
            Preset::Rfc5944 => rfc5944(),
            Preset::Ns2 => ns2(),
        }
    }
}

/// RFC 1256 takes the shortest interval as three quarters of the longest and the lifetime as three times that. One
/// advertisement a second is what wireless links are given (RFC 1256's 600 s are for hosts that stay). The RFC
/// has no default for the registration's lifetime.
fn rfc5944() -> Settings {
    Settings {
        agent: AgentConfig {
            max_interval: Span::secs(1),
            min_interval: Span::millis(750),
            advertisement_lifetime: Span::secs(3),
            registration_lifetime: Span::secs(60),
        },
        mobile: MobileConfig {
            detection: Detection::Lazy,
            home_first: true,
            expiry: Expiry::Lifetime,
            solicits: Solicits::Backoff(Span::secs(1), Span::secs(60)),
            retransmit: Span::secs(1),
            retransmit_backoff: true,
            any_reply: false,
            lifetime: Span::secs(60),
            renewal: Renewal::HalfLife,
            router: RouterRule::Registered,
            link_trigger: false,
        },
        sizes: Sizes::RFC5944,
    }
}

/// An agent that is new is gone to at once, one that is known only when the own one is forgotten.
fn ns2() -> Settings {
    let period = Span::secs(1);
    Settings {
        agent: AgentConfig {
            max_interval: period,
            min_interval: period,
            advertisement_lifetime: Span::secs(2),
            registration_lifetime: Span::secs(2),
        },
        mobile: MobileConfig {
            detection: Detection::Eager,
            home_first: false,
            expiry: Expiry::Check(period),
            solicits: Solicits::Every(Span::millis(500)),
            retransmit: Span::millis(500),
            retransmit_backoff: false,
            any_reply: true,
            lifetime: Span::secs(2),
            renewal: Renewal::EachAdvertisement,
            router: RouterRule::Chosen,
            link_trigger: false,
        },
        sizes: Sizes::NS2,
    }
}
