//! Messages under way: each is a packet, with its text kept beside.

use mobileip::{Message, Sizes};
use net::{Datagram, Header};

/// The texts of messages, by the numbers that their packets carry.
#[derive(Clone, Debug)]
pub struct Mail {
    sizes: Sizes,
    texts: Vec<Option<Message>>,
    free: Vec<u32>,
}

impl Mail {
    pub fn new(sizes: Sizes) -> Mail {
        Mail { sizes, texts: Vec::new(), free: Vec::new() }
    }

    /// Keeps a text, and gives the header and the size of its packet.
    pub fn put(&mut self, message: Message) -> (Header, u32) {
        let number = self.free.pop().unwrap_or_else(|| {
            self.texts.push(None);
            self.texts.len() as u32 - 1
        });
        self.texts[number as usize] = Some(message);
        let bytes = self.sizes.of(&message);
        let len = bytes.saturating_sub(28);
        (Header::Udp(Datagram { number: u64::from(number), len }), bytes)
    }

    /// The text of a packet that has ended.
    pub fn take(&mut self, header: &Header) -> Option<Message> {
        let Header::Udp(datagram) = header else { return None };
        let text = self.texts.get_mut(datagram.number as usize)?.take();
        if text.is_some() {
            self.free.push(datagram.number as u32);
        }
        text
    }
}
