//! The one open door: a law that the registry does not know, such as a class in Python.

use super::interface::{Ack, Law};
use crate::tcp::window::{Loss, Window};
use base::Span;
use std::fmt;

/// A law from outside, which can also be copied, because senders and worlds can. Every `Law + Clone + Debug +
/// Send + Sync` is one.
pub trait CustomLaw: Law + fmt::Debug + Send + Sync {
    /// A copy.
    fn clone_box(&self) -> Box<dyn CustomLaw>;

    /// Tells it of an acknowledgement and returns its pacing rate: one call out of here in place of two.
    fn take_ack(&mut self, w: &mut Window, a: &Ack) -> Option<f64>;
}

impl<L: Law + Clone + fmt::Debug + Send + Sync + 'static> CustomLaw for L {
    fn clone_box(&self) -> Box<dyn CustomLaw> {
        Box::new(self.clone())
    }

    fn take_ack(&mut self, w: &mut Window, a: &Ack) -> Option<f64> {
        self.on_ack(w, a);
        self.pacing_rate()
    }
}

/// A law from outside, at work.
#[derive(Debug)]
pub struct Custom {
    law: Box<dyn CustomLaw>,
    /// Its pacing rate, which it is asked for after each call: a sender wants it for each segment.
    pace: Option<f64>,
}

impl Custom {
    /// Takes `law` in.
    pub fn new(law: impl CustomLaw + 'static) -> Custom {
        Custom { pace: law.pacing_rate(), law: Box::new(law) }
    }

    /// Lets the law do something, and asks for its pace.
    fn after<T>(&mut self, work: impl FnOnce(&mut dyn CustomLaw) -> T) -> T {
        let done = work(&mut *self.law);
        self.pace = self.law.pacing_rate();
        done
    }
}

impl Law for Custom {
    #[inline]
    fn on_ack(&mut self, w: &mut Window, a: &Ack) {
        self.pace = self.law.take_ack(w, a);
    }

    fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) {
        self.after(|law| law.on_loss(w, why, base));
    }

    fn on_recovered(&mut self, w: &mut Window) {
        self.after(|law| law.on_recovered(w));
    }

    fn on_idle(&mut self, w: &mut Window) {
        self.after(|law| law.on_idle(w));
    }

    fn undo(&mut self, w: &mut Window) {
        self.after(|law| law.undo(w));
    }

    #[inline]
    fn pacing_rate(&self) -> Option<f64> {
        self.pace
    }

    fn bunch(&self) -> u32 {
        self.law.bunch()
    }

    fn model_based(&self) -> bool {
        self.law.model_based()
    }

    fn least_round(&self) -> Span {
        self.law.least_round()
    }

    fn salt(&mut self, salt: f64) {
        self.law.salt(salt);
    }

    fn state(&self) -> &'static str {
        self.law.state()
    }
}

impl Clone for Custom {
    fn clone(&self) -> Custom {
        Custom { law: self.law.clone_box(), pace: self.pace }
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
        fn pacing_rate(&self) -> Option<f64> {
            Some(100.0 + f64::from(self.0))
        }
        fn bunch(&self) -> u32 {
            2
        }
    }

    #[test]
    fn a_copy_goes_its_own_way() {
        let mut w = testing::window(10.0, 5.0);
        let mut law = AnyLaw::Custom(Custom::new(Twice(0)));
        law.on_ack(&mut w, &testing::ack(100.0));
        let mut copy = law.clone();
        copy.on_loss(&mut w, Loss::DupAcks, 12.0);
        assert_eq!((w.cwnd, law.bunch()), (6.0, 2));
        assert!(format!("{law:?}").contains("Twice(1)"), "{law:?}");
    }

    #[test]
    fn the_pace_is_that_after_the_last_call() {
        let mut w = testing::window(10.0, 5.0);
        let mut law = Custom::new(Twice(0));
        assert_eq!(law.pacing_rate(), Some(100.0));
        law.on_ack(&mut w, &testing::ack(100.0));
        assert_eq!(law.pacing_rate(), Some(101.0));
        assert_eq!(law.clone().pacing_rate(), Some(101.0));
    }
}
