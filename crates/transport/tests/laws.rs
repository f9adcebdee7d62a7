//! What every law keeps to, by registry: a new law is tested before its author writes a test.

use base::{Span, Time};
use proptest::prelude::*;
use transport::tcp::law::{Ack, AnyLaw, Law, LawOptions, Loss};
use transport::tcp::{LawName, SsthreshBase, TcpConfig, Window};

#[derive(Clone, Copy, Debug)]
enum Input {
    Ack { acked: f64, rtt_ms: u64, app_limited: bool, in_recovery: bool, round_ended: bool },
    Loss(Loss),
    Recovered,
    Idle,
}

fn inputs() -> impl Strategy<Value = Vec<Input>> {
    let ack = (0.01..4.0_f64, 1..2000_u64, any::<[bool; 3]>()).prop_map(|(acked, rtt_ms, f)| {
        Input::Ack { acked, rtt_ms, app_limited: f[0], in_recovery: f[1], round_ended: f[2] }
    });
    let input = prop_oneof![
        20 => ack,
        1 => Just(Input::Loss(Loss::DupAcks)),
        1 => Just(Input::Loss(Loss::Timeout)),
        1 => Just(Input::Recovered),
        1 => Just(Input::Idle),
    ];
    proptest::collection::vec(input, 1..200)
}

/// Feeds the inputs and checks each step; the window at the end.
fn play(law: LawName, base: SsthreshBase, inputs: &[Input]) -> Window {
    let mut w = Window::new(&TcpConfig { ssthresh_base: base, ..TcpConfig::default() });
    let mut law = AnyLaw::new(law, &LawOptions::default());
    let mut now = Time::ZERO;
    for input in inputs {
        now += Span::millis(10);
        let before = w.cwnd;
        match *input {
            Input::Ack { acked, rtt_ms, app_limited, in_recovery, round_ended } => {
                let rtt = Some(Span::millis(rtt_ms));
                let flight = before.floor();
                let min_rtt = Some(Span::millis(1));
                let ack = Ack {
                    now,
                    acked,
                    rtt,
                    srtt: rtt,
                    min_rtt,
                    flight,
                    app_limited,
                    in_recovery,
                    round_ended,
                    ..Ack::default()
                };
                law.on_ack(&mut w, &ack);
                if app_limited || in_recovery {
                    assert!(w.cwnd <= before, "{input:?} grew {before} to {}", w.cwnd);
                }
            }
            Input::Loss(why) => {
                law.on_loss(&mut w, why, before);
                assert!(w.cwnd <= before.max(2.0), "{input:?} grew {before} to {}", w.cwnd);
                assert!(w.ssthresh.is_finite());
                if why == Loss::Timeout {
                    assert_eq!(w.cwnd, 1.0, "a timeout leaves one segment");
                }
            }
            Input::Recovered => law.on_recovered(&mut w),
            Input::Idle => law.on_idle(&mut w),
        }
        assert!(w.cwnd.is_finite() && w.cwnd >= 1.0, "cwnd {} after {input:?}", w.cwnd);
        assert!(w.ssthresh >= 2.0, "ssthresh {} after {input:?}", w.ssthresh);
    }
    w
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_law_keeps_its_bounds_and_repeats_itself(inputs in inputs()) {
        for &law in LawName::ALL {
            for base in [SsthreshBase::FlightSize, SsthreshBase::Window, SsthreshBase::WholeWindow] {
                let once = play(law, base, &inputs);
                prop_assert_eq!(once, play(law, base, &inputs));
            }
        }
    }
}
