//! The values of a file, and the defaults of what it leaves out, arrive in the plan.

use base::{Rate, Span, StationId, Time};
use net::{BurstConfig, LossPlace, QueueLimit};
use radio::{ChannelConfig, FecModel, Sampling, StatePer};
use scenario::check;
use transport::tcp::{
    LawName, LossRules, NewRenoConfig, OptionSize, Recovery, RtoConfig, SackConfig, SsthreshBase,
    TcpConfig, Threshold, Where,
};
use wifi::{AccessRule, BackoffDraw, BystanderRule};
use world::{Plan, TransportPlan};

/// The states of a cell's channel.
fn chain(cell: &world::CellPlan) -> &radio::Chain {
    match &cell.channel {
        ChannelConfig::Markov(chain) => chain,
        other => panic!("{other:?}"),
    }
}

const PETROVIC: &str = r#"
duration = "100 s"
warmup = "10 s"
conventions = "ns2"
[[link]]
ends = ["server", "ap"]
rate = "5 Mbps"
delay = "2 ms"
[queue]
packets = 50
[[cell]]
access_point = "ap"
stations = 5
[mac]
rts = "always"
[channel]
model = "gilbert_elliott"
mean_good = "100 ms"
mean_bad = "33.3 ms"
ber_good = 1e-6
ber_bad = 1e-2
state_per = "receiver"
[fec]
model = "residual_ber"
[tcp]
variant = "reno"
mss = "1000 B"
window = "10 packets"
[[flow]]
name = "down"
from = "server"
to = "sta*"
start_spread = "1 s"
"#;

fn plan(text: &str, overrides: &[&str]) -> Plan {
    let overrides: Vec<String> = overrides.iter().map(|&set| set.to_owned()).collect();
    match check(text, "x.toml", &overrides) {
        Ok(scenario) => std::sync::Arc::unwrap_or_clone(scenario.plan),
        Err(error) => panic!("{error}"),
    }
}

fn tcp(plan: &Plan, flow: usize) -> (&str, &TcpConfig) {
    match &plan.flows[flow].transport {
        TransportPlan::Tcp { variant, config, .. } => (variant, config),
        TransportPlan::Udp { .. } => panic!("flow {flow} is not TCP"),
    }
}

#[test]
fn ns2_conventions_fill_what_is_unsaid() {
    let plan = plan(PETROVIC, &[]);
    assert_eq!(plan.nodes, ["server", "ap", "sta1", "sta2", "sta3", "sta4", "sta5"]);
    assert_eq!(plan.link_name(&plan.links[1]), "ap>server");
    assert_eq!(plan.links[0].queue.limit, QueueLimit::PacketsWithService(50));
    let cell = &plan.cells[0];
    assert_eq!((cell.access_point, cell.stations.len()), (Some(StationId(0)), 6));
    assert_eq!(cell.configs[0].mac.rts_threshold, 0);
    assert_eq!(
        (cell.configs[0].mac.short_retry_limit, cell.configs[0].mac.long_retry_limit),
        (Some(7), Some(4))
    );
    assert_eq!((cell.configs[0].mac.data_overhead(), cell.routing_header), (34, 20));
    assert_eq!(cell.link_layer_delay, Span::micros(25));
    assert_eq!(cell.configs[0].mac.access, AccessRule::AlwaysBackoff);
    assert_eq!(cell.configs[0].mac.backoff, BackoffDraw::Exclusive);
    assert_eq!(cell.configs[0].mac.bystanders, BystanderRule::EifsThenDifs);
    assert!(
        !cell.configs[0].mac.nav_reset
            && cell.configs[0].mac.errors.plcp
            && cell.configs[0].mac.errors.control_frames
    );
    assert_eq!(cell.state_per, StatePer::Receiver);
    let chain = chain(cell);
    assert_eq!(chain.states[1].mean, Span::micros(33_300));
    assert_eq!(chain.sampling, Sampling::FrameStart);
    let fec = cell.fec.expect("a code");
    assert_eq!((fec.n, fec.k, fec.model, fec.adaptive), (255, 181, FecModel::ResidualBer, true));
    let (variant, config) = tcp(&plan, 0);
    assert_eq!((variant, config), ("reno", &ns2_reno()));
}

