//! An endpoint's measurements of its path, by name.

/// Makes the closed list of quantities.
macro_rules! quantities {
    ($($quantity:ident = $name:literal, $unit:literal, $meaning:literal;)+) => {
        /// An endpoint's measurements of its path.
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
    MinRtt = "min_rtt", "s", "smallest round-trip time";
    // Smoothed over smallest round-trip time, as the last transfer left it.
    DelayInflation = "delay_inflation", "", "delay inflation";
    // Its mean deviation over the smoothed one (RFC 6298's RTTVAR and SRTT), as the last transfer left them.
    RttSpread = "rtt_spread", "", "spread of the round-trip time";
    // Of round-trip times at the ends of transfers above the smallest, on average.
    QueueingDelay = "queueing_delay", "s", "queueing delay";
    Loss = "loss", "1", "share of segments sent again";
    // Of those, as many as a recovery repairs on average.
    LossBurst = "loss_burst", "segments", "segments lost together";
    // Of losses that made the window smaller, those at which the latest round-trip time was a short one.
    QueuelessLoss = "queueless_loss", "1", "share of losses without a queue";
    // Of congestion marks that came back; known where ECN is in use.
    Marked = "marked", "1", "share of marked segments";
    Timeouts = "timeouts", "", "timeouts for each segment";
    // Of payload, while a transfer of ten segments or more went on.
    Rate = "rate", "bit/s", "acknowledged rate";
    // Of transfers of ten segments or more, on average.
    Rounds = "rounds", "", "round trips of a transfer";
    Reordering = "reordering", "segments", "reordering";
    // Those that these shares are of.
    Segments = "segments", "segments", "segments measured";
    Age = "age", "s", "age of what was measured";
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

    /// Returns its meaning.
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
