//! Management frames: what they say, and how long they are.

use crate::phy::Standard;
use crate::qos::Category;
use base::{Span, StationId};

/// MAC header of a management frame and FCS, bytes (802.11-2020, 9.3.3.1).
const HEADER_BYTES: u32 = 24 + 4;
/// Element ID and length, bytes (9.4.2.1).
const ELEMENT_BYTES: u32 = 2;
/// Rates that fit in the Supported Rates element; others go in Extended Supported Rates (9.4.2.3, 9.4.2.13).
pub const FIRST_RATES: u32 = 8;

/// Kind and body of a management frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// Here is an access point; the next beacon comes after so long.
    Beacon(Span),
    /// Asks access points to identify themselves.
    ProbeRequest,
    /// Answers a probe request, with the same body as a beacon.
    ProbeResponse(Span),
    /// Open system authentication, transaction 1 (12.3.3.2).
    AuthenticationRequest,
    /// Open system authentication, transaction 2.
    AuthenticationResponse,
    /// From a station without an access point.
    AssociationRequest,
    /// From a station that belonged to this access point last.
    ReassociationRequest(StationId),
    /// To an association request.
    AssociationResponse,
    /// To a reassociation request.
    ReassociationResponse,
    /// The receiver is not known here.
    Deauthentication(Reason),
    /// Asks for a block-ack agreement (9.6.4.2).
    AddbaRequest(Addba),
    /// Makes it, or refuses it (9.6.4.3).
    AddbaResponse(Addba, Status),
    /// Ends it (9.6.4.4).
    Delba(Delba),
}

/// A block-ack agreement, as the frames say that make it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Addba {
    /// Its category.
    pub category: Category,
    /// Number of the request.
    pub token: u8,
    /// How many MPDUs the receiver keeps.
    pub window: u16,
    /// After how long without frames or answers it ends; zero: never (9.4.1.14).
    pub timeout: Span,
    /// Sequence number of the first MPDU.
    pub first: u16,
}

/// The end of a block-ack agreement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delba {
    /// Its category.
    pub category: Category,
    /// Its originator says so, not its recipient.
    pub by_originator: bool,
    /// Why.
    pub reason: Reason,
}

/// Bytes of an ADDBA Request or Response, MAC header and FCS included: both have nine octets of body, whatever the network is
/// called.
pub const ADDBA_BYTES: u32 = HEADER_BYTES + 9;
/// The same of a DELBA frame.
pub const DELBA_BYTES: u32 = HEADER_BYTES + 6;

/// Status code of a response (802.11-2020, Table 9-50).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// What was asked for is granted.
    Success,
    /// It is declined, as Linux does where a driver takes no aggregates (6.12, net/mac80211/agg-rx.c).
    Declined,
}

impl Status {
    /// Its code.
    pub fn code(self) -> u16 {
        match self {
            Status::Success => 0,
            Status::Declined => 37,
        }
    }
}

/// Reason code of a deauthentication or a DELBA frame (802.11-2020, Table 9-49).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It has sent data without being associated.
    NotAssociated,
    /// It requests association without being authenticated.
    NotAuthenticated,
    /// Nothing has come for the timeout of the agreement.
    Timeout,
}

impl Reason {
    /// Its code.
    pub fn code(self) -> u16 {
        match self {
            Reason::NotAssociated => 7,
            Reason::NotAuthenticated => 9,
            Reason::Timeout => 39,
        }
    }
}

/// A management frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Management {
    /// Body.
    pub body: Body,
    /// Elements that describe the network.
    pub elements: Elements,
}

impl Management {
    /// Its MPDU, bytes.
    pub fn bytes(&self) -> u32 {
        HEADER_BYTES + self.elements.body_bytes(self.body)
    }
}

/// Elements that describe a network in its frames; they determine the frames' sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elements {
    /// Length of the network's name, bytes (TOML: `ssid_bytes`).
    pub ssid_bytes: u32,
    /// Standard whose rates stations support: all of them.
    pub standard: Standard,
}

impl Elements {
    /// The usual elements of a standard, with a name of 7 letters.
    pub fn of(standard: Standard) -> Elements {
        Elements { ssid_bytes: 7, standard }
    }

    /// True with a DSSS Parameter Set: all 2.4 GHz PHYs (9.4.2.4).
    pub fn has_dsss(&self) -> bool {
        !matches!(self.standard, Standard::Ofdm(_))
    }

