//! Channel errors of packets in bursts.

use crate::config::Lossy;
use crate::phy::Way;
use crate::piece::Piece;
use base::{Seed, Span, Time};
use radio::{Burst, Channel, ChannelConfig, StatePer};

/// Packet error model.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorConfig {
    /// The channels' law.
    pub channel: ChannelConfig,
    /// Sharing of the channel state: by cell, station or receiver.
    pub state_per: StatePer,
    /// Directions that errors affect.
    pub lossy: Lossy,
}

impl ErrorConfig {
    /// An error-free channel.
    pub const IDEAL: ErrorConfig = ErrorConfig {
        channel: ChannelConfig::Ideal,
        state_per: StatePer::Station,
        lossy: Lossy::Both,
    };
}

/// The channels of a cell.
#[derive(Clone, Debug)]
pub struct ErrorChannels {
    config: ErrorConfig,
    /// True if lost pieces are sent again (ARQ).
    repeats: bool,
    channels: Vec<Channel>,
}

impl ErrorChannels {
    /// Channels in their stationary states; `owner` numbers the base station's.
    pub fn new(
        (config, repeats): (&ErrorConfig, bool),
        stations: usize,
        seed: Seed,
        owner: u64,
    ) -> ErrorChannels {
        let count = match config.state_per {
            _ if config.channel == ChannelConfig::Ideal => 0,
            StatePer::Cell => 1,
            StatePer::Station | StatePer::Receiver => stations + 1,
        };
        let channel = |i| Channel::new(config.channel.clone(), seed, owner + i, Span::ZERO);
        ErrorChannels {
            config: config.clone(),
            repeats,
            channels: (0..count as u64).map(channel).collect(),
        }
    }

    /// True where a piece of a packet to or from a subscriber station, counted from one, is lost, which is on the air from
    /// the one moment to the other. Pieces on a channel are asked for in the order of their ends.
    pub fn loses(
        &mut self,
        (station, way): (usize, Way),
        piece: &Piece,
        (start, end): (Time, Time),
    ) -> bool {
        let hit = match self.config.lossy {
            Lossy::Both => true,
            Lossy::Downlink => way == Way::Down,
            Lossy::Uplink => way == Way::Up,
        };
        let number = match self.config.state_per {
            StatePer::Cell => 0,
            StatePer::Receiver if way == Way::Up => 0,
            StatePer::Station | StatePer::Receiver => station,
        };
        // A packet is lost as such once, in however many pieces it comes; repeated pieces each.
        let once = !self.repeats && self.config.channel.loses_frames();
        let Some(channel) =
            self.channels.get_mut(number).filter(|_| hit && (piece.is_last || !once))
        else {
            return false;
        };
        let bits = piece.bytes * 8;
        channel.loses(&Burst { start, end, bits, data_bits: bits, header: None }, None)
    }
}
