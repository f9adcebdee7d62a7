//! Management frames of a station, and packets that are held back for them.

use super::{Service, Station};
use crate::config::MacConfig;
use crate::mlme::{Body, GROUP, Management};
use base::{PacketId, StationId, Time};
use net::Device;
use std::collections::VecDeque;

/// Beside the interface queue: management frames, which go first, and a packet that had to leave its place.
#[derive(Clone, Debug, Default)]
pub struct ManagementQueue {
    frames: VecDeque<(StationId, Management)>,
    aside: Option<Service>,
    /// No data are sent.
    held: bool,
}

/// What goes before the interface queue.
pub enum Ready {
    /// This.
    Service(Service),
    /// Nothing, and nothing of the queue either.
    Nothing,
}

impl Ready {
    pub fn service(self) -> Option<Service> {
        match self {
            Ready::Service(service) => Some(service),
            Ready::Nothing => None,
        }
    }
}

impl ManagementQueue {
    /// What to send next; `None`: the next packet of the queue.
    pub fn next(&mut self, mac: &MacConfig) -> Option<Ready> {
        if let Some((to, frame)) = self.frames.pop_front() {
            return Some(Ready::Service(Service::of(to, frame, mac)));
        }
        if self.held {
            return Some(Ready::Nothing);
        }
        self.aside.take().map(Ready::Service)
    }

    /// What `waiting` packets wait for behind `service`. A packet set aside keeps the place of the one being sent.
    pub fn device(&self, service: Option<&Service>, waiting: u32) -> Device {
        let packet = service.filter(|service| service.management.is_none());
        if packet.or(self.aside.as_ref()).is_some() {
            Device::Sending
        } else if service.is_some() || self.held || waiting > 0 {
            Device::Blocked
        } else {
            Device::Idle
        }
    }
}

impl Service {
    /// A management frame; those for a group go without RTS (802.11-2020, 10.3.2.9).
    fn of(to: StationId, frame: Management, mac: &MacConfig) -> Service {
        Service {
            to,
            management: Some(frame),
            id: PacketId(u32::MAX),
            mpdu_bits: u64::from(frame.bytes()) * 8,
            uses_rts: to != GROUP && frame.bytes() > mac.rts_threshold,
            delivered: false,
            short_retries: 0,
            long_retries: 0,
        }
    }
}

impl Station {
    /// A management frame to send. One of the same kind for the same station that still waits is superseded. A beacon is
    /// the next frame to go (802.11-2020, 11.1.3.2).
    pub fn offer_management(&mut self, to: StationId, frame: Management) {
        let queue = self.management_queue.get_or_insert_default();
        queue.frames.retain(|waiting| *waiting != (to, frame));
        match frame.body {
            Body::Beacon(_) => queue.frames.push_front((to, frame)),
            _ => queue.frames.push_back((to, frame)),
        }
    }

    /// Forgets management frames that wait, and one in service: it must not be on the air.
    pub fn withdraw_management(&mut self) {
        self.service.take_if(|service| service.management.is_some());
        if let Some(queue) = &mut self.management_queue {
            queue.frames.clear();
        }
    }

    /// Takes a packet out of service until its turn comes again; it must not be on the air.
    pub fn set_aside(&mut self) {
        let packet = self.service.take_if(|service| service.management.is_none());
        if packet.is_some() {
            self.management_queue.get_or_insert_default().aside = packet;
        }
    }

    /// Sends no data from now on, or does again.
    pub fn hold(&mut self, held: bool) {
        self.management_queue.get_or_insert_default().held = held;
    }

    /// True where no data are sent.
    pub fn is_held(&self) -> bool {
        self.management_queue.as_ref().is_some_and(|queue| queue.held)
    }

    /// All packets go to `to` from now on: another access point, which counts its own retries and duplicates.
    pub fn readdress(&mut self, to: StationId) {
        self.queue.each(|queued| *queued = to);
        let Some(aside) = self.management_queue.as_mut().and_then(|queue| queue.aside.as_mut())
        else {
            return;
        };
        if aside.to != to {
            (aside.to, aside.short_retries, aside.long_retries) = (to, 0, 0);
        }
    }

    /// Takes out all packets for a station that has gone, but for one on the air.
    pub fn flush(&mut self, to: StationId, now: Time, mut lost: impl FnMut(PacketId)) {
        self.queue.take_out(now, |queued| {
            let goes = queued.with == to;
            if goes {
                lost(queued.id);
            }
            goes
        });
        let aside =
            self.management_queue.as_mut().and_then(|queue| queue.aside.take_if(|p| p.to == to));
        aside.into_iter().filter(|packet| !packet.delivered).for_each(|packet| lost(packet.id));
    }
}
