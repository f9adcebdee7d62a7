//! The TCP variants by name: rows of (recovery, law).

use super::config::{LawName, Recovery, TcpConfig};
use super::law::LawRow;
use base::{Named, Options};

/// A named pair of recovery and law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variant {
    /// The name in scenarios.
    pub name: &'static str,
    /// The recovery.
    pub recovery: Recovery,
    /// The law.
    pub law: LawName,
    /// The law's parameters where they are not its defaults.
    pub options: &'static [(&'static str, f64)],
    /// The document of settings whose the rest is, sender and receiver; `None`: the conventions'.
    pub stack: Option<&'static str>,
    /// The year of publication.
    pub year: u16,
    /// The place of publication.
    pub paper: &'static str,
    /// The idea in a line.
    pub idea: &'static str,
}

/// Values of Linux and ns-3 where Vegas' paper leaves a choice.
pub const LINUX_VEGAS: &[(&str, f64)] = &[
    ("alpha", 2.0),
    ("beta", 4.0),
    ("double_every", 1.0),
    ("exit", 1.0),
    ("rtt", 1.0),
    ("min_samples", 2.0),
    ("loss", 0.5),
    ("keep", 0.75),
];

/// Linux 2.6's Vegas, which ns-2 runs.
pub const LINUX26_VEGAS: &[(&str, f64)] = &{
    let mut options = [("reference", 1.0); LINUX_VEGAS.len() + 1];
    let mut i = 0;
    while i < LINUX_VEGAS.len() {
        options[i] = LINUX_VEGAS[i];
        i += 1;
    }
    options
};

/// Linux's BIC counts acknowledgements and multiplies by its mean of the segments that each covers, an integer average
/// that starts at 2 and never comes below 31/16.
pub const LINUX26_BIC: &[(&str, f64)] = &[("ack_ratio", 1.9375)];

/// Linux's Vegas of today, in whole numbers.
pub const LINUX6_VEGAS: &[(&str, f64)] = &{
    let mut options = [("whole", 1.0); LINUX_VEGAS.len() + 2];
    let mut i = 0;
    while i < LINUX_VEGAS.len() {
        options[i] = LINUX_VEGAS[i];
        i += 1;
    }
    options[i] = ("rounds", 1.0);
    options
};

/// Linux's CUBIC: in whole numbers, 717/1024 remain.
pub const LINUX_CUBIC: &[(&str, f64)] = &[("linux", 1.0), ("beta", 717.0 / 1024.0)];

/// Every variant, oldest first; then Linux's choices. A law's own row says paper and idea.
pub const VARIANTS: &[Variant] = &[
    Variant {
        name: "tahoe",
        recovery: Recovery::Tahoe,
        law: LawName::Reno,
        options: &[],
        stack: None,
        year: 1988,
        paper: "Jacobson, Congestion Avoidance and Control, SIGCOMM 1988",
        idea: "three duplicate acknowledgements indicate a loss, and slow start follows",
    },
    Variant {
        name: "reno",
        recovery: Recovery::Reno,
        law: LawName::Reno,
        options: &[],
        stack: None,
        year: 1990,
        paper: "Jacobson 1990 (end2end-interest); RFC 2581, RFC 5681",
        idea: "fast recovery: duplicate acknowledgements let new data leave, half the window remains",
    },
    Variant {
        name: "newreno",
        recovery: Recovery::NewReno,
        law: LawName::Reno,
        options: &[],
        stack: None,
        year: 1996,
        paper: "Hoe, SIGCOMM 1996; RFC 3782, RFC 6582",
        idea: "partial acknowledgements show the next hole, so that a window has one recovery",
    },
    Variant {
        name: "sack",
        recovery: Recovery::Sack,
        law: LawName::Reno,
        options: &[],
        stack: None,
        year: 1996,
        paper: "Fall and Floyd, CCR 26(3), 1996; RFC 2018, RFC 6675",
        idea: "the receiver reports what it holds, so that all holes are filled in one round trip",
    },
    Variant {
        name: "rack",
        recovery: Recovery::RackTlp,
        law: LawName::Reno,
        options: &[],
        stack: None,
        year: 2021,
        paper: "RFC 8985",
        idea: "time decides what is lost, and a probe finds a lost tail",
    },
    Variant {
        name: "selective-repeat",
        recovery: Recovery::SelectiveRepeat,
        law: LawName::Reno,
        options: &[],
        stack: None,
        year: 1987,
        paper: "Bertsekas and Gallager, Data Networks, 1987, section 2.4.3",
        idea: "for radio links: a fixed window of packets, each sent again after a fixed time, without congestion control",
    },
    of_law(LawName::Vegas, Recovery::NewReno),
    of_law(LawName::Veno, SELECTIVE),
    of_law(LawName::Westwood, SELECTIVE),
    of_law(LawName::WestwoodPlus, SELECTIVE),
    of_law(LawName::Bic, SELECTIVE),
    of_law(LawName::Biad, SELECTIVE),
    of_law(LawName::Cubic, SELECTIVE),
    of_law(LawName::HighSpeed, SELECTIVE),
    of_law(LawName::Scalable, SELECTIVE),
    of_law(LawName::Htcp, SELECTIVE),
    of_law(LawName::Hybla, SELECTIVE),
    of_law(LawName::Illinois, SELECTIVE),
    of_law(LawName::Yeah, SELECTIVE),
    of_law(LawName::Ledbat, SELECTIVE),
    of_law(LawName::Lp, SELECTIVE),
    of_law(LawName::Dctcp, SELECTIVE),
    // RFC 9331 section 4.3: losses are told by time.
    of_law(LawName::Prague, Recovery::RackTlp),
    of_law(LawName::Bbr, MODELS),
    of_law(LawName::Bbr3, MODELS),
    linux("linux-reno", LawName::Reno, &[("beta_ecn", 0.5)]),
    linux("linux-vegas", LawName::Vegas, LINUX6_VEGAS),
    linux("linux-veno", LawName::Veno, &[]),
    linux("linux-westwood", LawName::WestwoodPlus, &[("linux", 1.0)]),
    linux("linux-bic", LawName::Bic, &[("mean_ratio", 1.0)]),
    linux("linux-cubic", LawName::Cubic, LINUX_CUBIC),
    linux("linux-htcp", LawName::Htcp, &[("linux", 1.0)]),
    linux("linux-hybla", LawName::Hybla, &[("linux", 1.0)]),
    linux("linux-illinois", LawName::Illinois, &[]),
    linux("linux-yeah", LawName::Yeah, &[]),
    linux("linux-bbr", LawName::Bbr, &[("linux", 1.0)]),
    linux26("linux26-reno", LawName::Reno, &[("beta_ecn", 0.5)]),
    linux26("linux26-vegas", LawName::Vegas, LINUX26_VEGAS),
    linux26("linux26-veno", LawName::Veno, &[]),
    linux26("linux26-westwood", LawName::WestwoodPlus, &[]),
    linux26("linux26-bic", LawName::Bic, LINUX26_BIC),
    linux26("linux26-cubic", LawName::Cubic, &[("first_growth", 0.05), ("ahead", 1.0)]),
];

