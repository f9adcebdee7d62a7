//! The bodies of management frames: fixed fields (802.11-2020, 9.4.1), then elements (9.4.2). They are as
//! long as `wifi::mlme` counts them, field by field, so nothing is padded.

use crate::agreements::tid;
use crate::bytes::Put;
use crate::dot11::Mac;
use base::Span;
use wifi::mlme::{Addba, Body, Elements, FIRST_RATES, Management};
use wifi::phy::{Preamble, Standard, basic_modes};

/// The content of a frame beside the model's.
#[derive(Clone, Copy, Debug)]
pub struct Says {
    /// The clock when its first octet is on the air, us (9.4.1.10).
    pub timestamp_us: u64,
    /// Number of the channel.
    pub channel: u8,
    /// The station that is associated, from 1 on (9.4.1.8).
    pub association_id: u16,
    /// The access point of a station that moves.
    pub current: Mac,
}

/// Subtype of a management frame (Table 9-1).
pub fn subtype(body: Body) -> u8 {
    match body {
        Body::AssociationRequest => 0,
        Body::AssociationResponse => 1,
        Body::ReassociationRequest(_) => 2,
        Body::ReassociationResponse => 3,
        Body::ProbeRequest => 4,
        Body::ProbeResponse(_) => 5,
        Body::Beacon(_) => 8,
        Body::AuthenticationRequest | Body::AuthenticationResponse => 11,
        Body::Deauthentication(_) => 12,
        Body::AddbaRequest(_) | Body::AddbaResponse(..) | Body::Delba(_) => 13,
    }
}

/// Appends the body of `frame`.
pub fn put_body(out: &mut Vec<u8>, frame: &Management, says: &Says) {
    let elements = &frame.elements;
    match frame.body {
        Body::Beacon(interval) => put_network(out, elements, interval, says, true),
        Body::ProbeResponse(interval) => put_network(out, elements, interval, says, false),
        Body::ProbeRequest => put_station(out, elements),
        Body::AuthenticationRequest => put_all(out, [OPEN_SYSTEM, 1, SUCCESS]),
        Body::AuthenticationResponse => put_all(out, [OPEN_SYSTEM, 2, SUCCESS]),
        Body::AssociationRequest => {
            put_all(out, [capability(elements), LISTEN_INTERVAL]);
            put_station(out, elements);
        }
        Body::ReassociationRequest(_) => {
            put_all(out, [capability(elements), LISTEN_INTERVAL]);
            out.put(&says.current);
            put_station(out, elements);
        }
        Body::AssociationResponse | Body::ReassociationResponse => {
            put_all(out, [capability(elements), SUCCESS, IS_AN_ID | says.association_id]);
            let (first, more) = rates(elements);
            put_rates(out, &first, &more);
        }
        Body::Deauthentication(reason) => out.put_le16(reason.code()),
        Body::AddbaRequest(addba) => {
            out.put(&[BLOCK_ACK, ADDBA_REQUEST, addba.token]);
            // The fragment number is zero (9.4.1.11).
            put_all(out, [parameters(&addba), timeout(&addba), addba.first << 4]);
        }
        Body::AddbaResponse(addba, status) => {
            out.put(&[BLOCK_ACK, ADDBA_RESPONSE, addba.token]);
            put_all(out, [status.code(), parameters(&addba), timeout(&addba)]);
        }
        Body::Delba(delba) => {
            out.put(&[BLOCK_ACK, DELBA]);
            let initiator = if delba.by_originator { INITIATOR } else { 0 };
            let parameters = initiator | u16::from(tid(delba.category)) << 12;
            put_all(out, [parameters, delba.reason.code()]);
        }
    }
}

/// Time units are of 1024 us; an interval that is not of whole ones is rounded, since the field cannot say it (9.4.1.3).
const TIME_UNIT: Span = Span::micros(1024);
/// Authentication algorithm (9.4.1.1).
const OPEN_SYSTEM: u16 = 0;
/// Status code (9.4.1.9).
const SUCCESS: u16 = 0;
/// In beacon intervals: stations are always awake (9.4.1.6).
const LISTEN_INTERVAL: u16 = 1;
/// The two upper bits of an association ID.
const IS_AN_ID: u16 = 0xc000;
/// Category of action frames (9.4.1.11), and actions of it (9.6.4.1).
const BLOCK_ACK: u8 = 3;
const ADDBA_REQUEST: u8 = 0;
const ADDBA_RESPONSE: u8 = 1;
const DELBA: u8 = 2;
/// Bit of the DELBA parameters (9.4.1.15): the originator ends the agreement.
const INITIATOR: u16 = 0x0800;
/// Bits of the block ack parameters (9.4.1.13): A-MSDUs, and immediate acknowledgement.
const AMSDU: u16 = 0x0001;
const IMMEDIATE: u16 = 0x0002;
/// Bits of the capability field (9.4.1.4).
const ESS: u16 = 0x0001;
const SHORT_PREAMBLE: u16 = 0x0020;
const SHORT_SLOT: u16 = 0x0400;
/// Element IDs (Table 9-92).
const SSID: u8 = 0;
const SUPPORTED_RATES: u8 = 1;
const DSSS_PARAMETER_SET: u8 = 3;
const TIM: u8 = 5;
const ERP: u8 = 42;
const EXTENDED_RATES: u8 = 50;
/// The upper bit of a rate: stations must have it.
const BASIC: u8 = 0x80;
/// ERP: stations without OFDM are there, and frames are protected from them.
const BESIDE_DSSS: u8 = 0x03;
/// Every beacon is a DTIM, and nothing waits for stations that sleep (9.4.2.5).
const NOTHING_WAITS: [u8; 4] = [0, 1, 0, 0];
/// The network's name, over and over.
const NAME: &[u8] = b"lasthop";