/// ns-2.35's Agent/TCP/Reno with segments of 1000 B and a window of ten of them.
fn ns2_reno() -> TcpConfig {
    TcpConfig {
        mss: 1000,
        receive_window: 10_000,
        initial_window: 2,
        initial_ssthresh: Threshold::Segments(10.0),
        delayed_ack_timeout: Span::millis(100),
        ssthresh_base: SsthreshBase::Window,
        loss_rules: LossRules::Ns2,
        dsack: false,
        frto: Where::WithRack,
        undo: Where::WithRack,
        option_size: OptionSize::Blocks,
        rto: RtoConfig {
            initial: Span::secs(3),
            min: Span::millis(200),
            granularity: Span::millis(10),
            round_samples: true,
            ..RtoConfig::default()
        },
        newreno: NewRenoConfig { careful_exit: false, ..NewRenoConfig::default() },
        sack: SackConfig { most_blocks: 3, ..SackConfig::default() },
        ..TcpConfig::standard(Recovery::Reno, LawName::Reno)
    }
}

/// Changes over the years by ns-2's change log: timers and windows of TCP, and the rate of all frames but data.
#[test]
fn conventions_of_ns2_have_a_date() {
    let of = |name: &str, overrides: &[&str]| {
        let named = format!("conventions = \"{name}\"");
        let plan = plan(&PETROVIC.replace("conventions = \"ns2\"", &named), overrides);
        let (_, tcp) = tcp(&plan, 0);
        let phy = plan.cells[0].configs[0].ladder.phy();
        let rto =
            [tcp.rto.initial, tcp.rto.min, tcp.rto.granularity].map(|span| span.0 / 1_000_000);
        let starts = (tcp.handshake, tcp.initial_window, tcp.limited_transmit);
        let rates = [phy.data, phy.control].map(|one| one.payload.rate().0 / 1_000_000);
        (rto, starts, rates, phy.control.preamble)
    };
    let (long, at_2_mbps) = (Span::micros(192), Span::micros(96));
    let of_2011 = ([3_000, 200, 10], (true, 2, true), [2, 1], long);
    assert_eq!(of("ns2.35", &[]), of_2011);
    assert_eq!(of("ns2", &[]), of_2011);
    assert_eq!(of("ns2.1b8", &[]), ([6_000, 1_000, 100], (true, 2, false), [2, 2], at_2_mbps));
    assert_eq!(of("ns2.1b7", &[]), ([6_000, 200, 100], (false, 1, false), [2, 2], at_2_mbps));
    // A file's value goes before, and at 11 Mbit/s all bits went at 11 Mbit/s.
    let said = ["phy.preamble=long", "phy.control_rate=1 Mbps", "tcp.rto_initial=3 s"];
    assert_eq!(of("ns2.1b7", &said), ([3_000, 200, 100], (false, 1, false), [2, 1], long));
    let fast = of("ns2.1b7", &["phy.standard=802.11b", "phy.rate=11 Mbps"]);
    assert_eq!((fast.2, fast.3), ([11, 11], Span(17_455)));
}

#[test]
fn standard_conventions_are_the_default() {
    let plan = plan(&PETROVIC.replace("conventions = \"ns2\"", ""), &["mac.rts=500 B"]);
    let cell = &plan.cells[0];
    assert_eq!((cell.configs[0].mac.data_overhead(), cell.routing_header), (36, 0));
    assert_eq!(cell.link_layer_delay, Span::ZERO);
    assert_eq!(cell.configs[0].mac.rts_threshold, 500);
    assert_eq!(cell.configs[0].mac.access, AccessRule::ImmediateAfterDifs);
    assert_eq!(cell.configs[0].ladder.phy().data.preamble, Span::micros(192));
    // Answers go at the fastest basic rate that is not above the data's.
    let rates = [
        cell.configs[0].ladder.phy().data,
        cell.configs[0].ladder.phy().control,
        cell.configs[0].ladder.phy().lowest,
    ]
    .map(|a| a.payload.rate());
    assert_eq!(rates, [Rate(2_000_000), Rate(2_000_000), Rate(1_000_000)]);
    assert_eq!(plan.links[0].queue.limit, QueueLimit::Packets(50));
    let (_, config) = tcp(&plan, 0);
    assert_eq!(config.ssthresh_base, SsthreshBase::FlightSize);
    assert_eq!((config.initial_window, config.receive_window), (10, 10_000));
}

#[test]
fn a_star_makes_one_flow_for_each_match() {
    let plan = plan(PETROVIC, &[]);
    let names: Vec<&str> = plan.flows.iter().map(|flow| flow.name.as_str()).collect();
    assert_eq!(names, ["down-1", "down-2", "down-3", "down-4", "down-5"]);
    assert_eq!(plan.flows[0].start, Time::ZERO);
    assert_eq!(plan.flows[4].start, Time::ZERO + Span::millis(800));
}

