//! The scenarios.

use super::scene::{Scene, check};
use crate::trial::Outcome;
use transport::tcp::law::{Law, Loss};

/// A scenario by the id of its case.
pub type Named = (&'static str, fn() -> Outcome);

pub const SCENES: &[Named] = &[
    ("exit_startup_plateau", exit_startup_plateau),
    ("exit_startup_loss_applimited", exit_startup_loss_applimited),
    ("exit_drain_inflight", exit_drain_inflight),
    ("exit_drain_time", exit_drain_time),
    ("exit_probe_up_plateau", exit_probe_up_plateau),
    ("exit_probe_up_loss", exit_probe_up_loss),
    ("stay_when_applimited", stay_when_applimited),
    ("exit_probe_down_inflight", exit_probe_down_inflight),
    ("exit_probe_down_time", exit_probe_down_time),
    ("probe_rtt", probe_rtt),
    ("skip_probe_rtt", skip_probe_rtt),
    ("startup_aggregation", startup_aggregation),
    ("cruise_aggregation", cruise_aggregation),
    ("subpacket_bdp", subpacket_bdp),
    ("bandwidth_x10", bandwidth_x10),
    ("bandwidth_div10", bandwidth_div10),
    ("policer", policer),
    ("spurious_loss", spurious_loss),
    ("probe_rtt_in_startup", probe_rtt_in_startup),
];

/// The usual path's BDP, segments: 50 ms and a segment's service.
const BDP: f64 = 51.0;
/// The share of the bandwidth that pacing leaves.
const MARGIN: f64 = 0.99;

fn done() -> Outcome {
    Ok(String::new())
}

fn near(what: &str, got: f64, want: f64, part: f64) -> Result<(), String> {
    crate::trial::near(what, got, want, part * want.abs())
}

fn exit_startup_plateau() -> Outcome {
    let mut s = Scene::usual();
    let drain = s.until("DRAIN", 3.0)?;
    // Drain paces at half of the bandwidth found.
    near("max_bw", drain.pace / 0.5 / MARGIN, 1000.0, 0.02)?;
    check(s.log[0].state == "STARTUP" && s.log.len() == 2, "not STARTUP, DRAIN", &s)?;
    done()
}

fn exit_startup_loss_applimited() -> Outcome {
    let mut s = Scene::new(1000.0, 0.2, 1000.0);
    s.flow().app_rate = 500.0;
    s.path.link.lose_every = 10;
    s.until("DRAIN", 4.0)?;
    check(s.longterm().is_finite(), "no long-term bound", &s)?;
    done()
}

fn exit_drain_inflight() -> Outcome {
    let mut s = Scene::usual();
    let drain = s.until("DRAIN", 3.0)?;
    check(drain.inflight > BDP, "no queue to drain", &s)?;
    s.run(drain.at + 0.01);
    near("pacing", s.pace(), 0.5 * 1000.0 * MARGIN, 0.02)?;
    s.run(3.0);
    let next = s.log.iter().skip_while(|entry| entry.state != "DRAIN").nth(1).copied();
    let next = next.ok_or("stays in DRAIN")?;
    check(next.state.starts_with("PROBE_"), "no ProbeBW", &s)?;
    check(next.inflight <= BDP + 1.0, "more than a BDP left in flight", &s)?;
    done()
}

fn exit_drain_time() -> Outcome {
    let mut s = Scene::usual();
    let drain = s.until("DRAIN", 3.0)?;
    s.path.link.rate *= 0.9;
    s.run(drain.at + 3.0);
    let next = s.log.iter().skip_while(|entry| entry.state != "DRAIN").nth(1).copied();
    let next = next.ok_or("stays in DRAIN")?;
    // Three rounds, and the one in which it began, of at most the full queue's length.
    let round = 0.05 + (drain.inflight - 45.0).max(0.0) / 900.0;
    check(next.at - drain.at <= 4.0 * round, "DRAIN lasts more than three rounds", &s)?;
    done()
}

fn exit_probe_up_plateau() -> Outcome {
    let mut s = Scene::usual();
    let up = s.until("PROBE_UP", 6.0)?;
    let down = s.until("PROBE_DOWN", 9.0)?;
    check(down.at - up.at >= 3.0 * 0.05, "UP ends before three rounds", &s)?;
    check(down.at - up.at < 1.0, "UP does not end on the plateau", &s)?;
    check(s.flow().lost == 0, "losses", &s)?;
    done()
}

fn exit_probe_up_loss() -> Outcome {
    let mut s = Scene::usual();
    let up = s.until("PROBE_UP", 6.0)?;
    s.flow().app_rate = 900.0;
    s.path.link.lose_every = 10;
    s.run(up.at + 0.24);
    let next = s.log.iter().find(|entry| entry.at > up.at);
    // With little in flight DOWN is over at once.
    let down = next.is_some_and(|next| ["PROBE_DOWN", "PROBE_CRUISE"].contains(&next.state));
    check(down, "losses do not end UP in four rounds", &s)?;
    // The draft keeps the bound where the application limits; a bulk flow sets it.
    let mut s = Scene::usual();
    s.until("PROBE_UP", 6.0)?;
    s.path.link.lose_every = 10;
    s.until("PROBE_DOWN", 7.0)?;
    check(s.longterm().is_finite(), "no long-term bound", &s)?;
    Ok("the bound by a bulk flow: an application-limited flight leaves it (section 5.3.3.6)"
        .to_owned())
}

fn stay_when_applimited() -> Outcome {
    let mut s = Scene::usual();
    s.flow().app_rate = 300.0;
    s.run(30.0);
    let leaves = s.log.iter().any(|entry| !["STARTUP", "PROBE_RTT"].contains(&entry.state));
    check(!leaves, "leaves STARTUP", &s)?;
    let mut s = Scene::usual();
    let up = s.until("PROBE_UP", 6.0)?;
    s.flow().app_rate = 300.0;
    s.run(up.at + 1.5);
    check(s.log.last().is_some_and(|last| last.state == "PROBE_UP"), "leaves PROBE_UP", &s)?;
    Ok("but for PROBE_RTT, due every five seconds".to_owned())
}

fn exit_probe_down_inflight() -> Outcome {
    let mut s = Scene::usual();
    s.until("PROBE_UP", 6.0)?;
    let down = s.until("PROBE_DOWN", 9.0)?;
    near("pacing", down.pace, 0.9 * 1000.0 * MARGIN, 0.03)?;
    let cruise = s.until("PROBE_CRUISE", 9.0)?;
    check(cruise.inflight <= BDP + 1.0, "more than a BDP in flight in CRUISE", &s)?;
    done()
}

fn exit_probe_down_time() -> Outcome {
    // Without PROBE_RTT, which would drain the queue.
    let mut s = Scene::with(&[("probe_rtt_interval", 100.0)], 1000.0, 0.05, 1000.0);
    s.until("PROBE_UP", 6.0)?;
    let down = s.until("PROBE_DOWN", 9.0)?;
    s.path.link.rate *= 0.9;
    s.run(down.at + 3.5);
    let next = s.log.iter().find(|entry| entry.at > down.at);
    let next = *next.ok_or("stays in DOWN")?;
    check(next.state == "PROBE_REFILL", "not straight to REFILL", &s)?;
    done()
}

fn probe_rtt() -> Outcome {
    let mut s = Scene::usual();
    let probe = s.until("PROBE_RTT", 12.0)?;
    near("enters", probe.at, 5.0, 0.1)?;
    check(probe.cwnd <= 0.5 * BDP + 1.0, "cwnd above half a BDP", &s)?;
    let before = s.log.len();
    s.run(probe.at + 1.0);
    let next = *s.log.get(before).ok_or("stays in PROBE_RTT")?;
    check(next.state.starts_with("PROBE_"), "not back in ProbeBW", &s)?;
    check(next.at - probe.at >= 0.2, "shorter than 200 ms", &s)?;
    done()
}

fn skip_probe_rtt() -> Outcome {
    let mut s = Scene::usual();
    s.run(1.0);
    s.flow().pause = (1.0, 7.0);
    s.run(8.5);
    check(!s.log.iter().any(|entry| entry.state == "PROBE_RTT"), "a PROBE_RTT", &s)?;
    done()
}

fn startup_aggregation() -> Outcome {
    let mut s = Scene::usual();
    s.path.link.aggregate = 0.02;
    let mut most = 0.0_f64;
    for round in 1..=8 {
        let before = s.flow().w.cwnd;
        s.run(f64::from(round) * 0.06);
        most = most.max(s.flow().w.cwnd / before);
    }
    check(most >= 1.9, &format!("a round grows by {most:.2} at most"), &s)?;
    s.run(2.0);
    check(s.flow().w.cwnd > 2.0 * BDP + 10.0, "cwnd not well above two BDPs", &s)?;
    done()
}

fn cruise_aggregation() -> Outcome {
    let mut s = Scene::usual();
    s.run(1.0);
    s.until("PROBE_CRUISE", 4.0)?;
    s.path.link.aggregate = 0.05;
    s.run(7.0);
    let got = s.goodput(17.0);
    check(got >= 0.93 * 1000.0, &format!("only {got:.0} of 1000 segments/s"), &s)?;
    Ok("PROBE_RTT and the margin of pacing cost the rest".to_owned())
}

fn subpacket_bdp() -> Outcome {
    let mut s = Scene::new(10.0, 0.05, 1000.0);
    s.run(60.0);
    check(s.flow().w.cwnd >= 4.0, "cwnd below four segments", &s)?;
    let got = s.goodput(120.0);
    check(got >= 9.5, &format!("only {got:.2} of 10 segments/s"), &s)?;
    done()
}

fn bandwidth_x10() -> Outcome {
    let mut s = Scene::new(100.0, 0.05, 1000.0);
    s.run(10.0);
    s.path.link.rate = 1000.0;
    let up = s.until("PROBE_UP", 15.0)?;
    // log 10/log 1.25 = 10.3 rounds of probing, and as many again for delays.
    s.run(up.at + 21.0 * 0.06);
    let got = s.goodput(up.at + 21.0 * 0.06 + 1.0);
    check(got >= 850.0, &format!("only {got:.0} of 1000 segments/s"), &s)?;
    done()
}

fn bandwidth_div10() -> Outcome {
    let mut s = Scene::new(1000.0, 0.05, 50.0);
    s.until("PROBE_RTT", 6.0)?;
    let cruise = s.until("PROBE_CRUISE", 6.0)?;
    s.path.link.rate = 100.0;
    // With losses the short-term bound answers before the filter forgets, until the next probe.
    let mut least = f64::INFINITY;
    while s.path.now < cruise.at + 3.0 {
        s.run(s.path.now + 0.1);
        least = least.min(s.pace());
    }
    check(least <= 750.0, &format!("paces {least:.0} at least before the next probe"), &s)?;
    s.run(22.0);
    check(s.pace() <= 130.0, &format!("paces {:.0} after two cycles", s.pace()), &s)?;
    done()
}

fn policer() -> Outcome {
    let mut s = Scene::usual();
    s.path.link.policer = Some(50.0);
    s.run(10.0);
    let lost = s.flow().lost;
    let got = s.goodput(30.0);
    let part = (s.flow().lost - lost) as f64 / (got * 20.0);
    check(got >= 850.0, &format!("only {got:.0} of 1000 segments/s"), &s)?;
    check(part <= 0.02, &format!("{:.1} % lost", 100.0 * part), &s)?;
    done()
}

/// The sender puts back the copy of the law that it took before the loss.
fn spurious_loss() -> Outcome {
    let mut s = Scene::usual();
    s.until("PROBE_CRUISE", 3.0)?;
    let saved = s.flow().clone();
    s.path.link.lose_every = 10;
    s.run(s.path.now + 0.3);
    check(
        s.pace() < 0.99 * saved.law.pacing_rate().unwrap_or(0.0),
        "the losses bound nothing",
        &s,
    )?;
    s.path.link.lose_every = 0;
    s.run(s.path.now + 0.2);
    let flow = s.flow();
    (flow.law, flow.w) = (saved.law.clone(), saved.w);
    flow.law.on_loss(&mut flow.w, Loss::DupAcks, 50.0);
    (flow.law, flow.w) = (saved.law.clone(), saved.w);
    flow.law.undo(&mut flow.w);
    near("pacing", s.pace(), saved.law.pacing_rate().unwrap_or(0.0), 1e-9)?;
    let got = s.goodput(s.path.now + 1.0);
    check(got >= 950.0, &format!("only {got:.0} of 1000 segments/s after the undo"), &s)?;
    Ok("undone as the sender does it: by the copy from before the loss".to_owned())
}

fn probe_rtt_in_startup() -> Outcome {
    let mut s = Scene::usual();
    s.flow().app_rate = 300.0;
    let probe = s.until("PROBE_RTT", 8.0)?;
    let back = s.until("STARTUP", 9.0)?;
    check(back.at > probe.at, "not back in STARTUP", &s)?;
    done()
}
