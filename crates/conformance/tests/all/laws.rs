//! Every law of the registry passes the checks: a new law is tested before its author writes a test.

use base::{Named, Options};
use conformance::laws::{CHECKS, Subject};
use transport::tcp::Window;
use transport::tcp::law::{Ack, AnyLaw, Custom, Law, LawName, Loss};

#[test]
fn every_law_passes_every_check() {
    for &name in LawName::ALL {
        let make = || AnyLaw::new(name, &Options::default());
        let subject = Subject { make: &make, timeout_leaves: 1.0 };
        for check in CHECKS {
            if let Err(what) = check.run(&subject) {
                panic!("{} fails {}: {what}", name.name(), check.id);
            }
        }
    }
}

/// A law that does one thing wrong.
#[derive(Clone, Copy, Debug)]
struct Wrong {
    what: &'static str,
    model_based: bool,
}

impl Law for Wrong {
    fn model_based(&self) -> bool {
        self.model_based
    }

    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        if a.may_grow() || self.what == "recovery" {
            w.grow(a.acked, 1.0);
        }
        if self.what == "finite" && a.rtt.get().is_none() {
            w.cwnd = f64::NAN;
        }
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        match (self.what, why) {
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
        let make = || AnyLaw::Custom(Custom::new(Wrong { what: id, model_based: false }));
        let subject = Subject { make: &make, timeout_leaves: 1.0 };
        let check = CHECKS.iter().find(|check| check.id == id).expect("it is in the list");
        check.run(&subject).expect_err(id);
        let modelling = || AnyLaw::Custom(Custom::new(Wrong { what: id, model_based: true }));
        let exempt = Subject { make: &modelling, ..subject };
        assert_eq!(check.run(&exempt).is_ok(), id == "recovery", "{id}");
    }
}
