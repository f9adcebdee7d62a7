//! Odd but allowed scenarios run: no panic, no lost packet (debug assertions are on here), and they end.

use scenario::{Run, check};

const CELL: &str = r#"
duration = "3 s"
warmup = "1 s"
[[link]]
ends = ["server", "ap"]
rate = "5 Mbps"
delay = "2 ms"
[[cell]]
access_point = "ap"
stations = 3
[channel]
model = "gilbert_elliott"
mean_good = "100 ms"
mean_bad = "30 ms"
ber_good = 1e-6
ber_bad = 1e-2
[phy]
standard = "custom"
[mac]
[tcp]
[fec]
enabled = false
[[flow]]
name = "down"
from = "server"
to = "sta1"
[[flow]]
name = "up"
from = "sta2"
to = "server"
[[flow]]
name = "busy"
from = "sta3"
to = "ap"
app = { kind = "saturated", payload = "500 B" }
[[flow]]
name = "voice"
from = "sta3"
to = "sta1"
app = "cbr"
"#;

fn run(overrides: &[&str]) {
    let set: Vec<String> = overrides.iter().map(|&set| set.to_owned()).collect();
    let scenario = check(CELL, "x.toml", &set).unwrap_or_else(|error| panic!("{error}"));
    let result = Run::new(&scenario, None, 0).finish();
    let p = &result.outcome.packets;
    assert_eq!(p.made, p.delivered + p.dropped + p.in_flight, "{overrides:?}");
}

#[test]
fn extremes_of_the_mac_run() {
    let changes: &[&[&str]] = &[
        &[],
        &["conventions=ns2"],
        &["conventions=ns2", "mac.rts=always", "channel.state_per=receiver"],
        &["phy.cw_min=0", "phy.cw_max=0"],
        &["phy.cw_min=0"],
        &["phy.sense_time=15 us"],
        &["phy.sense_time=15 us", "phy.slot=16 us", "phy.sifs=0 us"],
        &["phy.slot=10 ms"],
        &["phy.slot=1 ns"],
        &["phy.rate=100 bps", "phy.control_rate=100 bps"],
        &["phy.rate=100 Gbps", "phy.control_rate=100 Gbps"],
        &["mac.retry_limit=1"],
        &["mac.retry_limit=none", "channel.ber_good=0.5"],
        &["mac.rts=0 B", "mac.retry_limit=0", "mac.retry_limit_counts=retransmissions"],
        &["mac.bystanders=difs", "mac.timeouts=timeout", "mac.access=always_backoff"],
        &["mac.bystanders=eifs+difs", "mac.nav_reset=false", "mac.rts=always"],
        &["mac.silence=awaiting_data", "mac.rts=always"],
        &["mac.mac_header=0 B", "mac.llc_header=0 B"],
    ];
    changes.iter().for_each(|change| run(change));
}

#[test]
fn extremes_of_the_channel_run() {
    let changes: &[&[&str]] = &[
        &["channel={ model = \"bernoulli\", frame_loss = 1.0 }"],
        &["channel={ model = \"bit_errors\", ber = 0.999 }"],
        &["channel.mean_good=1 us", "channel.mean_bad=1 us", "duration=1100 ms"],
        &["channel.mean_good=100000 s", "channel.sampling=frame_start"],
        &["channel.state_per=cell", "channel.control_frames=false", "channel.plcp=true"],
        &["channel.ber_good=0.0", "channel.ber_bad=0.0"],
        &["fec.enabled=true"],
        &["fec.enabled=true", "fec.adaptive=false", "fec.model=residual_ber"],
        &["fec.enabled=true", "fec.n=7", "fec.k=6", "fec.symbol_bits=3"],
        &["fec.enabled=true", "fec.n=2047", "fec.k=1", "fec.symbol_bits=11"],
        &["fec.enabled=true", "fec.feedback_delay=10 s"],
    ];
    changes.iter().for_each(|change| run(change));
}

#[test]
fn extremes_of_links_and_transports_run() {
    let changes: &[&[&str]] = &[
        &["queue={ packets = 0 }"],
        &["queue={ bytes = \"0 B\" }"],
        &["queue=unlimited"],
        &["link.0.loss=1.0"],
        &["link.0.loss=1.0", "link.0.loss_at=entering", "link.0.loss_direction=reverse"],
        &["link.0.rate=100 bps"],
        &["link.0.rate=1000 Gbps", "link.0.delay=0 s"],
        &["link.0.delay=100000 s"],
        &["link.0.reverse_rate=100 bps", "link.0.reverse_delay=1 s"],
        &["tcp.mss=1 B", "tcp.window=1 packets"],
        &["tcp.mss=65495 B", "tcp.window=4 GB"],
        &["tcp.initial_window=100000", "tcp.window=1 GB"],
        &["tcp.initial_ssthresh=0"],
        &["tcp.rto_min=0 s", "tcp.rto_initial=1 ms", "tcp.rto_granularity=1 ns"],
        &["tcp.rto_max=1 ms", "tcp.rto_min=0 s", "link.0.loss=1.0"],
        &["tcp.delayed_ack={ segments = 1000, timeout = \"0 s\" }"],
        &["tcp.delayed_ack=true", "tcp.handshake=false", "tcp.variant=tahoe"],
        &["tcp.header=0 B", "udp.header=0 B", "flow.voice.app.kind=cbr"],
        &["flow.down.app={ kind = \"bulk\", size = \"1 B\" }", "flow.down.stop=2 s"],
        &["flow.busy.stop=1500 ms", "flow.busy.start=1 s"],
        &["flow.voice.app={ kind = \"cbr\", rate = \"100 bps\", payload = \"65000 B\" }"],
        &["flow.voice.app={ kind = \"cbr\", rate = \"1 Gbps\", payload = \"1000 B\" }"],
        &["flow.up.via=[\"ap\"]", "flow.busy.to=sta1"],
        &["duration=1 ns", "warmup=0 s"],
    ];
    changes.iter().for_each(|change| run(change));
}

/// A link layer holds packets before the queue: what keeps a station busy counts them, or it would go on for ever.
#[test]
fn a_station_is_kept_busy_with_aggregates_behind_a_slow_link_layer() {
    for queue in ["2", "50", "\"unlimited\"", "\"fq_codel\"", "\"cake\""] {
        let text = format!(
            "duration = \"1 s\"\nconventions = \"ns2\"\nqueue = {queue}\n[phy]\nstandard = \"802.11n\"\n\
             [[cell]]\naccess_point = \"ap\"\nstations = 2\n\
             [[flow]]\nfrom = \"sta*\"\nto = \"ap\"\napp = \"saturated\"\n"
        );
        let scenario = check(&text, "x.toml", &[]).unwrap_or_else(|error| panic!("{error}"));
        let result = Run::new(&scenario, None, 0).finish();
        assert!(result.outcome.packets.delivered > 2000, "{queue}");
    }
}