/// A law under its own name, with this recovery and the law's defaults.
const fn of_law(law: LawName, recovery: Recovery) -> Variant {
    let LawRow { year, paper, .. } = *law.row();
    let (name, idea) = LawName::ROWS[law as usize];
    Variant { name, recovery, law, options: &[], stack: None, year, paper, idea }
}

/// A law with today's Linux around it.
const fn linux(
    name: &'static str,
    law: LawName,
    options: &'static [(&'static str, f64)],
) -> Variant {
    Variant { name, options, stack: Some("linux"), ..of_law(law, Recovery::RackTlp) }
}

/// A law with the choices of Linux 2.6; in ns-2 Agent/TCP/Linux of that name.
const fn linux26(
    name: &'static str,
    law: LawName,
    options: &'static [(&'static str, f64)],
) -> Variant {
    Variant { name, options, stack: Some("linux26"), ..of_law(law, SELECTIVE) }
}

/// The recovery of what was published after SACK, or runs in Linux (ns-2's Vegas has none).
const SELECTIVE: Recovery = Recovery::Sack;

/// The recovery of a law that models the path: it does not slow down for a loss, so that many segments are lost again
/// when they are sent again, and RACK-TLP finds those. BBR's implementations have it (draft-ietf-ccwg-bbr section 5.5.10.2).
const MODELS: Recovery = Recovery::RackTlp;

impl Recovery {
    /// Returns the recovery of a law without a stated one.
    pub fn default_for(model_based: bool) -> Recovery {
        if model_based { MODELS } else { Recovery::NewReno }
    }
}

/// The names, in the order of [`VARIANTS`].
pub const NAMES: &[&str] = &{
    let mut names = [""; VARIANTS.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = VARIANTS[i].name;
        i += 1;
    }
    names
};

/// The variant of that name.
pub fn by_name(name: &str) -> Option<&'static Variant> {
    VARIANTS.iter().find(|variant| variant.name == name)
}

impl Variant {
    /// The variant with the RFCs' parameters, whatever its stack.
    pub fn config(&self) -> TcpConfig {
        let law_options = Options::of(self.options);
        TcpConfig { law_options, ..TcpConfig::standard(self.recovery, self.law) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_is_found_by_its_own_name() {
        for (variant, &name) in VARIANTS.iter().zip(NAMES) {
            assert_eq!(by_name(name), Some(variant));
            assert_eq!(variant.config().recovery, variant.recovery);
        }
        assert_eq!(by_name("Reno"), None);
    }
}
