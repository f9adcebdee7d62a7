//! What channels do to packets in bursts.

use crate::config::Lossy;
use crate::phy::Way;
use crate::piece::Piece;
use base::{Seed, Span, Time};
use radio::{Burst, Channel, ChannelConfig, StatePer};

/// How packets are lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorConfig {
    /// The channels' law.
    pub channel: ChannelConfig,
    /// Who shares a channel's state.
    pub state_per: StatePer,
    /// Which bursts it hits.
    pub lossy: Lossy,
}

impl ErrorConfig {
    /// Nothing is lost.
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
    /// What is lost is sent again, piece by piece.
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
        let channel = |i| Channel::new(config.channel, seed, owner + i, Span::ZERO);
        ErrorChannels {
            config: *config,
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