    /// True with an ERP element: 802.11g (9.4.2.12).
    pub fn has_erp(&self) -> bool {
        matches!(self.standard, Standard::Erp | Standard::ErpMixed(_))
    }

    /// A frame with this body.
    pub fn frame(&self, body: Body) -> Management {
        Management { body, elements: *self }
    }

    /// Bytes of the body: fixed fields (9.4.1), then elements (9.4.2). HT and later elements, Country, RSN and vendors'
    /// own are left out.
    fn body_bytes(&self, body: Body) -> u32 {
        let ssid = ELEMENT_BYTES + self.ssid_bytes;
        let rates = self.rate_bytes();
        let phy = if self.has_dsss() { ELEMENT_BYTES + 1 } else { 0 };
        let erp = if self.has_erp() { ELEMENT_BYTES + 1 } else { 0 };
        match body {
            // Timestamp 8, interval 2, capability 2; a TIM of one octet (9.3.3.2).
            Body::Beacon(_) => 12 + ssid + rates + phy + erp + ELEMENT_BYTES + 4,
            // 9.3.3.9
            Body::ProbeRequest => ssid + rates,
            // As a beacon without TIM (9.3.3.10).
            Body::ProbeResponse(_) => 12 + ssid + rates + phy + erp,
            // Algorithm, sequence number, status code, 2 each (9.3.3.11).
            Body::AuthenticationRequest | Body::AuthenticationResponse => 6,
            // Capability 2, listen interval 2 (9.3.3.5).
            Body::AssociationRequest => 4 + ssid + rates,
            // And the present access point's address, 6 (9.3.3.7).
            Body::ReassociationRequest(_) => 10 + ssid + rates,
            // Capability, status code, association ID, 2 each (9.3.3.6, 9.3.3.8).
            Body::AssociationResponse | Body::ReassociationResponse => 6 + rates,
            // Reason code (9.3.3.12).
            Body::Deauthentication(_) => 2,
            // Category, action and dialog token, 1 each; parameters, timeout, and the starting sequence control or the status
            // code, 2 each (9.6.4.2, 9.6.4.3).
            Body::AddbaRequest(_) | Body::AddbaResponse(..) => ADDBA_BYTES - HEADER_BYTES,
            // Category and action, 1 each; parameters and reason code, 2 each (9.6.4.4).
            Body::Delba(_) => DELBA_BYTES - HEADER_BYTES,
        }
    }

    fn rate_bytes(&self) -> u32 {
        let rates = self.standard.modes().len() as u32;
        let extended = rates.saturating_sub(FIRST_RATES);
        let more = if extended > 0 { ELEMENT_BYTES + extended } else { 0 };
        ELEMENT_BYTES + rates.min(FIRST_RATES) + more
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phy::{Preamble, Width};

    /// Counted by hand from the fields of each frame.
    #[test]
    fn frames_are_as_long_as_their_fields() {
        let second = Span::secs(1);
        let sizes = |standard| {
            let elements = Elements::of(standard);
            [
                Body::Beacon(second),
                Body::ProbeRequest,
                Body::ProbeResponse(second),
                Body::AuthenticationRequest,
                Body::AssociationRequest,
                Body::ReassociationRequest(StationId(1)),
                Body::AssociationResponse,
                Body::Deauthentication(Reason::NotAssociated),
            ]
            .map(|body| elements.frame(body).bytes())
        };
        // 28 + 12 + (2+7) + (2+4) + 3 + 6 = 64 for an 802.11b beacon.
        let b = [64, 43, 58, 34, 47, 53, 40, 30];
        assert_eq!(sizes(Standard::HrDsss(Preamble::Long)), b);
        // 802.11a: 8 rates, no DSSS Parameter Set: 28 + 12 + 9 + 10 + 6.
        let a = [65, 47, 59, 34, 51, 57, 44, 30];
        assert_eq!(sizes(Standard::Ofdm(Width::Mhz20)), a);
        // 802.11g beside 11b: 12 rates in two elements, ERP: 28 + 12 + 9 + 16 + 3 + 3 + 6.
        let g = [77, 53, 71, 34, 57, 63, 50, 30];
        assert_eq!(sizes(Standard::ErpMixed(Preamble::Long)), g);
    }
}