#[test]
fn overrides_reach_every_depth() {
    let plan = plan(
        PETROVIC,
        &[
            "tcp.variant=tahoe",
            "flow.0.tcp.mss=500 B",
            "flow.down.tcp.window=\"4 packets\"",
            "link.0.rate=3Mbps",
            "fec.enabled=false",
            "channel.model=ideal",
            "mac.retry_limit=none",
            "cell.0.stations=2",
        ],
    );
    let (variant, config) = tcp(&plan, 0);
    assert_eq!((variant, config.mss, config.receive_window), ("tahoe", 500, 2000));
    assert_eq!(plan.links[0].rate, Rate(3_000_000));
    assert_eq!(plan.cells[0].fec, None);
    assert_eq!(plan.cells[0].channel, ChannelConfig::Ideal);
    assert_eq!(plan.cells[0].configs[0].mac.long_retry_limit, None);
    assert_eq!(plan.flows.len(), 2);
}

#[test]
fn top_level_tables_are_defaults_that_others_can_change() {
    let text = r#"
duration = "1 s"
[queue]
bytes = "64 kB"
[[link]]
ends = ["a", "b"]
rate = "1 Mbps"
queue = "5 packets"
loss = "10 %"
loss_at = "entering"
loss_direction = "reverse"
drop = [{ flow = "one", packets = [3] }]
[[cell]]
name = "east"
access_point = "b"
stations = ["x"]
mac = { retry_limit = 2, retry_limit_counts = "retransmissions" }
[[cell]]
name = "west"
stations = ["y", "z"]
[mac]
rts = "always"
[tcp]
mss = "100 B"
recovery = "tahoe"
[[flow]]
name = "one"
from = "a"
to = "x"
tcp = { variant = "newreno" }
[[flow]]
from = "y"
to = "z"
app = { kind = "cbr", rate = "1 Mbps", payload = "125 B" }
"#;
    let plan = plan(text, &[]);
    assert_eq!(plan.links[0].queue.limit, QueueLimit::Packets(5));
    assert_eq!((plan.links[0].loss, plan.links[1].loss), (0.0, 0.1));
    assert_eq!(plan.links[0].loss_place, LossPlace::Entering);
    assert_eq!(plan.links[0].drop_lists, [(0, vec![3])]);
    assert!(plan.links[1].drop_lists.is_empty());
    let (east, west) = (&plan.cells[0], &plan.cells[1]);
    assert_eq!(
        (east.configs[0].mac.short_retry_limit, east.configs[0].mac.rts_threshold),
        (Some(3), 0)
    );
    assert_eq!((west.configs[0].mac.short_retry_limit, west.access_point), (Some(7), None));
    assert_eq!(west.configs[0].queue.limit, QueueLimit::Bytes(64_000));
    let (variant, config) = tcp(&plan, 0);
    assert_eq!((variant, config.mss), ("newreno", 100));
    assert_eq!(plan.flows[1].name, "flow2");
}

#[test]
fn bursts_of_a_link_strike_the_ways_that_loss_strikes() {
    let with = |keys: &str| {
        format!(
            "duration = \"1 s\"\n[[link]]\nends = [\"a\", \"b\"]\nrate = \"1 Mbps\"\n{keys}\n\
             [[flow]]\nfrom = \"a\"\nto = \"b\"\n"
        )
    };
    let bursts = "bursts = { mean_good = \"90 ms\", mean_bad = \"10 ms\", loss_good = \"1 %\" }";
    let means = [Span::millis(90), Span::millis(10)];
    let expected = BurstConfig { means, loss: [0.01, 1.0], bit_errors: [0.0; 2] };
    for (direction, ways) in
        [("both", [true, true]), ("forward", [true, false]), ("reverse", [false, true])]
    {
        let plan = plan(&with(&format!("{bursts}\nloss_direction = \"{direction}\"")), &[]);
        let found = [0, 1].map(|link| plan.links[link].bursts.as_deref().copied());
        assert_eq!(found, ways.map(|strikes| strikes.then_some(expected)), "{direction}");
    }
    let short = with("bursts = { mean_good = \"1 ns\", mean_bad = \"1 s\" }");
    let error = check(&short, "x.toml", &[]).err().map(|e| e.to_string());
    assert!(
        error.as_ref().is_some_and(|e| e.contains("mean time in a state is too short")),
        "{error:?}"
    );
}

