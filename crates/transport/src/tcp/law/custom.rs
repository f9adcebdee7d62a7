//! The one open door: a law that the registry does not know, such as a class in Python.

use super::interface::Law;
use std::fmt;
use std::ops::{Deref, DerefMut};

/// A law from outside, which can also be copied, because senders and worlds can. Every `Law + Clone + Debug +
/// Send + Sync` is one.
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

impl Deref for Custom {
    type Target = dyn CustomLaw;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl DerefMut for Custom {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::law::interface::Ack;
    use crate::tcp::law::{AnyLaw, testing};
    use crate::tcp::window::{Loss, Window};

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
        assert_eq!(format!("{law:?}"), "Custom(Custom(Twice(1)))");
    }
}
