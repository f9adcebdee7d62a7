//! Settings of a PHY, and the timing and modulations that come of them.

use super::response::{basic_modes, response_mode};
use super::{
    Airtime, Coding, DsssRate, Generation, Line, Mode, Modern, Preamble, PreambleRule, Standard,
    Width,
};
use crate::PhyConfig;
use crate::rate::{Modulations, RateChoice, Rung};
use base::{Hertz, Maybe, Rate, Span, named, settings};
use radio::Modulation;

named! {
    /// Set of timings and rates.
    pub enum StandardName, "PHY standard" {
        Dsss = "802.11": "DSSS: 1 and 2 Mbps",
        Hr = "802.11b": "HR/DSSS: 1, 2, 5.5 and 11 Mbps",
        A = "802.11a": "OFDM at 5 GHz: 6 to 54 Mbps",
        G = "802.11g": "OFDM at 2.4 GHz without 802.11b stations: 6 to 54 Mbps, short slots",
        Mixed = "802.11bg": "802.11g beside 802.11b stations: 1 to 54 Mbps, with long slots, DSSS control frames and protection",
        N = "802.11n": "HT: 20 or 40 MHz, up to 4 streams, with access categories and aggregation",
        Ac = "802.11ac": "VHT: 20 to 160 MHz, up to 8 streams, with access categories and aggregation",
        Ax = "802.11ax": "HE: 20 to 160 MHz, up to 8 streams, with access categories and aggregation",
        Custom = "custom": "802.11b's timing with any rate",
    }
    /// Band of 802.11n, 802.11ac and 802.11ax.
    pub enum Band, "band" {
        Upper = "5 GHz": "5 GHz: SIFS of 16 us",
        Lower = "2.4 GHz": "2.4 GHz: SIFS of 10 us, and a signal extension of 6 us behind each frame",
    }
    /// Rate of control frames where `control_rate` is left out, with DSSS alone.
    pub enum DsssControl, "rule for DSSS control frames" {
        Answer = "answer": "the fastest basic rate that is not above the data's (802.11-2020, 10.6.6.5)",
        Slowest = "slowest": "1 Mbps (ns-2's basicRate_ since 13 March 2002)",
        Data = "data": "the data's (ns-2 before)",
    }
    /// End of DSSS frames.
    pub enum DsssEnd, "end of DSSS frames" {
        Microsecond = "microsecond": "at a whole microsecond (802.11-2020, 16.3.4)",
        Exact = "exact": "with the last bit (ns-2)",
    }
}

/// More slots than any standard's window.
const LARGEST_CW: u32 = 1023;

/// The long preamble and the PLCP header, bits (802.11-2020, 15.2.2).
const PLCP_BITS: u64 = 144 + 48;

const MBPS: u64 = 1_000_000;

