//! Recoveries: the rules of retransmission.

use base::named;

named! {
    /// The rules of retransmission.
    pub enum Recovery, "recovery" {
        Tahoe = "tahoe": "fast retransmit, then slow start with go-back-N (Jacobson 1988)",
        Reno = "reno": "fast recovery that ends with the first new acknowledgement (RFC 5681)",
        NewReno = "newreno": "fast recovery that survives partial acknowledgements (RFC 6582)",
        Sack = "sack": "the receiver's report of what it holds decides what is sent again (RFC 2018, RFC 6675)",
        RackTlp = "rack_tlp": "SACK, where time decides what is lost and a probe finds a lost tail (RFC 8985)",
        SelectiveRepeat = "selective_repeat": "each packet is sent again after a fixed time until the receiver holds it; no loss reduces the window",
    }
}

impl Recovery {
    /// True where acknowledgements carry the SACK option.
    pub fn uses_sack(self) -> bool {
        matches!(self, Recovery::Sack | Recovery::RackTlp | Recovery::SelectiveRepeat)
    }
}
