//! The Internet checksum (RFC 1071).

/// A sum of 16-bit words in ones' complement, not yet folded.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum(u64);

impl Sum {
    /// Adds bytes that begin at an even place; an odd last byte counts as if a zero followed (RFC 1071 section 4.1).
    #[must_use]
    pub fn add(self, bytes: &[u8]) -> Sum {
        let words = bytes.chunks(2).map(|pair| {
            u64::from(u16::from_be_bytes([pair[0], pair.get(1).copied().unwrap_or(0)]))
        });
        Sum(self.0 + words.sum::<u64>())
    }

    /// Value of the checksum field.
    pub fn finish(self) -> u16 {
        let mut sum = self.0;
        while sum > 0xffff {
            sum = (sum & 0xffff) + (sum >> 16);
        }
        !(sum as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 1071 section 3: the words 0001, f203, f4f5, f6f7 sum to ddf2.
    #[test]
    fn sums_as_the_example_of_the_rfc() {
        let bytes = [0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7];
        assert_eq!(Sum::default().add(&bytes).finish(), !0xddf2);
        assert_eq!(Sum::default().add(&bytes[..4]).add(&bytes[4..]).finish(), !0xddf2);
    }

    /// The same words with the last byte missing: f6 counts as f600.
    #[test]
    fn an_odd_byte_is_the_high_one() {
        let bytes = [0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6];
        // 0001 + f203 + f4f5 + f600 = 2dcf9, folded dcfb.
        assert_eq!(Sum::default().add(&bytes).finish(), !0xdcfb);
    }

    #[test]
    fn a_header_with_its_checksum_sums_to_zero() {
        let mut header = [
            0x45, 0x00, 0x00, 0x3c, 0x1c, 0x46, 0x40, 0x00, 0x40, 0x06, 0x00, 0x00, 0xac, 0x10,
            0x0a, 0x63, 0xac, 0x10, 0x0a, 0x0c,
        ];
        let sum = Sum::default().add(&header).finish();
        header[10..12].copy_from_slice(&sum.to_be_bytes());
        assert_eq!(sum, 0xb1e6);
        assert_eq!(Sum::default().add(&header).finish(), 0);
    }
}
