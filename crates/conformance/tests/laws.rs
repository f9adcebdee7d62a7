//! Every law of the registry passes the checks: a new law is tested before its author writes a test.

use conformance::laws::{CHECKS, Subject};
use transport::tcp::Window;
use transport::tcp::law::{Ack, AnyLaw, Custom, Law, LawName, LawOptions, Loss};

/// Laws that hold a model of the path: a recovery does not stop their window, and a loss that duplicates tell of
/// does not shrink it.
const MODEL_BASED: &[LawName] = &[LawName::Bbr, LawName::Bbr3];

#[test]
fn every_law_passes_every_check() {
    for &name in LawName::ALL {
        let make = || AnyLaw::new(name, &LawOptions::default());
        let model_based = MODEL_BASED.contains(&name);
        let subject = Subject { make: &make, model_based, timeout_leaves: 1.0 };
        for check in CHECKS {
            if let Err(what) = check.run(&subject) {
                panic!("{} fails {}: {what}", name.name(), check.id);
            }
        }
    }
}

/// A law that does one thing wrong.
#[derive(Clone, Copy, Debug)]
struct Wrong(&'static str);

impl Law for Wrong {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        if a.may_grow() || self.0 == "recovery" {
            w.grow(a.acked, 1.0);
        }
        if self.0 == "finite" && a.rtt.is_none() {
            w.cwnd = f64::NAN;
        }
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        match (self.0, why) {
            ("floor", Loss::DupAcks) => w.cwnd = 0.5,
            ("loss", Loss::EcnMark) => w.cwnd += 3.0,
            ("timeout", Loss::Timeout) => w.cut(base / 2.0),
            ("storm", _) => w.cwnd /= 2.0,
            _ => w.shrink(why, base / 2.0),
        }
    }
}

#[test]
fn each_check_finds_what_it_is_for() {
    for id in ["floor", "finite", "recovery", "loss", "timeout", "storm"] {
        let make = || AnyLaw::Custom(Custom::new(Wrong(id)));
        let subject = Subject { make: &make, model_based: false, timeout_leaves: 1.0 };
        let check = CHECKS.iter().find(|check| check.id == id).expect("it is in the list");
        check.run(&subject).expect_err(id);
        let exempt = Subject { model_based: true, ..subject };
        assert_eq!(check.run(&exempt).is_ok(), id == "recovery", "{id}");
    }
}
