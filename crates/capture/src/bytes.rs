//! Numbers into bytes: networks write the high byte first, pcapng and radiotap the low one.

/// A buffer that grows at its end.
pub trait Put {
    /// Bytes as they are.
    fn put(&mut self, bytes: &[u8]);

    /// 16 bits, high byte first.
    fn put_be16(&mut self, value: u16) {
        self.put(&value.to_be_bytes());
    }

    /// 32 bits, high byte first.
    fn put_be32(&mut self, value: u32) {
        self.put(&value.to_be_bytes());
    }

    /// 16 bits, low byte first.
    fn put_le16(&mut self, value: u16) {
        self.put(&value.to_le_bytes());
    }

    /// 32 bits, low byte first.
    fn put_le32(&mut self, value: u32) {
        self.put(&value.to_le_bytes());
    }

    /// 64 bits, low byte first.
    fn put_le64(&mut self, value: u64) {
        self.put(&value.to_le_bytes());
    }
}

impl Put for Vec<u8> {
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}
