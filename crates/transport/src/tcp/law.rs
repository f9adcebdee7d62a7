//! Laws: how the window moves. A law is a file with its source, its parameters and its [`Law`], and a row in the registry.
//!
//! The registry gives a law its name in scenarios and lists and enrols it in the conformance suite (`conformance::laws`).
//! A law from outside (Python) comes in by [`Custom`].

mod bbr;
mod bbr3;
mod biad;
mod bic;
mod cubic;
mod custom;
mod dctcp;
mod highspeed;
mod htcp;
mod hybla;
mod illinois;
mod interface;
mod least;
mod ledbat;
mod lp;
mod prague;
mod reno;
mod round;
mod scalable;
#[cfg(test)]
mod testing;
mod vegas;
mod veno;
mod westwood;
mod westwood_plus;
mod yeah;

pub use super::window::Loss;
use super::window::Window;
use base::{Options, Parameter, Span, registry};
pub use bbr::Bbr;
pub use bbr3::Bbr3;
pub use biad::Biad;
pub use bic::Bic;
pub use cubic::Cubic;
pub use custom::{Custom, CustomLaw};
pub use dctcp::Dctcp;
pub use highspeed::HighSpeed;
pub use htcp::Htcp;
pub use hybla::Hybla;
pub use illinois::Illinois;
pub use interface::{Ack, Flown, Law, LawRow};
pub use ledbat::Ledbat;
pub use lp::Lp;
pub use prague::Prague;
pub use reno::Reno;
pub use scalable::Scalable;
pub use vegas::Vegas;
pub use veno::Veno;
pub use westwood::Westwood;
pub use westwood_plus::WestwoodPlus;
pub use yeah::Yeah;

registry! {
    /// Congestion control laws, by name.
    #[derive(Hash)]
    pub enum LawName, "law",
    /// A law at work.
    pub AnyLaw by laws beside Custom(Custom) {
        Reno(reno::Reno) = "reno": "adds a segment each round trip, halves the window after a loss",
        Vegas(vegas::Vegas, boxed) = "vegas": "keeps a few segments in the queue, judged by the round-trip time",
        Veno(veno::Veno) = "veno": "Reno that blames a loss without a queue on the radio and keeps 4/5 of the window",
        Westwood(westwood::Westwood) = "westwood": "after a loss the window is the estimated bandwidth times the smallest round-trip time",
        WestwoodPlus(westwood_plus::WestwoodPlus, boxed) = "westwood+": "Westwood with one bandwidth sample a round trip",
        Bic(bic::Bic) = "bic": "searches the window of the last loss by halving the distance to it",
        Biad(biad::Biad, boxed) = "biad": "grows like BIC and reduces its window like Westwood",
        Cubic(cubic::Cubic, boxed) = "cubic": "grows as a cubic of the time since the last loss, flat near the window of that loss",
        HighSpeed(highspeed::HighSpeed) = "highspeed": "the larger the window, the more a round adds and the less a loss takes",
        Scalable(scalable::Scalable) = "scalable": "adds 0.01 segments on each acknowledgement, takes off an eighth after a loss",
        Htcp(htcp::Htcp, boxed) = "htcp": "grows with the square of the time since the last loss",
        Hybla(hybla::Hybla) = "hybla": "lets a long path grow as fast as one with a round trip of 25 ms",
        Illinois(illinois::Illinois, boxed) = "illinois": "the queueing delay sets how much a round adds and a loss takes",
        Yeah(yeah::Yeah, boxed) = "yeah": "Scalable while the queue is short, Reno when it is long",
        Ledbat(ledbat::Ledbat, boxed) = "ledbat": "keeps at most 100 ms of queue and yields to all other traffic",
        Lp(lp::Lp) = "lp": "low priority: halves its window at the first sign of a queue, gives way at the second",
        Dctcp(dctcp::Dctcp) = "dctcp": "reduces its window in proportion to the share of marked segments",
        Prague(prague::Prague) = "prague": "DCTCP for the Internet: L4S, and short paths grow no faster than one of 25 ms",
        Bbr(bbr::Bbr, boxed) = "bbr": "sends by the highest rate and the smallest delay seen lately, whatever is lost",
        Bbr3(bbr3::Bbr3, boxed) = "bbr3": "BBR that limits itself after losses and leaves room to others",
    }
}

impl LawName {
    /// The law's source and parameters.
    pub const fn row(self) -> &'static LawRow {
        laws!(in self, law => &law::ROW)
    }
    /// Returns the parameters.
    pub fn parameters(self) -> &'static [Parameter] {
        self.row().parameters
    }

    /// True where the law holds a model of the path ([`Law::model_based`]).
    pub fn is_model_based(self) -> bool {
        AnyLaw::new(self, &Options::default()).model_based()
    }

    /// The parameter of that name.
    pub fn parameter(self, name: &str) -> Option<&'static Parameter> {
        self.parameters().iter().find(|parameter| parameter.name == name)
    }
}

impl AnyLaw {
    /// A fresh law with these parameters.
    pub fn new(name: LawName, options: &Options) -> AnyLaw {
        laws!(make name, Law => Law::new(options))
    }
}

impl Law for AnyLaw {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        laws!(each self, law => law.on_ack(w, a));
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        laws!(each self, law => law.on_loss(w, why, base));
    }

    fn on_recovered(&mut self, w: &mut Window) {
        laws!(each self, law => law.on_recovered(w));
    }

    fn on_idle(&mut self, w: &mut Window) {
        laws!(each self, law => law.on_idle(w));
    }

    fn undo(&mut self, w: &mut Window) {
        laws!(each self, law => law.undo(w));
    }

    fn pacing_rate(&self) -> Option<f64> {
        laws!(each self, law => law.pacing_rate())
    }

    fn bunch(&self) -> u32 {
        laws!(each self, law => law.bunch())
    }

    fn model_based(&self) -> bool {
        laws!(each self, law => law.model_based())
    }

    fn least_round(&self) -> Span {
        laws!(each self, law => law.least_round())
    }

    fn salt(&mut self, salt: f64) {
        laws!(each self, law => law.salt(salt));
    }

    fn state(&self) -> &'static str {
        laws!(each self, law => law.state())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Named;

    #[test]
    fn every_law_is_found_by_its_name() {
        for &law in LawName::ALL {
            assert_eq!(LawName::by_name(law.name()), Some(law));
            assert!(!law.idea().is_empty() && law.row().year > 1980);
        }
        assert_eq!(LawName::by_name("rino"), None);
    }

    #[test]
    fn every_parameter_is_found_and_says_what_it_means() {
        for &law in LawName::ALL {
            for p in law.parameters() {
                assert_eq!(law.parameter(p.name), Some(p));
                assert!(p.meaning.len() > 10, "{} {}", law.name(), p.name);
                assert!(p.choices.is_empty() || p.default < p.choices.len() as f64);
            }
        }
    }
}
