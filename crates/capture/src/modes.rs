//! Modes of HT, VHT and HE as radiotap's fields say them: MCS, width, guard interval, streams, code.

use wifi::phy::{Coding, Generation, Modern};

/// The guard intervals of HE, ns, by their numbers in its field.
const HE_GUARDS: [u64; 3] = [800, 1_600, 3_200];

/// Returns the field "MCS": known, flags, and the MCS of all streams together. All is known, and STBC and extension streams are
/// none.
pub fn ht(mode: Modern) -> Option<[u8; 3]> {
    const ALL_KNOWN: u8 = 0x7f;
    const MHZ40: u8 = 0x01;
    const SHORT_GUARD: u8 = 0x04;
    const LDPC: u8 = 0x10;
    let code = if mode.coding() == Coding::Ldpc { LDPC } else { 0 };
    let width = if mode.width_mhz() == 40 { MHZ40 } else { 0 };
    let guard = if mode.guard().0 == 400 { SHORT_GUARD } else { 0 };
    let mcs = mode.mcs() + 8 * (mode.streams() - 1);
    (mode.generation() == Generation::Ht).then_some([ALL_KNOWN, width | guard | code, mcs])
}

/// Returns the field "VHT": known, flags, bandwidth, MCS and streams of four users, coding, group ID, partial AID.
pub fn vht(mode: Modern) -> Option<[u8; 12]> {
    const STBC_KNOWN: u8 = 0x01;
    const GUARD_KNOWN: u8 = 0x04;
    const BANDWIDTH_KNOWN: u8 = 0x40;
    const SHORT_GUARD: u8 = 0x04;
    let mut field = [0; 12];
    field[0] = STBC_KNOWN | GUARD_KNOWN | BANDWIDTH_KNOWN;
    field[2] = if mode.guard().0 == 400 { SHORT_GUARD } else { 0 };
    field[3] = match mode.width_mhz() {
        20 => 0,
        40 => 1,
        80 => 4,
        _ => 11,
    };
    field[4] = mode.mcs() << 4 | mode.streams();
    field[8] = u8::from(mode.coding() == Coding::Ldpc);
    (mode.generation() == Generation::Vht).then_some(field)
}

/// Returns the field "HE": six words. The code is said where it is LDPC: ns-3's rules count a convolutional code at every width.
pub fn he(mode: Modern) -> Option<[u8; 12]> {
    const MCS_DCM_STBC_BANDWIDTH_KNOWN: u16 = 0x0020 | 0x0040 | 0x0200 | 0x4000;
    const GUARD_AND_TRAININGS_KNOWN: u16 = 0x0002 | 0x0004;
    const CODING_KNOWN: u16 = 0x0080;
    const LDPC: u16 = 0x2000;
    const TRAINING_2X: u16 = 2;
    const TRAINING_4X: u16 = 3;
    let bandwidth: u16 = match mode.width_mhz() {
        20 => 0,
        40 => 1,
        80 => 2,
        _ => 3,
    };
    let guard = HE_GUARDS.iter().position(|&guard| guard == mode.guard().0).unwrap_or(0) as u16;
    let training = if guard == 2 { TRAINING_4X } else { TRAINING_2X };
    let trainings: u16 = match mode.streams() {
        1 => 0,
        2 => 1,
        3 | 4 => 2,
        5 | 6 => 3,
        _ => 4,
    };
    let is_ldpc = mode.coding() == Coding::Ldpc;
    let (known, code) = if is_ldpc { (CODING_KNOWN, LDPC) } else { (0, 0) };
    let words = [
        MCS_DCM_STBC_BANDWIDTH_KNOWN | known,
        GUARD_AND_TRAININGS_KNOWN,
        u16::from(mode.mcs()) << 8 | code,
        0,
        bandwidth | guard << 4 | training << 6 | trainings << 8,
        u16::from(mode.streams()),
    ];
    let mut field = [0; 12];
    for (place, word) in field.chunks_mut(2).zip(words) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    (mode.generation() == Generation::He).then_some(field)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Span;
    use wifi::phy::PreambleRule;

    fn mode(generation: Generation, mcs: u8, streams: u8, width: u16, guard: u64) -> Modern {
        let rule = PreambleRule::Standard;
        Modern::new(generation, mcs, streams, width, Span(guard), rule).expect("it exists")
    }

    #[test]
    fn each_generation_has_its_field_alone() {
        let of = |mode: Modern| (ht(mode), vht(mode).is_some(), he(mode).is_some());
        let n = mode(Generation::Ht, 7, 2, 40, 400);
        assert_eq!(of(n), (Some([0x7f, 0x05, 15]), false, false));
        assert_eq!(of(mode(Generation::Vht, 9, 1, 80, 800)), (None, true, false));
        assert_eq!(of(mode(Generation::He, 11, 1, 20, 800)), (None, false, true));
    }

    /// 160 MHz, 3.2 us, 4x HE-LTF, eight of them, MCS 10, eight streams.
    #[test]
    fn words_of_he_are_those_of_radiotap() {
        let field = he(mode(Generation::He, 10, 8, 160, 3_200)).expect("it is HE");
        assert_eq!(field, [0x60, 0x42, 0x06, 0, 0, 10, 0, 0, 0xe3, 0x04, 8, 0]);
    }

    #[test]
    fn low_density_codes_are_said() {
        let ldpc = |generation| mode(generation, 7, 1, 20, 800).with_ldpc();
        assert_eq!(ht(ldpc(Generation::Ht)), Some([0x7f, 0x10, 7]));
        assert_eq!(vht(ldpc(Generation::Vht)).map(|field| field[8]), Some(1));
        let field = he(ldpc(Generation::He)).expect("it is HE");
        assert_eq!(field[..6], [0xe0, 0x42, 0x06, 0, 0, 0x27]);
    }
}
