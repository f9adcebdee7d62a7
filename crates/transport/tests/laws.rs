//! What every law keeps to, by registry: a new law is tested before its author writes a test.

use base::{Span, Time};
use proptest::prelude::*;
use transport::tcp::law::{Ack, AnyLaw, Law, LawOptions, Loss};
use transport::tcp::{LawName, SsthreshBase, TcpConfig, Window};

/// Laws that hold a model of the path: a recovery does not stop their window, and a loss that duplicates tell of
/// does not shrink it.
const MODEL_BASED: &[LawName] = &[LawName::Bbr, LawName::Bbr3];

#[derive(Clone, Copy, Debug)]
enum Input {
    Ack { acked: f64, rtt_us: u64, flags: [bool; 4], lost: u8 },
    Loss(Loss),
    Recovered,
    Idle,
}

fn inputs() -> impl Strategy<Value = Vec<Input>> {
    // From 0.1 ms to 10 s.
    let rtt = prop_oneof![100..1000_u64, 1000..300_000_u64, 300_000..10_000_000_u64];
    let lost = prop_oneof![9 => Just(0_u8), 1 => 1..5_u8];
    let ack = (0.01..4.0_f64, rtt, any::<[bool; 4]>(), lost)
        .prop_map(|(acked, rtt_us, flags, lost)| Input::Ack { acked, rtt_us, flags, lost });
    let input = prop_oneof![
        40 => ack,
        1 => Just(Input::Loss(Loss::DupAcks)),
        1 => Just(Input::Loss(Loss::Timeout)),
        1 => Just(Input::Loss(Loss::EcnMark)),
        1 => Just(Input::Recovered),
        1 => Just(Input::Idle),
    ];
    proptest::collection::vec(input, 1..400)
}

/// A law that is fed, and what it was fed with so far.
#[derive(Clone)]
struct Player {
    name: LawName,
    law: AnyLaw,
    w: Window,
    now: Time,
    delivered: f64,
    at_send: f64,
    min_rtt: Span,
}

impl Player {
    fn new(name: LawName, base: SsthreshBase, initial_window: u32) -> Player {
        let config = TcpConfig { ssthresh_base: base, initial_window, ..TcpConfig::default() };
        Player {
            name,
            law: AnyLaw::new(name, &LawOptions::default()),
            w: Window::new(&config),
            now: Time::ZERO,
            delivered: 0.0,
            at_send: 0.0,
            min_rtt: Span::secs(3600),
        }
    }

    fn feed(&mut self, input: &Input) {
        self.now += Span::millis(10);
        let before = self.w.cwnd;
        match *input {
            Input::Ack { acked, rtt_us, flags, lost } => self.ack(acked, rtt_us, flags, lost),
            Input::Loss(why) => self.lose(why),
            Input::Recovered => self.law.on_recovered(&mut self.w),
            Input::Idle => self.law.on_idle(&mut self.w),
        }
        let (law, cwnd) = (self.name.name(), self.w.cwnd);
        assert!(cwnd.is_finite() && cwnd >= 1.0, "{law}: {before} to {cwnd} after {input:?}");
        assert!(self.w.ssthresh >= 2.0, "{law}: ssthresh {} after {input:?}", self.w.ssthresh);
        let pace = self.law.pacing_rate();
        assert!(pace.is_none_or(|rate| rate.is_finite() && rate > 0.0), "{law}: {pace:?}");
    }

    fn ack(&mut self, acked: f64, rtt_us: u64, flags: [bool; 4], lost: u8) {
        let [app_limited, in_recovery, round_ended, ece] = flags;
        let before = self.w.cwnd;
        let rtt = Span::micros(rtt_us);
        self.min_rtt = self.min_rtt.min(rtt);
        self.delivered += acked;
        let ack = Ack {
            now: self.now,
            acked,
            rtt: Some(rtt),
            srtt: Some(rtt),
            min_rtt: Some(self.min_rtt),
            flight: before.floor(),
            inflight: (before - acked).max(0.0).floor(),
            app_limited,
            in_recovery,
            round_ended,
            delivery_rate: (!ece).then(|| before / rtt.as_secs()),
            delivered: self.delivered,
            delivered_at_send: self.at_send,
            rate_app_limited: app_limited,
            lost: f64::from(lost),
            ece,
            ..Ack::default()
        };
        if round_ended {
            self.at_send = self.delivered;
        }
        self.law.on_ack(&mut self.w, &ack);
        if (app_limited || in_recovery) && !MODEL_BASED.contains(&self.name) {
            let after = self.w.cwnd;
            assert!(after <= before, "{}: {ack:?} grew {before} to {after}", self.name.name());
        }
    }

    fn lose(&mut self, why: Loss) {
        let before = self.w.cwnd;
        self.law.on_loss(&mut self.w, why, before);
        let (law, after) = (self.name.name(), self.w.cwnd);
        assert!(after <= before.max(2.0), "{law}: {why:?} grew {before} to {after}");
        assert!(self.w.ssthresh.is_finite(), "{law}");
        if why == Loss::Timeout {
            assert_eq!(after, 1.0, "{law}: a timeout leaves one segment");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_law_keeps_its_bounds_and_repeats_itself(
        inputs in inputs(),
        initial in prop_oneof![Just(1), Just(10), Just(100_000)],
    ) {
        for &law in LawName::ALL {
            for base in [SsthreshBase::FlightSize, SsthreshBase::Window, SsthreshBase::WholeWindow] {
                let play = || {
                    let mut player = Player::new(law, base, initial);
                    inputs.iter().for_each(|input| player.feed(input));
                    (player.w, format!("{:?}", player.law))
                };
                prop_assert_eq!(play(), play());
            }
        }
    }

    #[test]
    fn a_copy_of_a_law_goes_on_as_the_law_does(inputs in inputs()) {
        for &law in LawName::ALL {
            let mut one = Player::new(law, SsthreshBase::FlightSize, 10);
            inputs.iter().for_each(|input| one.feed(input));
            let mut two = one.clone();
            inputs.iter().for_each(|input| one.feed(input));
            inputs.iter().for_each(|input| two.feed(input));
            prop_assert_eq!(one.w, two.w);
        }
    }
}

#[test]
fn two_losses_at_once_and_a_thousand_timeouts_leave_a_window() {
    for &name in LawName::ALL {
        let mut player = Player::new(name, SsthreshBase::FlightSize, 10);
        for _ in 0..1000 {
            player.feed(&Input::Loss(Loss::Timeout));
            player.feed(&Input::Loss(Loss::DupAcks));
        }
        assert!(player.w.cwnd >= 1.0);
    }
}
