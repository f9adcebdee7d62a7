//! The one open door: a law that the registry does not know, such as a class in Python.

use super::interface::{Ack, Law};
use crate::tcp::window::{Loss, Window};
use std::fmt;

/// What a law from outside is, beyond a law: it can be copied, because senders and worlds can. Every
/// `Law + Clone + Debug + Send + Sync` is one.
pub trait CustomLaw: Law + fmt::Debug + Send + Sync {
    /// A copy.
    fn clone_box(&self) -> Box<dyn CustomLaw>;
}

impl<L: Law + Clone + fmt::Debug + Send + Sync + 'static> CustomLaw for L {
    fn clone_box(&self) -> Box<dyn CustomLaw> {
        Box::new(self.clone())
    }
}

/// A law from outside, at work.
#[derive(Debug)]
pub struct Custom(Box<dyn CustomLaw>);

impl Custom {
    /// Takes `law` in.
    pub fn new(law: impl CustomLaw + 'static) -> Custom {
        Custom(Box::new(law))
    }
}

impl Clone for Custom {
    fn clone(&self) -> Custom {
        Custom((*self.0).clone_box())
    }
}

impl Law for Custom {
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        self.0.on_ack(w, a);
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        self.0.on_loss(w, why, base);
    }

    fn on_recovered(&mut self, w: &mut Window) {
        self.0.on_recovered(w);
    }

    fn on_idle(&mut self, w: &mut Window) {
        self.0.on_idle(w);
    }

    fn undo(&mut self, w: &mut Window) {
        self.0.undo(w);
    }

    fn pacing_rate(&self) -> Option<f64> {
        self.0.pacing_rate()
    }

    fn model_based(&self) -> bool {
        self.0.model_based()
    }

    fn state(&self) -> &'static str {
        self.0.state()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::law::{AnyLaw, testing};

    #[derive(Clone, Debug)]
    struct Twice(u32);

    impl Law for Twice {
        fn on_ack(&mut self, w: &mut Window, _a: &Ack) {
            self.0 += 1;
            w.cwnd += 2.0;
        }
        fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
            w.shrink(why, base / 2.0);
        }
    }

    #[test]
    fn a_copy_goes_its_own_way() {
        let mut w = testing::window(10.0, 5.0);
        let mut law = AnyLaw::Custom(Custom::new(Twice(0)));
        law.on_ack(&mut w, &testing::ack(100.0));
        let mut copy = law.clone();
        copy.on_loss(&mut w, Loss::DupAcks, 12.0);
        assert_eq!(w.cwnd, 6.0);
        assert_eq!(format!("{law:?}"), "Custom(Custom(Twice(1)))");
    }
}
