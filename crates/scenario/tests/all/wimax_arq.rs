//! ARQ of 802.16: what it repeats, what that costs, and what is refused.

use crate::wimax::{DOWN, UP, cell, goodput, outcome};

#[test]
fn what_arq_repeats_arrives_in_order_and_later() {
    let udp = "from = \"bs\"\nto = \"ss1\"\ntransport = \"udp\"\napp = { kind = \"cbr\", rate = \"1 Mbps\", payload = \"1000 B\" }";
    let channel = "channel = { model = \"bit_errors\", ber = 2e-5 }\n";
    let counts = |keys: &str| {
        let run = outcome(&format!("{channel}{keys}"), udp);
        let (flow, down) = (&run["flows"][0], &run["subscribers"][0]["down"]);
        let mean = 1e3 * flow["delay_s"]["mean"].as_f64().expect("a delay");
        let lost = flow["packets_lost"]["air"].as_u64().expect("a count");
        (lost, down["resent"].as_u64().expect("a count"), mean)
    };
    // 625 packets of 8,224 bits: 15 % are hit.
    let (lost, resent, plain) = counts("");
    assert!((60..130).contains(&lost) && resent == 0, "{lost} {resent}");
    let (lost, resent, mean) = counts("[wimax.arq]\nlifetime = \"0 s\"");
    assert!(lost == 0 && (60..150).contains(&resent), "{lost} {resent}");
    // 15 % wait for 20 ms and the next frame, and those behind them.
    assert!((plain + 2.0..plain + 15.0).contains(&mean), "{plain} {mean}");
    let (_, _, early) = counts("[wimax.arq]\nlifetime = \"0 s\"\nin_order = false");
    assert!(plain + 2.0 < early && early < mean, "{plain} {early} {mean}");
    // Nothing is repeated in time.
    let (lost, resent, _) = counts("[wimax.arq]\nlifetime = \"15 ms\"");
    assert!(lost > 60 && resent == 0, "{lost} {resent}");
}

#[test]
fn arq_spares_tcp_the_losses_of_the_air() {
    let channel = "ratio = \"3:1\"\nchannel = { model = \"bit_errors\", ber = 5e-6 }\n";
    let (bare, repeated) =
        (outcome(channel, DOWN), outcome(&format!("{channel}[wimax.arq]"), DOWN));
    assert!(goodput(&repeated) > 1.3 * goodput(&bare), "{} {}", goodput(&repeated), goodput(&bare));
    let up = outcome(&format!("{channel}[wimax.arq]"), UP);
    assert!(up["subscribers"][0]["up"]["resent"].as_u64() > Some(0));
    assert!(goodput(&up) > 2e6, "{}", goodput(&up));
}

#[test]
fn a_window_of_few_blocks_holds_a_sender_back() {
    let channel = "channel = { model = \"bit_errors\", ber = 5e-6 }\n";
    let of =
        |window: u32| goodput(&outcome(&format!("{channel}[wimax.arq]\nwindow = {window}"), DOWN));
    assert!(of(1024) > 1.2 * of(30), "{} {}", of(1024), of(30));
}

#[test]
fn an_arq_that_cannot_be_is_refused() {
    for (keys, message) in [
        ("packing = true\n[wimax.arq]", "PDUs are blocks of one packet"),
        ("[wimax.arq]\nblock = \"2 B\"", "\"16 B\" to \"1024 B\""),
        ("[wimax.arq]\nwindow = 2000", "1 to 1024"),
    ] {
        let error = cell(keys).expect_err(keys);
        assert!(error.contains(message), "{keys}: {error}");
    }
}

/// ns-2 can count no headers, so that an acknowledgement is a packet without bytes.
#[test]
fn a_packet_without_bytes_is_repeated_as_any_other() {
    let tcp = format!("{DOWN}\n[flow.tcp]\nheader = \"0 B\"");
    let channel = "channel = { model = \"bernoulli\", frame_loss = 0.1 }\n";
    let run = outcome(&format!("{channel}[wimax.arq]\nlifetime = \"0 s\""), &tcp);
    assert!(run["subscribers"][0]["up"]["resent"].as_u64() > Some(0), "{run}");
    assert!(goodput(&run) > 5e5, "{}", goodput(&run));
}