/// Writes an access point's description of its network (9.3.3.2, 9.3.3.10).
fn put_network(out: &mut Vec<u8>, elements: &Elements, interval: Span, says: &Says, tim: bool) {
    out.put_le64(says.timestamp_us);
    put_all(out, [time_units(interval).max(1), capability(elements)]);
    put_name(out, elements);
    let (first, more) = rates(elements);
    put_rates(out, &first, &[]);
    if elements.has_dsss() {
        put_element(out, DSSS_PARAMETER_SET, &[says.channel]);
    }
    if tim {
        put_element(out, TIM, &NOTHING_WAITS);
    }
    if elements.has_erp() {
        let mixed = matches!(elements.standard, Standard::ErpMixed(_));
        put_element(out, ERP, &[if mixed { BESIDE_DSSS } else { 0 }]);
    }
    put_rates(out, &[], &more);
}

/// The nearest number of time units.
fn time_units(span: Span) -> u16 {
    u16::try_from((span.0 + TIME_UNIT.0 / 2) / TIME_UNIT.0).unwrap_or(u16::MAX)
}

/// Writes a station's description of itself.
fn put_station(out: &mut Vec<u8>, elements: &Elements) {
    put_name(out, elements);
    let (first, more) = rates(elements);
    put_rates(out, &first, &more);
}

fn put_name(out: &mut Vec<u8>, elements: &Elements) {
    let name: Vec<u8> = NAME.iter().copied().cycle().take(elements.ssid_bytes as usize).collect();
    put_element(out, SSID, &name);
}

/// The rates of the first element, and of the second: in units of 500 kbit/s, rounded up (9.4.2.3).
fn rates(elements: &Elements) -> (Vec<u8>, Vec<u8>) {
    let basic = basic_modes(elements.standard);
    let coded = elements.standard.modes().into_iter().map(|mode| {
        let units = mode.rate().0.div_ceil(500_000) as u8;
        units | if basic.contains(&mode) { BASIC } else { 0 }
    });
    let mut first: Vec<u8> = coded.collect();
    let more = first.split_off(first.len().min(FIRST_RATES as usize));
    (first, more)
}

fn put_rates(out: &mut Vec<u8>, first: &[u8], more: &[u8]) {
    for (id, rates) in [(SUPPORTED_RATES, first), (EXTENDED_RATES, more)] {
        if !rates.is_empty() {
            put_element(out, id, rates);
        }
    }
}

fn put_element(out: &mut Vec<u8>, id: u8, content: &[u8]) {
    out.put(&[id, content.len() as u8]);
    out.put(content);
}

fn put_all<const N: usize>(out: &mut Vec<u8>, fields: [u16; N]) {
    fields.iter().for_each(|&field| out.put_le16(field));
}

/// The block ack parameters: a TID, and how many MPDUs are kept; 1024 of them do not fit the field, which then says nothing.
fn parameters(addba: &Addba) -> u16 {
    let window = addba.window % 1024;
    AMSDU | IMMEDIATE | u16::from(tid(addba.category)) << 2 | window << 6
}

/// The block ack timeout (9.4.1.14).
fn timeout(addba: &Addba) -> u16 {
    time_units(addba.timeout)
}

