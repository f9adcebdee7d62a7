//! Conventions are documents: their order, and the messages about wrong ones.

use scenario::{Files, Laws, Scenario, check_with, files_named};
use transport::tcp::{LossRules, SlowStart, TcpConfig, Threshold};
use world::TransportPlan;

const WIRE: &str = "duration = \"1 s\"\n[[link]]\nends = [\"a\", \"b\"]\nrate = \"1 Mbps\"\n[[flow]]\nfrom = \"a\"\nto = \"b\"\n";

fn text(conventions: &str, tcp: &str) -> String {
    format!("conventions = {conventions}\n{WIRE}[tcp]\n{tcp}\n")
}

fn checked(conventions: &str, tcp: &str, own: &[(&str, &str)]) -> Result<Scenario, String> {
    let own = own.iter().map(|(name, text)| ((*name).to_owned(), Ok((*text).to_owned())));
    let files = Files { texts: own.collect() };
    let known = (&Laws::default(), &files);
    check_with(&text(conventions, tcp), "x.toml", &[], known).map_err(|error| error.to_string())
}

fn config(conventions: &str, tcp: &str, own: &[(&str, &str)]) -> TcpConfig {
    let scenario = checked(conventions, tcp, own).unwrap_or_else(|error| panic!("{error}"));
    match &scenario.plan.flows[0].transport {
        TransportPlan::Tcp { config, .. } => TcpConfig::clone(config),
        TransportPlan::Udp { .. } => panic!("no TCP"),
    }
}

#[test]
fn a_later_document_counts_more_and_the_scenario_most() {
    let own = [
        ("a.toml", "[tcp]\ninitial_window = 4\nmss = \"500 B\"\nwindow = \"7 packets\""),
        ("b.toml", "about = \"b\"\n[tcp]\ninitial_window = 5"),
    ];
    let of = |conventions: &str, tcp: &str| {
        let config = config(conventions, tcp, &own);
        (config.initial_window, config.mss, config.receive_window, config.loss_rules)
    };
    let ns2 = LossRules::Ns2;
    assert_eq!(of("[\"ns2.35\", \"a.toml\"]", ""), (4, 500, 3500, ns2));
    assert_eq!(of("[\"ns2.35\", \"a.toml\", \"b.toml\"]", ""), (5, 500, 3500, ns2));
    assert_eq!(of("[\"b.toml\", \"ns2.35\"]", ""), (2, 1000, 20_000, ns2));
    assert_eq!(of("\"a.toml\"", "initial_window = 6"), (6, 500, 3500, LossRules::Rfc));
    assert_eq!(of("[\"ns2.35\", \"a.toml\"]", "mss = \"100 B\""), (4, 100, 700, ns2));
    let threshold = config("[\"ns2.35\", \"a.toml\"]", "", &own).initial_ssthresh;
    assert_eq!(threshold, Threshold::Segments(7.0));
    assert_eq!(config("[]", "", &own), config("\"standard\"", "", &own));
}

#[test]
fn a_variant_s_stack_lies_between_the_conventions_and_a_file() {
    let own = [("a.toml", "[tcp]\nwhole_steps = false\n[law.cubic]\nslow_start = \"standard\"")];
    let of = |conventions: &str, variant: &str| {
        let config = config(conventions, &format!("variant = \"{variant}\""), &own);
        (config.mss, config.whole_steps, config.slow_start)
    };
    assert_eq!(of("\"ns2.35\"", "linux-cubic"), (1448, true, SlowStart::HyStart));
    let over = "[\"ns2.35\", \"a.toml\"]";
    assert_eq!(of(over, "linux-cubic"), (1448, false, SlowStart::Standard));
    assert_eq!(of("[\"a.toml\", \"ns2.35\"]", "linux-reno"), (1448, true, SlowStart::Standard));
    // A stack has all its values by every set of conventions, but for the window that others leave open.
    for name in ["ns2.35", "ns2.1b8", "ns2.1b7"] {
        for variant in ["linux-cubic", "linux-hybla", "linux-bbr"] {
            let named =
                |conventions: &str| config(conventions, &format!("variant = \"{variant}\""), &[]);
            let (standard, ns2) = (named("\"standard\""), named(&format!("{name:?}")));
            let left = TcpConfig {
                receive_window: standard.receive_window,
                delayed_ack_timeout: standard.delayed_ack_timeout,
                ..ns2
            };
            assert_eq!(left, standard, "{variant} by {name}");
        }
    }
}

