//! Laws against closed forms, over the path of `players::dumbbell`.

use base::{Named, Options};
use players::dumbbell::{Bottleneck, Dumbbell, Flow};
use transport::tcp::TcpConfig;
use transport::tcp::law::{AnyLaw, Law, LawName};
use transport::tcp::variants::{LINUX_VEGAS, LINUX26_BIC, LINUX26_VEGAS};

fn law(name: &str, options: &[(&str, f64)]) -> AnyLaw {
    AnyLaw::new(LawName::by_name(name).expect(name), &Options::of(options))
}

/// One flow over `rate` segments/s, `delay` s, `buffer` segments.
fn one(law: AnyLaw, rate: f64, delay: f64, buffer: f64) -> Dumbbell {
    let flow = Flow::new(law, &TcpConfig::default(), delay, 0.0);
    Dumbbell::new(Bottleneck::new(rate, buffer), vec![flow])
}

/// The mean window of a flow that loses every `1/p`th segment on a path that never queues, RTT `rtt` s, over 40 losses
/// after ten. Avoidance begins at `start` segments.
fn mean_window(law: AnyLaw, p: f64, rtt: f64, start: f64) -> f64 {
    let mut path = one(law, 1e9, rtt, f64::INFINITY);
    path.flows[0].w.ssthresh = start;
    path.link.lose_every = (1.0 / p) as u64;
    let mut end = 0.0;
    while path.flows[0].delivered < 10.0 / p {
        end += 10.0 * rtt;
        path.run(end, |_| {});
    }
    let (then, before) = (path.now, path.flows[0].delivered);
    while path.flows[0].delivered < before + 40.0 / p {
        end += 10.0 * rtt;
        path.run(end, |_| {});
    }
    (path.flows[0].delivered - before) * rtt / (path.now - then)
}

#[test]
fn reno_sends_what_mathis_says() {
    // Mathis et al., CCR 27(3), 1997: W = sqrt(3/2)/sqrt(p), one acknowledgement a segment.
    for p in [1e-3_f64, 1e-4, 1e-5] {
        let want = (1.5 / p).sqrt();
        let got = mean_window(law("reno", &[]), p, 0.1, want);
        assert!((got / want - 1.0).abs() < 0.1, "p {p}: {got} for {want}");
    }
}

#[test]
fn cubic_sends_what_rfc_9438_says() {
    // RFC 9438 section 5.2: at RTT 0.1 s, C 0.4 the window is 1.054 (RTT/p)^0.75, where Reno's is not larger; at 0.01
    // s and p of 1e-2 to 1e-5 it is Reno's.
    for (p, rtt, want) in
        [(1e-4, 0.1, 187.0), (1e-5, 0.1, 1054.0), (1e-3, 0.01, 38.0), (1e-4, 0.01, 120.0)]
    {
        // From below the plateau is reached as 1/n; fast convergence, which the form leaves out, would never let it.
        let cubic = law("cubic", &[("fast_convergence", 0.0)]);
        let got = mean_window(cubic, p, rtt, want / 0.925);
        assert!((got / want - 1.0).abs() < 0.1, "p {p}, RTT {rtt}: {got} for {want}");
    }
}

#[test]
fn vegas_rests_between_alpha_and_beta() {
    for (options, alpha, beta) in [(&[][..], 1.0, 3.0), (LINUX_VEGAS, 2.0, 4.0)] {
        let mut path = one(law("vegas", options), 500.0, 0.1, 200.0);
        path.run(30.0, |_| {});
        // A segment in service is not one that waits.
        let mut queues = vec![];
        path.run(40.0, |path| queues.push(path.flows[0].w.cwnd - 500.0 * 0.102));
        let mean = queues.iter().sum::<f64>() / queues.len() as f64;
        assert!((alpha - 0.5..=beta + 0.5).contains(&mean), "{mean} waiting");
        assert_eq!(path.flows[0].lost, 0);
    }
}