settings! {
    /// Timing and rates of a station.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct PhySettings {
        /// The standard, which decides timing, rates and preambles.
        standard: StandardName = StandardName::Dsss, "standard";
        /// The rate of data frames. With a `rate_control` it is the rate that the control begins with.
        rate: Option<Rate> as Maybe<Rate> = None => "the fastest of the standard; with a rate_control, the slowest", "rate";
        /// With 802.11n, 802.11ac and 802.11ax, in the place of `rate`: the modulation and coding scheme, within one
        /// stream.
        mcs: Option<u32> as Maybe<u32> = None => "the highest that there is: 7, 9 or 11", "mcs", ..=Some(11);
        /// With these: the number of spatial streams.
        streams: u32 = 2, "streams", 1..=8;
        /// With these: the width of the channel.
        width_hz: Option<f64> as Maybe<Hertz> = None => "\"40 MHz\" with 802.11n, \"80 MHz\" with 802.11ac and 802.11ax", "width";
        /// With these: the guard interval.
        guard_interval: Span = Span(800), "guard_interval";
        /// With these: the band.
        band: Band = Band::Upper, "band";
        /// With these: how preambles, and symbols with a short guard interval, are counted.
        preambles: PreambleRule = PreambleRule::Standard, "preambles";
        /// With these: the code of data.
        coding: Option<Coding> as Maybe<Coding> = None => "\"ldpc\" where 802.11ax has no other, above 20 MHz, above four streams and with MCS 10 and 11, else \"bcc\", which is also what ns-3 counts", "coding";
        /// How the rate of each data frame is chosen.
        rate_control: RateChoice = RateChoice::Fixed, "rate_control";
        /// With "802.11a", "802.11g" and "802.11bg": accept rates that the standard does not have, such as "20
        /// Mbps".
        any_rate: bool = false, "any_rate";
        /// The rate of RTS, CTS and ACK frames.
        control_rate: Option<Rate> as Maybe<Rate> = None => "the fastest basic rate that is not above the data's (802.11-2020, 10.6.6.5), or by `dsss_control`; the basic rates of DSSS are 1 and 2 Mbps (after short preambles only 2 Mbps), those of OFDM 6, 12 and 24 Mbps, and beside 802.11b 1, 2, 5.5 and 11 Mbps", "control_rate";
        /// With "802.11", "802.11b" and "custom": the rate of RTS, CTS and ACK frames where `control_rate` is left
        /// out.
        dsss_control: DsssControl = DsssControl::Answer, "dsss_control";
        /// With "802.11", "802.11b" and "custom": when frames end.
        dsss_end: DsssEnd = DsssEnd::Microsecond, "dsss_end";
        /// The length of the PLCP preamble. Only 802.11b, 802.11bg, and older stations of cells of 802.11n and later in the 2.4 GHz
        /// band have a short one.
        preamble: Option<Preamble> as Maybe<Preamble> = None => "\"long\"", "preamble";
        /// With "802.11", "802.11b" and "custom": whether the preamble and the PLCP header, 192 bits, are sent at
        /// the data's rate where `preamble` is left out. ns-2 did so until 13 March 2002.
        plcp_at_data_rate: bool = false, "plcp_at_data_rate";
        /// The length of a slot (aSlotTime).
        slot: Option<Span> as Maybe<Span> = None => "the standard's", "slot", Some(Span(1))..;
        /// The short interframe space (aSIFSTime).
        sifs: Option<Span> as Maybe<Span> = None => "the standard's", "sifs";
        /// The smallest contention window (aCWmin) in slots.
        cw_min: Option<u32> as Maybe<u32> = None => "the standard's", "cw_min";
        /// The largest contention window (aCWmax) in slots.
        cw_max: Option<u32> as Maybe<u32> = None => "the standard's", "cw_max", ..=Some(LARGEST_CW);
        /// How long after the start of a frame another station may still begin, because it has not noticed the
        /// frame. It is less than a slot. 802.11's aCCATime is "15 us" with DSSS and "4 us" with OFDM. The default
        /// is that of ns-2 and Bianchi's model.
        sense_time: Span = Span::ZERO, "sense_time";
        /// In a cell of 802.11n or later: the older standard whose rates alone this station has.
        internal older: Option<StandardName> = None;
        /// In such a cell in the 2.4 GHz band: stations of 802.11b are among its stations.
        internal beside_dsss: bool = false;
    }
}

/// What a generation does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Impossible {
    /// This width.
    Width,
    /// So many streams.
    Streams,
    /// This guard interval.
    Guard,
    /// This code, with these streams and this width.
    Coding,
    /// This MCS, with these streams and this width.
    Mcs,
}

/// A rate that is none of the standard's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchRate {
    /// The rate.
    pub rate: Rate,
    /// Control frames should have it, not data frames.
    pub is_control: bool,
}

impl PhySettings {
    /// Returns the standard of a cell; a custom PHY is a variety of 802.11b.
    pub fn standard(&self) -> Standard {
        let preamble = self.preamble.unwrap_or(Preamble::Long);
        match self.standard {
            StandardName::Hr | StandardName::Custom => Standard::HrDsss(preamble),
            StandardName::Dsss => Standard::Dsss,
            StandardName::A => Standard::Ofdm(Width::Mhz20),
            StandardName::G => Standard::Erp,
            StandardName::Mixed => Standard::ErpMixed(preamble),
            StandardName::N | StandardName::Ac | StandardName::Ax => Standard::Modern(self.line()),
        }
    }

    /// Returns the generation of 802.11n, 802.11ac and 802.11ax.
    pub fn generation(&self) -> Option<Generation> {
        match self.standard {
            StandardName::N => Some(Generation::Ht),
            StandardName::Ac => Some(Generation::Vht),
            StandardName::Ax => Some(Generation::He),
            _ => None,
        }
    }