#[test]
fn what_is_wrong_in_a_file_is_named_with_its_place() {
    for (document, said) in [
        ("[tcp]\nmms = \"1 kB\"", "a.toml:2:1: unknown key \"mms\"; did you mean \"mss\"?"),
        ("\n[tcp]\nmss = 3", "a.toml:3:7: 3 has no unit"),
        ("[tcp]\nrto_k = 101", "a.toml:2:9: 101 is out of range; allowed: 0 to 100"),
        ("[tcp]\nvariant = \"reno\"", "a.toml:2:1: unknown key \"variant\""),
        ("[law.renoo]\neln = true", "unknown law \"renoo\"; did you mean \"reno\"?"),
        ("conventions = \"a.toml\"", "a.toml:1:1: unknown key \"conventions\""),
        ("[tcp", "a.toml:1:5:"),
    ] {
        let error =
            checked("[\"ns2\", \"a.toml\"]", "", &[("a.toml", document)]).expect_err(document);
        assert!(error.contains(said), "{document}: {error}");
        assert!(error.starts_with("x.toml:1:23: error: "), "{error}");
    }
    // Values of two tables that do not go together.
    let error = checked("\"a.toml\"", "", &[("a.toml", "[tcp]\nrto_min = \"2 min\"")]);
    assert!(error.expect_err("it is wrong").starts_with("x.toml:1:15: error: rto_min is above"));
}

#[test]
fn a_file_lies_over_a_preset_and_a_scenario_over_both() {
    let cell = |conventions: &str, keys: &str| {
        let own = (
            "a.toml",
            "[wimax]\nburst_gap = 3\nrequest_retries = 5\n[wimax.arq]\nblock = \"32 B\"",
        );
        let text = format!(
            "conventions = {conventions}\nduration = \"1 s\"\n[[wimax]]\nbase_station = \"bs\"\nstations = 2\n{keys}\n\
             [[flow]]\nfrom = \"bs\"\nto = \"ss1\"\n"
        );
        let files = Files { texts: [(own.0.to_owned(), Ok(own.1.to_owned()))].into() };
        let known = check_with(&text, "x.toml", &[], (&Laws::default(), &files));
        known.unwrap_or_else(|error| panic!("{error}")).plan.wimax[0].config.clone()
    };
    let of = |conventions: &str, keys: &str| {
        let cell = cell(conventions, keys);
        (cell.frame.gap, cell.requests.retries, cell.frame.ranging)
    };
    assert_eq!(of("\"standard\"", ""), (0, 16, 1));
    assert_eq!(of("\"standard\"", "preset = \"nist\""), (1, 2, 5));
    assert_eq!(of("\"ns2\"", ""), (1, 2, 5));
    assert_eq!(of("\"ns2\"", "preset = \"standard\""), (0, 16, 1));
    assert_eq!(of("[\"ns2\", \"a.toml\"]", "request_retries = 7"), (3, 7, 5));
    let arq = |conventions: &str, keys: &str| cell(conventions, keys).pdus.arq.map(|arq| arq.block);
    assert_eq!(arq("\"a.toml\"", ""), None);
    assert_eq!(arq("\"a.toml\"", "[wimax.arq]"), Some(32));
    assert_eq!(arq("\"a.toml\"", "arq = { block = \"16 B\" }"), Some(16));
}

#[test]
fn names_of_files_are_told_and_others_refused() {
    let named = |conventions: &str| files_named(&text(conventions, ""), "x.toml", &[]);
    assert_eq!(
        named("[\"ns2\", \"b.toml\", \"a.toml\"]"),
        Ok(vec!["a.toml".to_owned(), "b.toml".to_owned()])
    );
    assert_eq!(named("\"ns2\""), Ok(vec![]));
    for (conventions, said) in [
        ("\"ns2.36\"", "did you mean \"ns2.35\"?"),
        ("[\"ns2\", 3]", "found 3"),
        ("\"gone.toml\"", "the text of \"gone.toml\" was not given"),
        ("{}", "found a table; allowed: the name of a set of conventions"),
    ] {
        let error = checked(conventions, "", &[]).expect_err(conventions);
        assert!(error.contains(said), "{conventions}: {error}");
    }
}