fn capability(elements: &Elements) -> u16 {
    ESS | match elements.standard {
        Standard::HrDsss(Preamble::Short) | Standard::ErpMixed(Preamble::Short) => SHORT_PREAMBLE,
        Standard::Erp => SHORT_SLOT,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dot11::{BROADCAST, Form, put_frame};
    use base::StationId;
    use wifi::mlme::{Delba, Reason, Status};
    use wifi::phy::Width;
    use wifi::qos::Category;

    const INTERVAL: Span = Span::micros(102_400);
    const ADDBA: Addba = Addba {
        category: Category::Video,
        token: 3,
        window: 64,
        timeout: Span::ZERO,
        first: 0x0abc,
    };
    const DELBA: Delba =
        Delba { category: Category::Video, by_originator: true, reason: Reason::Timeout };
    const BODIES: [Body; 13] = [
        Body::Beacon(INTERVAL),
        Body::ProbeRequest,
        Body::ProbeResponse(INTERVAL),
        Body::AuthenticationRequest,
        Body::AuthenticationResponse,
        Body::AssociationRequest,
        Body::ReassociationRequest(StationId(3)),
        Body::AssociationResponse,
        Body::ReassociationResponse,
        Body::Deauthentication(Reason::NotAssociated),
        Body::AddbaRequest(ADDBA),
        Body::AddbaResponse(ADDBA, Status::Success),
        Body::Delba(DELBA),
    ];

    fn says() -> Says {
        Says { timestamp_us: 77, channel: 6, association_id: 2, current: [2, 0, 0, 0, 0, 9] }
    }

    fn body(elements: &Elements, body: Body) -> Vec<u8> {
        let mut out = Vec::new();
        put_body(&mut out, &elements.frame(body), &says());
        out
    }

    #[test]
    fn every_frame_is_as_long_as_the_model_charges_for_it() {
        let standards = [
            Standard::Dsss,
            Standard::HrDsss(Preamble::Long),
            Standard::Ofdm(Width::Mhz20),
            Standard::Ofdm(Width::Mhz5),
            Standard::Erp,
            Standard::ErpMixed(Preamble::Short),
        ];
        for (standard, ssid_bytes) in standards.into_iter().zip([0, 7, 8, 20, 31, 32]) {
            let elements = Elements { ssid_bytes, standard };
            for of in BODIES {
                let form = Form::Management {
                    subtype: subtype(of),
                    transmitter: [2, 0, 0, 0, 0, 1],
                    bssid: BROADCAST,
                    sequence: 1,
                    retry: false,
                };
                let mut out = Vec::new();
                put_frame(&mut out, &form, (BROADCAST, 0), &body(&elements, of), 0);
                assert_eq!(out.len() as u32, elements.frame(of).bytes(), "{standard:?} {of:?}");
            }
        }
    }

    #[test]
    fn a_beacon_of_802_11b_says_what_a_station_needs() {
        let elements = Elements::of(Standard::HrDsss(Preamble::Short));
        let expected: [&[u8]; 6] = [
            &[77, 0, 0, 0, 0, 0, 0, 0],
            &[100, 0, 0x21, 0],
            b"\x00\x07lasthop",
            &[1, 4, 0x82, 0x84, 11, 22],
            &[3, 1, 6],
            &[5, 4, 0, 1, 0, 0],
        ];
        assert_eq!(body(&elements, Body::Beacon(INTERVAL)), expected.concat());
    }

    #[test]
    fn beside_802_11b_rates_take_two_elements() {
        let elements = Elements::of(Standard::ErpMixed(Preamble::Long));
        let expected: [&[u8]; 3] = [
            &[1, 0, 0, 0, 2, 0xc0],
            &[1, 8, 0x82, 0x84, 0x8b, 12, 18, 0x96, 24, 36],
            &[50, 4, 48, 72, 96, 108],
        ];
        assert_eq!(body(&elements, Body::AssociationResponse), expected.concat());
    }

    /// TID 5 of 64 MPDUs, by hand from the figures of 9.4.1.13 and 9.6.4.
    #[test]
    fn an_agreement_is_asked_for_and_made() {
        let elements = Elements::of(Standard::Ofdm(Width::Mhz20));
        let asked = body(&elements, Body::AddbaRequest(ADDBA));
        assert_eq!(asked, [3, 0, 3, 0x17, 0x10, 0, 0, 0xc0, 0xab]);
        let made = body(&elements, Body::AddbaResponse(ADDBA, Status::Success));
        assert_eq!(made, [3, 1, 3, 0, 0, 0x17, 0x10, 0, 0]);
        let timed = Addba { timeout: Span::micros(300 * 1024), ..ADDBA };
        assert_eq!(body(&elements, Body::AddbaRequest(timed))[5..7], [0x2c, 1]);
        let refused = body(&elements, Body::AddbaResponse(timed, Status::Declined));
        assert_eq!(refused, [3, 1, 3, 37, 0, 0x17, 0x10, 0x2c, 1]);
    }

    /// TID 5, by hand from the figures of 9.4.1.15 and 9.6.4.4.
    #[test]
    fn an_agreement_is_ended_by_either_side() {
        let elements = Elements::of(Standard::Ofdm(Width::Mhz20));
        assert_eq!(body(&elements, Body::Delba(DELBA)), [3, 2, 0, 0x58, 39, 0]);
        let by_recipient = Delba { by_originator: false, ..DELBA };
        assert_eq!(body(&elements, Body::Delba(by_recipient)), [3, 2, 0, 0x50, 39, 0]);
    }

    #[test]
    fn a_station_that_moves_says_where_it_was() {
        let elements = Elements::of(Standard::Dsss);
        let moved = body(&elements, Body::ReassociationRequest(StationId(3)));
        assert_eq!(moved[..10], [1, 0, 1, 0, 2, 0, 0, 0, 0, 9]);
        let reason = body(&elements, Body::Deauthentication(Reason::NotAuthenticated));
        assert_eq!(reason, [9, 0]);
    }
}