#[test]
fn the_ofdm_standards_bring_their_own_times_and_refuse_rates_that_they_lack() {
    let text = |phy: &str| {
        format!(
            "duration = \"1 s\"\n[phy]\n{phy}\n[[cell]]\naccess_point = \"ap\"\nstations = 1\n\
             [[flow]]\nname = \"f\"\nfrom = \"sta1\"\nto = \"ap\"\napp = \"bulk\"\n"
        )
    };
    let phy = |table: &str| {
        scenario::check(&text(table), "f.toml", &[])
            .map(|checked| *checked.plan.cells[0].configs[0].ladder.phy())
    };
    let g = phy("standard = \"802.11g\"\nrate = \"54 Mbps\"").expect("802.11g has 54 Mbps");
    assert_eq!((g.slot, g.sifs, g.cw_min), (Span::micros(9), Span::micros(10), 15));
    // 1536 B at 54 Mbps: 20 us, 57 symbols of 4 us, 6 us of signal extension (802.11-2020, 18.5.3).
    assert_eq!(g.data.of_bytes(1536), Span::micros(20 + 57 * 4 + 6));
    assert_eq!(g.control.payload.rate(), Rate(24_000_000));
    let message = phy("standard = \"802.11g\"\nrate = \"20 Mbps\"").expect_err("no such rate");
    assert!(message.to_string().contains("allowed: 6 Mbps, 9 Mbps"), "{message}");
    let custom = phy("standard = \"802.11g\"\nrate = \"20 Mbps\"\nany_rate = true");
    assert_eq!(custom.expect("asked for").data.payload.rate(), Rate(20_000_000));
    let short = phy("standard = \"802.11a\"\npreamble = \"short\"").expect_err("DSSS only");
    assert!(
        short.to_string().contains("only 802.11b and 802.11bg have short preambles"),
        "{short}"
    );
}

/// PETROVIC with another channel of two states.
fn with_states(states: &str) -> String {
    let old = "mean_good = \"100 ms\"\nmean_bad = \"33.3 ms\"\nber_good = 1e-6\nber_bad = 1e-2\n";
    assert!(PETROVIC.contains(old));
    PETROVIC.replace(old, &format!("mean_bad = \"10 ms\"\n{states}\n"))
}

#[test]
fn a_share_of_the_time_and_losses_of_frames_say_a_channel_too() {
    let plan = plan(&with_states("bad_share = 0.2\nloss_bad = 0.5"), &[]);
    let [good, bad] = &chain(&plan.cells[0]).states[..] else { panic!() };
    // A fifth of the time bad, 10 ms at a time.
    assert_eq!((good.mean, bad.ber), (Span::millis(40), 0.0));
    assert_eq!((good.frame_loss, bad.frame_loss), (0.0, 0.5));
}

#[test]
fn a_channel_of_two_states_says_each_thing_in_one_way() {
    for (states, said) in [
        ("loss_bad = 1.0", "mean_good or bad_share"),
        ("mean_good = \"1 s\"\nbad_share = 0.1\nloss_bad = 1.0", "leave one of them out"),
        ("bad_share = 1.0\nloss_bad = 1.0", "more than 0, less than 1"),
        ("bad_share = 0.1", "or loss_bad"),
        ("bad_share = 0.1\nber_good = 1e-6", "give one pair"),
        ("bad_share = 0.1\nloss_good = 0.1", "give one pair"),
        ("bad_share = 0.1\nber_good = 0\nber_bad = 0.1\nloss_bad = 0.1", "give one pair"),
    ] {
        let error = check(&with_states(states), "x.toml", &[]).err().map(|e| e.to_string());
        assert!(error.as_ref().is_some_and(|e| e.contains(said)), "{states}: {error:?}");
    }
}

#[test]
fn a_table_of_one_laws_parameters_holds_for_that_law_alone() {
    let tau = |variant: &str, options: &str| {
        let sets = [format!("tcp.variant={variant}"), format!("tcp.law_options={options}")];
        let checked = check(PETROVIC, "x.toml", &sets).map_err(|error| error.to_string())?;
        Ok::<_, String>(tcp(&checked.plan, 0).1.law_options.get("tau"))
    };
    let of_westwood = "{ westwood = { tau = 1.0 } }";
    assert_eq!(tau("westwood", of_westwood), Ok(Some(1.0)));
    assert_eq!(tau("reno", of_westwood), Ok(None));
    for (options, said) in [
        ("{ westwod = { tau = 1.0 } }", "did you mean \"westwood\""),
        ("{ westwood = { taw = 1.0 } }", "did you mean \"tau\""),
        ("{ westwood = { tau = { a = 1 } } }", "a table; allowed"),
    ] {
        let error = tau("reno", options).expect_err(options);
        assert!(error.contains(said), "{error}");
    }
}