const CELL: &str = "duration = \"1 s\"\n[medium]\n[[cell]]\naccess_point = \"ap\"\nstations = 2\nplacement = \"circle 9 m\"\n\
    [[lan]]\nstations = [\"ap\", \"pc\"]\n[channel]\nmodel = \"bit_errors\"\nber = 1e-6\n[[flow]]\nfrom = \"pc\"\nto = \"sta1\"\n\
    [[flow]]\nfrom = \"sta1\"\nto = \"pc\"\napp = \"voice\"\n";

#[test]
fn a_file_sets_every_table() {
    let own = "[phy]\nstandard = \"802.11b\"\nslot = \"21 us\"\n[mac]\nrts = \"300 B\"\nshort_retry_limit = 5\n[medium]\n\
        tx_power = \"1 W\"\nfading = \"rayleigh\"\n[cell]\nrouting_header = \"12 B\"\n[channel]\nplcp = true\n[queue]\n\
        counts = \"with_service\"\n[udp]\nheader = \"30 B\"\n[lan]\nattempt_limit = 3\n[app.voice]\nbegins = \"burst\"\n";
    let files = Files { texts: [("own.toml".to_owned(), Ok(own.to_owned()))].into() };
    let plan = |conventions: &str| {
        let text = format!("conventions = {conventions}\n{CELL}");
        let known = check_with(&text, "x.toml", &[], (&Laws::default(), &files));
        known.unwrap_or_else(|error| panic!("{error}")).plan
    };
    let seen = |conventions: &str| {
        let plan = plan(conventions);
        let cell = &plan.cells[0];
        let (station, medium) = (&cell.configs[0], cell.medium.as_ref().expect("a medium"));
        let (mac, phy) = (station.mac, *station.ladder.phy());
        let udp = plan.flows[1].transport.clone();
        [
            format!("{:?} {:?} {:?}", phy.slot, mac.rts_threshold, mac.short_retry_limit),
            format!("{} {}", medium.transmit_w, medium.propagation.fading.is_some()),
            format!("{} {} {:?}", cell.routing_header, mac.errors.plcp, station.queue.limit),
            format!("{udp:?} {} {:?}", plan.lans[0].config.rules.attempt_limit, plan.flows[1].app),
        ]
        .join("; ")
    };
    let (standard, own, both) =
        (seen("\"standard\""), seen("\"own.toml\""), seen("[\"ns2\", \"own.toml\"]"));
    for (at, part) in
        ["Span(21000) 300 Some(5)", "1 true", "12 true PacketsWithService(50)"].iter().enumerate()
    {
        assert_eq!(own.split("; ").nth(at), Some(*part), "{own}");
        assert_eq!(both.split("; ").nth(at), Some(*part), "{both}");
        assert_ne!(standard.split("; ").nth(at), Some(*part), "{standard}");
    }
    let rest = own.split("; ").nth(3).expect("UDP, LAN and app");
    assert!(
        rest.contains("header_bytes: 30") && rest.contains(" 3 ") && rest.contains("begins: Burst"),
        "{rest}"
    );
    // The conventions give what a file leaves out: ns-2's MAC header, and its LAN's preset.
    let of = |conventions: &str| {
        let plan = plan(conventions);
        let station = plan.cells[0].configs[0].clone();
        (station.mac.data_overhead(), plan.lans[0].config.rules.framing.header)
    };
    assert_eq!((of("\"own.toml\""), of("[\"ns2\", \"own.toml\"]")), ((36, 18), (34, 14)));
}