    /// Returns the modes of these.
    fn line(&self) -> Line {
        let generation = self.generation().unwrap_or(Generation::Ht);
        let usual = if generation == Generation::Ht { 40e6 } else { 80e6 };
        let width_mhz = self.width_hz.unwrap_or(usual) / 1e6;
        Line {
            generation,
            streams: u8::try_from(self.streams).unwrap_or(u8::MAX),
            // No whole number of MHz is no width.
            width_mhz: if width_mhz.fract() == 0.0 { width_mhz as u16 } else { 0 },
            guard: self.guard_interval,
            rule: self.preambles,
            coding: self.coding,
            at_2_4_ghz: self.band == Band::Lower,
            preamble: self.preamble.unwrap_or(Preamble::Long),
            beside_dsss: self.beside_dsss,
        }
    }

    /// Returns the modes of data frames among which rate control chooses, slowest first: those of the standard, or of the older one
    /// of this station.
    pub fn modes(&self) -> Vec<Mode> {
        let Some(older) = self.older else { return self.standard().modes() };
        let mut modes = self.line().older_modes();
        modes.retain(|mode| match (older, mode) {
            (StandardName::Dsss, Mode::Dsss(mode)) => mode.rate <= DsssRate::Mbps2,
            (StandardName::Dsss | StandardName::Hr, mode) => matches!(mode, Mode::Dsss(_)),
            _ => true,
        });
        modes
    }

    /// Returns the rates of older standards that data frames may have too, in a cell of 802.11n or later.
    pub fn older_rates(&self) -> Vec<Rate> {
        let all = self.generation().map(|_| self.line().older_modes()).unwrap_or_default();
        all.into_iter().map(Mode::rate).collect()
    }

    /// Returns the width of the channel of these, MHz.
    pub fn width_mhz(&self) -> u16 {
        self.line().width_mhz
    }

    /// Returns the MCS that there are with these streams and this width.
    pub fn schemes(&self) -> impl Iterator<Item = u8> + use<> {
        let line = self.line();
        (0..=11).filter(move |&mcs| line.mode(mcs).is_some())
    }

    /// Returns what of these the standard does not have.
    ///
    /// # Errors
    /// The first thing that is impossible.
    pub fn possible(&self) -> Result<(), Impossible> {
        let Some(generation) = self.generation() else { return Ok(()) };
        let line = self.line();
        if !Line::widths(generation).any(|width| width == line.width_mhz) {
            return Err(Impossible::Width);
        }
        if line.streams > Line::most_streams(generation) {
            return Err(Impossible::Streams);
        }
        if !Line::guards(generation).any(|guard| guard == line.guard) {
            return Err(Impossible::Guard);
        }
        if self.coding.is_some() && self.schemes().next().is_none() {
            return Err(Impossible::Coding);
        }
        match self.mcs {
            Some(mcs) if line.mode(mcs as u8).is_none() => Err(Impossible::Mcs),
            _ => Ok(()),
        }
    }

    /// Returns true where every frame is DSSS.
    pub fn is_dsss(&self) -> bool {
        matches!(self.standard(), Standard::Dsss | Standard::HrDsss(_))
    }

    /// Returns the timing with the data rate that is set, and how frames are sent.
    ///
    /// # Errors
    /// [`NoSuchRate`] where the standard has no such rate.
    pub fn rung(&self) -> Result<Rung, NoSuchRate> {
        let mut rung = match self.standard {
            // How frames of a custom rate are sent is not known, and nobody asks.
            StandardName::Custom => {
                let modulations = Modulations::alike(Modulation::Dbpsk);
                Rung { phy: self.custom(), modulations, mode: None }
            }
            _ => self.of_standard()?,
        };
        let phy = &mut rung.phy;
        if self.is_dsss() {
            self.change_plcp(phy);
        }
        phy.slot = self.slot.unwrap_or(phy.slot);
        phy.sifs = self.sifs.unwrap_or(phy.sifs);
        phy.cw_min = self.cw_min.unwrap_or(phy.cw_min);
        phy.cw_max = self.cw_max.unwrap_or(phy.cw_max);
        phy.sense_time = self.sense_time;
        Ok(rung)
    }

    /// Returns all rungs of up to as many streams as are set, slow to fast, of 802.11n, 802.11ac and 802.11ax.
    ///
    /// # Errors
    /// [`NoSuchRate`] where the standard lacks the control rate.
    pub fn rungs_of_all_streams(&self) -> Result<Vec<Rung>, NoSuchRate> {
        let of_streams = (1..=self.streams).map(|streams| PhySettings { streams, ..*self });
        let each = of_streams.flat_map(|settings| {
            let of_mcs = move |mcs| PhySettings { mcs: Some(mcs), rate: None, ..settings };
            settings.schemes().map(move |mcs| of_mcs(u32::from(mcs)).rung())
        });
        let mut rungs: Vec<Rung> = each.collect::<Result<_, _>>()?;
        // Among equals the one of fewer streams comes first, which needs a weaker signal.
        rungs.sort_by_key(|rung| rung.phy.data.payload.rate());
        Ok(rungs)
    }

