//! An access point: beacons, answers, and the table of its stations.

use super::frames::{Body, Management, Reason};
use super::{AccessPointConfig, Action, GROUP};
use base::{StationId, Time};

/// State of a station (802.11-2020, 11.3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Authenticated,
    /// It was sent a response and has not acknowledged it yet.
    Answered,
    Associated,
}

/// An access point's management entity.
#[derive(Clone, Debug)]
pub struct AccessPoint {
    config: AccessPointConfig,
    next_beacon: Time,
    stations: Vec<(StationId, Standing)>,
}

impl AccessPoint {
    /// One that knows nobody, before its first beacon.
    pub fn new(config: AccessPointConfig) -> AccessPoint {
        let next_beacon = Time::ZERO + config.offset;
        AccessPoint { config, next_beacon, stations: Vec::new() }
    }

    /// The next target beacon transmission time.
    pub fn next_timeout(&self) -> Time {
        self.next_beacon
    }

    /// A target beacon transmission time: a beacon is the next frame to send; the time of the one after it does not
    /// depend on when this one gets through (11.1.3.2).
    pub fn on_timeout(&mut self, out: &mut Vec<Action>) {
        let interval = self.config.beacon_interval;
        self.next_beacon += interval;
        self.send(GROUP, Body::Beacon(interval), out);
    }

    /// A management frame has come.
    pub fn on_frame(&mut self, from: StationId, frame: Management, out: &mut Vec<Action>) {
        match frame.body {
            Body::ProbeRequest => {
                self.send(from, Body::ProbeResponse(self.config.beacon_interval), out);
            }
            Body::AuthenticationRequest => {
                self.set(from, Standing::Authenticated);
                self.send(from, Body::AuthenticationResponse, out);
            }
            Body::AssociationRequest => self.answer(from, Body::AssociationResponse, out),
            Body::ReassociationRequest(_) => self.answer(from, Body::ReassociationResponse, out),
            _ => {}
        }
    }

    /// Answers an association request: every authenticated station is accepted (11.3.5.3, 11.3.5.5).
    fn answer(&mut self, from: StationId, response: Body, out: &mut Vec<Action>) {
        if self.of(from).is_some() {
            self.set(from, Standing::Answered);
            self.send(from, response, out);
        } else {
            self.send(from, Body::Deauthentication(Reason::NotAuthenticated), out);
        }
    }

    /// A management frame was acknowledged: with the association response a station is associated (11.3.5.3).
    pub fn on_acknowledged(&mut self, to: StationId, frame: Management, out: &mut Vec<Action>) {
        let answers = matches!(frame.body, Body::AssociationResponse | Body::ReassociationResponse);
        if answers && self.of(to) == Some(Standing::Answered) {
            self.admit(to, out);
        }
    }

    /// Handles a data frame from a station that is not known to be associated. One that was sent a response has got it,
    /// since it sends; any other is deauthenticated (11.3.4: a class 3 frame).
    pub fn on_data(&mut self, from: StationId, out: &mut Vec<Action>) {
        match self.of(from) {
            Some(Standing::Associated) => {}
            Some(Standing::Answered) => self.admit(from, out),
            Some(Standing::Authenticated) | None => {
                self.send(from, Body::Deauthentication(Reason::NotAssociated), out);
            }
        }
    }

    /// True where data frames from a station are taken: it may know that it is associated before its acknowledgement
    /// has come through.
    pub fn takes_from(&self, station: StationId) -> bool {
        matches!(self.of(station), Some(Standing::Answered | Standing::Associated))
    }

    /// True where data for a station are sent to it.
    pub fn sends_to(&self, station: StationId) -> bool {
        self.of(station) == Some(Standing::Associated)
    }

    /// A station has gone to another access point.
    pub fn forget(&mut self, station: StationId) {
        self.stations.retain(|known| known.0 != station);
    }

    fn admit(&mut self, station: StationId, out: &mut Vec<Action>) {
        self.set(station, Standing::Associated);
        out.push(Action::Admitted(station));
    }

    fn of(&self, station: StationId) -> Option<Standing> {
        self.stations.iter().find(|known| known.0 == station).map(|known| known.1)
    }

    fn set(&mut self, station: StationId, standing: Standing) {
        self.forget(station);
        self.stations.push((station, standing));
    }

    fn send(&self, to: StationId, body: Body, out: &mut Vec<Action>) {
        out.push(Action::Send(to, self.config.elements.frame(body)));
    }
}