#[test]
fn what_a_file_makes_contradict_is_said_at_its_name() {
    for (own, said) in [
        ("[medium]\ncs_threshold = \"-50 dBm\"", "x.toml:1:15: error: above rx_threshold"),
        ("[phy]\ncw_min = 2000", "x.toml:1:15: error: cw_min = 2000 is above cw_max = 1023"),
        (
            "[phy]\nrate = \"20 Mbps\"",
            "x.toml:1:15: error: 20 Mbps is not a rate of this standard; allowed: 1 Mbps, 2 Mbps (or standard = \"custom\")",
        ),
        (
            "[phy]\nrate = \"6 Mbps\"",
            "x.toml:1:15: error: 6 Mbps is not a rate of this standard; allowed: 1 Mbps, 2 Mbps (or standard = \"802.11g\" or \"802.11bg\" or \"custom\")",
        ),
        ("[lan]\ndelay = \"1 ms\"", "x.toml:1:15: error: a signal takes 1000 us"),
        ("[mac]\nrts = 3", "own.toml:2:7: found 3"),
        ("[app.game]\njitter = \"1 ms\"", "own.toml:1:6: unknown key \"game\""),
    ] {
        let files = Files { texts: [("own.toml".to_owned(), Ok(own.to_owned()))].into() };
        let text = format!("conventions = \"own.toml\"\n{CELL}");
        let known = check_with(&text, "x.toml", &[], (&Laws::default(), &files));
        let error = known.err().unwrap_or_else(|| panic!("{own}")).to_string();
        assert!(error.contains(said), "{own}: {error}");
    }
}

/// A cell of 802.11b and what lies under it.
fn under(document: &str, own: &str) -> Result<scenario::Scenario, String> {
    let text = format!(
        "duration = '1 s'\nconventions = 'lab.toml'\n[[cell]]\naccess_point = 'ap'\nstations = 2\n{own}\n[[flow]]\nfrom = \
         'sta1'\nto = 'ap'\n"
    );
    let mut files = scenario::Files::default();
    files.texts.insert("lab.toml".to_owned(), Ok(document.to_owned()));
    let known = (&scenario::Laws::default(), &files);
    scenario::check_with(&text, "x.toml", &[], known).map_err(|error| error.to_string())
}

#[test]
fn a_document_sets_limits_of_both_kinds_rates_and_whether_there_is_a_code() {
    let limits = |document: &str, own: &str| {
        let config = &under(document, own).expect("a scenario").plan.cells[0].configs[0];
        (config.mac.short_retry_limit, config.mac.long_retry_limit)
    };
    assert_eq!(limits("[mac]\nretry_limit = 3\n", ""), (Some(3), Some(3)));
    assert_eq!(
        limits("[mac]\nretry_limit = 'none'\n", "mac.long_retry_limit = 2"),
        (None, Some(2))
    );
    assert_eq!(limits("[mac]\nlong_retry_limit = 3\n", "mac.retry_limit = 2"), (Some(2), Some(2)));
    let counted = "[mac]\nretry_limit = 3\nretry_limit_counts = 'retransmissions'\n";
    assert_eq!(limits(counted, ""), (Some(4), Some(4)));
    assert_eq!(limits(counted, "mac.short_retry_limit = 5"), (Some(6), Some(4)));
    assert_eq!(
        limits(counted, "mac = { short_retry_limit = 5, retry_limit_counts = 'attempts' }"),
        (Some(5), Some(4))
    );
    let wrong = "[mac]\nretry_limit = 3\nshort_retry_limit = 2\n";
    let said = under(wrong, "").expect_err("both kinds");
    assert!(
        said.contains("x.toml:2:15") && said.contains("lab.toml:2:15: retry_limit sets both"),
        "{said}"
    );
    let said = under("[mac]\nretry_limit = 0\n", "").expect_err("no attempt");
    assert!(said.contains("x.toml:2:15") && said.contains("sent at least once"), "{said}");

    let rates = "[phy]\nrates = ['11 Mbps', '2 Mbps']\n";
    let rungs =
        |own: &str| under(rates, own).expect("rates").plan.cells[0].configs[0].ladder.rungs.len();
    assert_eq!(rungs("phy = { standard = '802.11b', rate_control = 'arf' }"), 2);
    assert_eq!(rungs("phy.standard = '802.11b'"), 1);
    let said =
        under(rates, "phy = { standard = '802.11g', rate_control = 'arf' }").expect_err("OFDM");
    assert!(said.contains("x.toml:2:15") && said.contains("not a rate of this standard"), "{said}");

    let code = |document, own| under(document, own).expect("a code").plan.cells[0].fec.is_some();
    assert!(code("[fec]\nn = 200\n", "fec = {}") && !code("[fec]\nenabled = false\n", "fec = {}"));
    assert!(code("[fec]\nenabled = false\n", "fec.enabled = true"));
    assert!(!code("[fec]\nn = 200\n", ""));
}
