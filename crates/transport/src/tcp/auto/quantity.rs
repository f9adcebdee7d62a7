//! What an endpoint measures of its path, by name.

/// Makes the closed list of quantities.
macro_rules! quantities {
    ($($quantity:ident = $name:literal, $unit:literal, $meaning:literal;)+) => {
        /// What an endpoint measures of its path.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Quantity {
            $(#[doc = $meaning] $quantity,)+
        }

        impl Quantity {
            /// All of them.
            pub const ALL: &'static [Quantity] = &[$(Quantity::$quantity),+];
            const ROWS: &'static [(&'static str, &'static str, &'static str)] =
                &[$(($name, $unit, $meaning)),+];
        }
    };
}

quantities! {
    Rtt = "rtt", "s", "smoothed round-trip time";
    MinRtt = "min_rtt", "s", "the smallest round-trip time";
    DelayInflation = "delay_inflation", "", "smoothed over smallest round-trip time, as the last transfer left it";
    Loss = "loss", "", "segments sent again, of all that were sent";
    Timeouts = "timeouts", "", "retransmission timeouts, for each segment sent";
    Rate = "rate", "bit/s", "payload acknowledged while a transfer of ten segments or more went on";
    Reordering = "reordering", "segments", "how far the path was seen to reorder";
    Segments = "segments", "segments", "how many segments these shares are of";
    Age = "age", "s", "how long ago the path was measured last";
}

impl Quantity {
    /// The name in policies.
    pub fn name(self) -> &'static str {
        Quantity::ROWS[self as usize].0
    }

    /// The unit of its values; empty: none.
    pub fn unit(self) -> &'static str {
        Quantity::ROWS[self as usize].1
    }

    /// What it means.
    pub fn meaning(self) -> &'static str {
        Quantity::ROWS[self as usize].2
    }
}

/// The quantities at one moment; what is not known is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured([Option<f64>; Quantity::ALL.len()]);

impl Measured {
    /// A quantity, in its unit.
    pub fn get(&self, quantity: Quantity) -> Option<f64> {
        self.0[quantity as usize]
    }

    /// Sets one.
    pub fn set(&mut self, quantity: Quantity, value: Option<f64>) {
        self.0[quantity as usize] = value;
    }
}
