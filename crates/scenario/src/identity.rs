//! The identity of a run: everything its result depends on besides the seed, in one number, so that earlier results can
//! be recognised.

/// FNV-1a of 128 bits (draft-eastlake-fnv, section 5), 32 hexadecimal digits.
pub fn hash(text: &str) -> String {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let hash =
        text.bytes().fold(OFFSET, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME));
    format!("{hash:032x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fnv_is_fnv() {
        assert_eq!(hash("a"), "d228cb696f1a8caf78912b704e4a8964");
    }
}
