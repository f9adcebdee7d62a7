//! The identity of a run: everything its result depends on, in one number, so that earlier results can be
//! recognised.

use crate::check::Scenario;
use std::fmt::{self, Write};

impl Scenario {
    /// The same for two scenarios that any seed takes to the same results, however they are written; 32 hexadecimal
    /// digits. It changes with the plan's form, so it is good within one version of lasthop only.
    pub fn identity(&self) -> String {
        let mut hash = Fnv::default();
        // The plan says all that a run is built from. Writing into a number does not fail.
        let _ = write!(hash, "{:?}", self.plan);
        format!("{:032x}", hash.0)
    }
}

/// FNV-1a of 128 bits (draft-eastlake-fnv, section 5): a plan may hold traces of many megabytes, and is never a text.
struct Fnv(u128);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Write for Fnv {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 =
                (self.0 ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELL: &str = "duration = '1 s'\n[[cell]]\nname = 'c'\naccess_point = 'ap'\nstations = 2\n[[flow]]\nfrom = \
                        'sta1'\nto = 'ap'\ntransport = 'udp'\napp = { kind = 'saturated', payload = '100 B' }\n";

    fn identity(text: &str, overrides: &[&str]) -> String {
        let overrides: Vec<String> = overrides.iter().map(|&each| each.to_owned()).collect();
        crate::check(text, "x.toml", &overrides).unwrap().identity()
    }

    #[test]
    fn a_scenario_is_known_however_it_is_written() {
        let plain = identity(CELL, &[]);
        assert_eq!(plain.len(), 32);
        assert_eq!(plain, identity(&format!("# a comment\nseed = 7\nname = 'other'\n{CELL}"), &[]));
        assert_eq!(plain, identity(&CELL.replace("'1 s'", "'1000 ms'"), &[]));
        assert_eq!(identity(CELL, &["duration=2 s"]), identity(&CELL.replace("1 s", "2 s"), &[]));
        assert_ne!(plain, identity(CELL, &["duration=2 s"]));
        assert_ne!(plain, identity(CELL, &["mac.short_retry_limit=3"]));
    }

    #[test]
    fn fnv_is_fnv() {
        let mut hash = Fnv::default();
        hash.write_str("a").unwrap();
        assert_eq!(format!("{:032x}", hash.0), "d228cb696f1a8caf78912b704e4a8964");
    }
}