#[test]
fn bbr_keeps_two_bdps_and_cycles() {
    let mut path = one(law("bbr", &[]), 1000.0, 0.05, 1000.0);
    path.run(5.0, |_| {});
    let bdp = 51.0;
    let mut gains = vec![];
    let mut most = 0.0_f64;
    path.run(9.0, |path| {
        let flow = &path.flows[0];
        most = most.max(flow.inflight());
        let gain = (flow.law.pacing_rate().unwrap() / 1000.0 * 100.0).round() as u32;
        if flow.law.state() == "PROBE_BW" && gains.last() != Some(&gain) {
            gains.push(gain);
        }
    });
    assert!(most <= 2.0 * bdp + 4.0, "{most} in flight");
    for want in [125, 75, 100] {
        assert!(
            gains.iter().any(|gain| gain.abs_diff(want) <= 1),
            "no gain of {want} %: {gains:?}"
        );
    }
    // Each cycle is 1.25, 0.75, 1: the first never follows the third's place.
    for pair in gains.windows(2) {
        let after = pair[0].abs_diff(125) > 1 || pair[1].abs_diff(75) <= 1;
        assert!(after, "{gains:?}");
    }
    let before = path.flows[0].delivered;
    path.run(19.0, |_| {});
    assert!(path.flows[0].delivered - before >= 9700.0);
}

#[test]
fn dctcp_keeps_the_queue_at_the_threshold() {
    // Alizadeh et al. 2010: alpha settles near sqrt(2/W), and the queue stays within K + 1 without losses.
    let mut path = one(law("dctcp", &[]), 10_000.0, 0.01, 1000.0);
    path.link.mark_above = 20.0;
    path.flows[0].w.ssthresh = 60.0;
    path.run(5.0, |_| {});
    let (mut alphas, mut queue) = (vec![], 0.0_f64);
    path.run(10.0, |path| {
        if let AnyLaw::Dctcp(law) = &path.flows[0].law {
            alphas.push(law.alpha);
        }
        queue = queue.max(path.link.queue(path.now));
    });
    let mean = alphas.iter().sum::<f64>() / alphas.len() as f64;
    let want = (2.0_f64 / 120.0).sqrt();
    assert!((mean / want - 1.0).abs() < 0.35, "alpha {mean} for {want}");
    assert!(queue <= 26.0 && path.flows[0].lost == 0, "{queue} waiting");
}

#[test]
fn ledbat_rests_at_its_target() {
    let mut path = one(law("ledbat", &[]), 1000.0, 0.05, 1000.0);
    path.run(60.0, |_| {});
    let queue = path.link.queue(path.now) / 1000.0;
    assert!((0.09..0.11).contains(&queue), "{queue} s waiting");
}

#[test]
fn random_loss_costs_what_it_costs_in_ns2() {
    // oracles/README.md: wired_wan (10 Mb/s, 94 ms, queue of 50), p 1e-3, goodput against linux-reno.
    let goodput = |name: &str, options: &[(&str, f64)]| {
        let mut path = one(law(name, options), 10e6 / 8400.0, 0.0946, 51.0);
        path.link.loss_rate = 1e-3;
        path.run(600.0, |_| {});
        path.flows[0].delivered
    };
    let reno = goodput("reno", &[]);
    for (name, options, want) in [
        ("westwood+", &[][..], 2.63),
        ("bic", LINUX26_BIC, 1.79),
        ("veno", &[], 1.63),
        ("vegas", LINUX26_VEGAS, 0.72),
    ] {
        let got = goodput(name, options) / reno;
        assert!((got / want - 1.0).abs() < 0.1, "{name}: {got:.2} for {want}");
    }
    // The difference is the window that a round moves: today's Linux adds a segment each round, as Reno.
    let vegas = goodput("vegas", LINUX_VEGAS) / reno;
    assert!((vegas - 1.0).abs() < 0.1, "{vegas:.2}");
}
