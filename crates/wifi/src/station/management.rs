//! Management frames of a station, and packets that are held back for them.

use super::service::Service;
use crate::config::MacConfig;
use crate::mlme::{Body, Management};
use base::StationId;
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

/// Frames that have priority over the interface queue.
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
    /// Next frame to send; `None`: the next packet of the queue.
    pub fn next(&mut self, mac: &MacConfig) -> Option<Ready> {
        if let Some((to, frame)) = self.frames.pop_front() {
            return Some(Ready::Service(Service::of_management(to, frame, mac)));
        }
        if self.held {
            return Some(Ready::Nothing);
        }
        self.aside.take().map(Ready::Service)
    }

    /// State of the device that `waiting` packets wait for behind `service`. A packet set aside keeps the place of the one
    /// being sent.
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

    /// A management frame to send. One of the same kind for the same station that still waits is superseded. A beacon is
    /// the next frame to go (802.11-2020, 11.1.3.2).
    pub fn offer(&mut self, to: StationId, frame: Management) {
        self.frames.retain(|waiting| *waiting != (to, frame));
        match frame.body {
            Body::Beacon(_) => self.frames.push_front((to, frame)),
            _ => self.frames.push_back((to, frame)),
        }
    }

    /// Forgets management frames.
    pub fn clear(&mut self) {
        self.frames.clear();
    }

    /// A packet leaves its place until its turn comes again.
    pub fn set_aside(&mut self, packet: Service) {
        self.aside = Some(packet);
    }

    /// The packet set aside.
    pub fn aside(&mut self) -> Option<&mut Service> {
        self.aside.as_mut()
    }

    /// Takes the packet set aside out, if it is for `to`.
    pub fn take_aside(&mut self, to: StationId) -> Option<Service> {
        self.aside.take_if(|packet| packet.to == to)
    }

    /// Lets no data pass from now on, or does again.
    pub fn hold(&mut self, held: bool) {
        self.held = held;
    }

    /// True where no data pass.
    pub fn is_held(&self) -> bool {
        self.held
    }
}