    fn of_standard(&self) -> Result<Rung, NoSuchRate> {
        let standard = self.standard();
        let is_of_mcs = self.generation().is_some() && self.older.is_none() && self.rate.is_none();
        let of_mcs = self.mcs.filter(|_| is_of_mcs);
        let of_mcs = of_mcs.and_then(|mcs| self.line().mode(mcs as u8)).map(Mode::Modern);
        let data = self.mode(self.rate, false)?.or(of_mcs).unwrap_or_else(|| self.fastest());
        // In a cell of 802.11n or later what sends DSSS or CCK may understand nothing else.
        let answers = |mode: &Mode| match (standard, data, mode) {
            (Standard::Modern(_), Mode::Dsss(_), mode) => matches!(mode, Mode::Dsss(_)),
            _ => true,
        };
        let control = self.mode(self.control_rate(), true)?.filter(answers);
        let basic = basic_modes(standard);
        let answer = control.unwrap_or_else(|| response_mode(data, &basic));
        let modulations = Modulations {
            data: data.modulation(),
            answers: answer.modulation(),
            basic: basic.first().unwrap_or(&answer).modulation(),
        };
        let mode: Option<Modern> = match data {
            Mode::Modern(mode) => Some(mode),
            Mode::Dsss(_) | Mode::Ofdm(_) => None,
        };
        Ok(Rung { phy: PhyConfig::of(standard, data, control), modulations, mode })
    }

    fn fastest(&self) -> Mode {
        *self.modes().last().expect("every standard has rates")
    }

    /// Returns the mode with a rate, where one is asked for.
    fn mode(&self, rate: Option<Rate>, is_control: bool) -> Result<Option<Mode>, NoSuchRate> {
        let Some(rate) = rate else { return Ok(None) };
        let standard = match self.standard() {
            // Control frames go as stations of 802.11a or 802.11g send them.
            Standard::Modern(Line { at_2_4_ghz: true, preamble, .. }) if is_control => {
                Standard::ErpMixed(preamble)
            }
            Standard::Modern(_) if is_control => Standard::Ofdm(Width::Mhz20),
            standard => standard,
        };
        let found = if self.older.is_some() && !is_control {
            self.modes().into_iter().find(|mode| mode.rate() == rate)
        } else if self.any_rate {
            standard.mode_or_outside(rate)
        } else {
            standard.mode(rate)
        };
        found.map(Some).ok_or(NoSuchRate { rate, is_control })
    }

    /// Returns the rate of control frames, where one is set or a rule gives one that the standard has.
    fn control_rate(&self) -> Option<Rate> {
        if self.control_rate.is_some() || !self.is_dsss() {
            return self.control_rate;
        }
        let usual = match self.dsss_control {
            DsssControl::Answer => return None,
            DsssControl::Slowest => Rate(MBPS),
            DsssControl::Data => self.rate.unwrap_or_else(|| self.fastest().rate()),
        };
        let is_sent =
            self.standard == StandardName::Custom || self.standard().mode(usual).is_some();
        is_sent.then_some(usual)
    }

    /// Returns 802.11b's timing with any rate.
    fn custom(&self) -> PhyConfig {
        let standard = self.standard();
        let modes = standard.modes();
        let slowest = modes.first().expect("every standard has rates");
        let base = PhyConfig::of(standard, *slowest, None);
        let plain =
            |rate: Option<Rate>, usual| Airtime::plain(base.data.preamble, rate.unwrap_or(usual));
        PhyConfig {
            data: plain(self.rate, Rate(11 * MBPS)),
            control: plain(self.control_rate(), base.control.payload.rate()),
            ..base
        }
    }

    /// Sets what ns-2 has otherwise of a DSSS frame's preamble and end.
    fn change_plcp(&self, phy: &mut PhyConfig) {
        let at_data_rate = self.plcp_at_data_rate && self.preamble.is_none();
        let own = at_data_rate.then(|| phy.data.payload.rate().time_for_bits(PLCP_BITS));
        for airtime in [&mut phy.data, &mut phy.control, &mut phy.lowest] {
            airtime.preamble = own.unwrap_or(airtime.preamble);
            if self.dsss_end == DsssEnd::Exact {
                *airtime = Airtime::plain(airtime.preamble, airtime.payload.rate());
            }
        }
    }
}
