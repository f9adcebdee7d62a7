//! Every default that is printed is the one in the code: said aloud, it changes nothing.

use scenario::{Files, Laws, resolve, schema};
use serde_json::{Map, Value};

const LINK: &str = "[[link]]\nends = [\"a\", \"b\"]\nrate = \"1 Mbps\"\n";
const CELL: &str = "[[cell]]\naccess_point = \"ap\"\nstations = 2\n";
const WIMAX: &str = "[[wimax]]\nbase_station = \"a\"\nstations = 2\n";
const LAN: &str = "[[lan]]\nstations = [\"a\", \"c\"]\n";
const FLOW: &str = "[[flow]]\nfrom = \"a\"\nto = \"b\"\n";
const IN_CELL: &str = "[[flow]]\nfrom = \"sta1\"\nto = \"ap\"\n";
const DATAGRAMS: &str = "[[flow]]\nfrom = \"a\"\nto = \"b\"\napp = \"cbr\"\n";
const POLICY: &str = "[tcp]\nvariant = \"auto\"\n[tcp.policy]\ndefault = \"reno\"\n";
const ROAMING: &str = "[medium]\n[[link]]\nends = [\"home\", \"west\"]\nrate = \"1 Mbps\"\n[[link]]\nends = [\"home\", \"east\"]\n\
    rate = \"1 Mbps\"\n[[cell]]\naccess_point = \"west\"\nstations = [\"w\"]\nplacement = \"circle 5 m\"\n[[cell]]\n\
    access_point = \"east\"\nstations = [\"e\"]\nplacement = \"circle 5 m\"\n[association]\n";

const CONVENTIONS: [&str; 4] = ["standard", "ns2.35", "ns2.1b8", "ns2.1b7"];

/// Returns the text before a table's keys, and the text behind them.
fn host(table: &str, tag: Option<(&str, &str)>) -> Option<(String, String)> {
    let placed = format!("{CELL}placement = \"circle 10 m\"\n");
    let held = |section: &str| (format!("{LINK}{CELL}[{section}]\n"), DATAGRAMS.to_owned());
    Some(match table {
        "" => (String::new(), format!("{LINK}{CELL}{FLOW}")),
        "LinkSpec" => (LINK.to_owned(), FLOW.to_owned()),
        "DropSpec" => {
            (format!("{LINK}[[link.drop]]\nflow = \"flow1\"\npackets = [3]\n"), FLOW.to_owned())
        }
        "ChangeSpec" => (format!("{LINK}[[link.change]]\nat = \"1 s\"\n"), FLOW.to_owned()),
        "BurstSpec" => (
            format!("{LINK}[link.bursts]\nmean_good = \"1 s\"\nmean_bad = \"20 ms\"\n"),
            FLOW.to_owned(),
        ),
        "CellSpec" => (format!("{LINK}{placed}"), format!("[medium]\n{FLOW}")),
        "FlowSpec" => (format!("{LINK}{FLOW}"), String::new()),
        "PhySpec" => held("phy"),
        "MacSpec" => held("mac"),
        "FecSpec" => held("fec"),
        "UdpSpec" => held("udp"),
        "TcpSpec" => (format!("{LINK}[tcp]\n"), FLOW.to_owned()),
        "PolicyTable" => (format!("{LINK}{POLICY}"), FLOW.to_owned()),
        "MediumSpec" => (format!("{LINK}{placed}[medium]\n"), FLOW.to_owned()),
        "AssociationSpec" => (format!("{LINK}{placed}[medium]\n[association]\n"), FLOW.to_owned()),
        "RoutingSpec" => (format!("{LINK}{placed}[medium]\n[routing]\n"), FLOW.to_owned()),
        "ClustersSpec" => (
            "[[cell]]\nstations = 2\nplacement = \"circle 10 m\"\n[medium]\n[routing]\nkind = \"clusters\"\n[routing.clusters]\n".to_owned(),
            "[[flow]]\nfrom = \"sta1\"\nto = \"sta2\"\n".to_owned(),
        ),
        "WimaxSpec" => (format!("{LINK}{WIMAX}"), FLOW.to_owned()),
        "LanSpec" => (format!("{LINK}{LAN}"), FLOW.to_owned()),
        "SubscriberSpec" => {
            (format!("{LINK}{WIMAX}[[wimax.station]]\nname = \"ss1\"\n"), FLOW.to_owned())
        }
        "ArqSpec" => (format!("{LINK}{WIMAX}[wimax.arq]\n"), FLOW.to_owned()),
        "EntrySpec" => (format!("{LINK}{WIMAX}[wimax.entry]\n"), FLOW.to_owned()),
        "OnTimesSpec" => (
            format!(
                "{LINK}{FLOW}[flow.app]\nkind = \"bulk\"\n[flow.app.on_times]\nburst = \"1 s\"\nidle = \"1 s\"\n"
            ),
            String::new(),
        ),
        "SignalSpec" => (
            format!("{LINK}{WIMAX}[wimax.signal]\n"),
            format!("[[node]]\nname = \"*\"\nposition = [9, 9]\n{FLOW}"),
        ),
        "NodeSpec" => (
            format!("{LINK}{CELL}[phy]\nstandard = \"802.11ax\"\n[[node]]\nname = \"sta1\"\n"),
            FLOW.to_owned(),
        ),
        "QosSpec" => (
            format!("{LINK}{CELL}[phy]\nstandard = \"802.11ax\"\n[qos]\n"),
            FLOW.to_owned(),
        ),
        "ServiceSpec" => (
            format!("{LINK}{WIMAX}[[wimax.service]]\nflows = [\"flow1\"]\nclass = \"rtps\"\n"),
            FLOW.to_owned(),
        ),
        "MobileIpSpec" => (
            format!("{ROAMING}[mobile_ip]\nhome_agent = \"home\"\nmobile_nodes = [\"w\"]\n"),
            "[[flow]]\nfrom = \"home\"\nto = \"w\"\n".to_owned(),
        ),
        "ProxySpec" => (
            format!(
                "[[link]]\nends = [\"a\", \"ap\"]\nrate = \"1 Mbps\"\n{CELL}[[flow]]\nfrom = \"a\"\nto = \"sta1\"\n\
                 [[proxy]]\nkind = \"{}\"\nat = \"ap\"\n",
                tag?.1
            ),
            String::new(),
        ),
        "AppSpec" | "ChannelSpec" | "MobilitySpec" => {
            let (key, kind) = tag?;
            let tag = format!("{key} = \"{kind}\"\n");
            match table {
                "AppSpec" => (format!("{CELL}{IN_CELL}[flow.app]\n{tag}"), String::new()),
                "ChannelSpec" => (format!("{LINK}{CELL}[channel]\n{tag}"), FLOW.to_owned()),
                _ => (
                    format!(
                        "{LINK}{CELL}[medium]\n[[node]]\nname = \"*\"\nposition = [1, 1]\n[[node]]\nname = \"sta1\"\n\
                         [node.mobility]\n{tag}"
                    )
                    .replace("[[node]]\nname = \"*\"\nposition = [1, 1]\n", "[[node]]\nname = \"ap\"\nposition = [1, 1]\n[[node]]\nname = \"sta2\"\nposition = [1, 1]\n"),
                    FLOW.to_owned(),
                ),
            }
        }
        _ => return None,
    })
}

/// Returns the keys that a table needs, and those that give another its meaning.
fn beside(kind: &str, key: &str) -> &'static str {
    match (kind, key) {
        ("SignalSpec", _) => "",
        ("LanSpec", "ifs" | "slot" | "cw_min" | "cw_max") => "access = \"csma-ca\"\n",
        ("LinkSpec", "jitter_law") => "jitter = \"1 ms\"\n",
        ("OnTimesSpec", "pause") => "pauses = 1\n",
        (_, "shape") => "times = \"pareto\"\n",
        (_, "k_factor" | "doppler_hz") => "fading = \"rician\"\n",
        (_, "exponent" | "reference") => "path_loss = \"log_distance\"\n",
        (_, "probe_delay" | "min_channel_time" | "max_channel_time") => "scan = \"active\"\n",
        ("RoutingSpec", "update_period" | "settling_time" | "missed_updates") => {
            "kind = \"dsdv\"\n"
        }
        ("RoutingSpec", "delay" | "margin_db") => "kind = \"shortest\"\n",
        ("periodic", _) => "payload = \"200 B\"\ninterval = \"10 ms\"\n",
        ("video", _) => "file = \"v\"\nformat = \"sizes\"\ninterval = \"40 ms\"\n",
        ("bernoulli", _) => "frame_loss = 0.1\n",
        ("bit_errors", _) => "ber = 1e-5\n",
        ("gilbert_elliott", _) => {
            "mean_good = \"1 s\"\nmean_bad = \"1 s\"\nber_good = 1e-6\nber_bad = 1e-3\n"
        }
        ("markov", _) => "mean = [\"1 s\", \"1 s\"]\nber = [1e-6, 1e-3]\n",
        ("random_waypoint", _) => "area = [9, 9]\nspeed = \"1 m/s\"\n",
        ("trace", _) => "file = \"t\"\nformat = \"bonnmotion\"\nnode = \"0\"\n",
        _ => "",
    }
}

/// Returns the settings that make a case apply.
fn in_case(case: &str) -> String {
    match case {
        "" | "ns2" | "ns2.1b8" | "ns2.1b7" => String::new(),
        "ns-2's conventions where there is an access point" | "no access point" => String::new(),
        "custom" | "802.11a" | "802.11b" | "802.11g" | "802.11bg" => {
            format!("standard = \"{case}\"\n")
        }
        "thresholds" => "reception = \"thresholds\"\n".to_owned(),
        "linux-* variants" => "variant = \"linux-cubic\"\n".to_owned(),
        "a law that models the path (bbr, bbr3)" => "law = \"bbr\"\n".to_owned(),
        other => {
            let (key, value) = other.split_once(" = ").expect("a case is a key and its value");
            format!("{key} = \"{value}\"\n")
        }
    }
}

fn toml(value: &Value) -> String {
    match value {
        Value::Object(keys) => {
            let keys: Vec<String> =
                keys.iter().map(|(key, value)| format!("{key} = {}", toml(value))).collect();
            format!("{{ {} }}", keys.join(", "))
        }
        other => other.to_string(),
    }
}

/// Returns the identity and the seed of a scenario.
fn plan(text: &str) -> Result<(String, u64), String> {
    let mut files = Files::default();
    files.texts.insert("v".to_owned(), Ok("100\n".to_owned()));
    files.texts.insert("t".to_owned(), Ok("0 1 1 5 2 2\n".to_owned()));
    let checked = resolve(text, "x.toml", &[], (&Laws::default(), &files));
    checked
        .map(|(known, resolved)| (resolved.identity(), known.seed))
        .map_err(|errors| errors[0].to_string())
}

/// A key, its default, and in which case.
struct Row<'s> {
    table: &'s str,
    tag: Option<(&'s str, &'s str)>,
    key: &'s str,
    case: &'s str,
    value: &'s Value,
}

impl Row<'_> {
    /// True where the case gives the key its default, with these conventions.
    fn holds(&self, conventions: &str, keys: &Map<String, Value>) -> bool {
        let text = keys["description"].as_str().unwrap_or_default();
        let ns2 = ["ns2", "ns-2's conventions where there is an access point"].contains(&self.case);
        // A preset follows the conventions, and so does what is by thresholds.
        let other = keys.get("x-default-ns2").is_some()
            || keys.keys().any(|key| key.contains("ns-2's") || key.contains("preset"))
            || text.contains("with ns-2's conventions");
        let by_preset = self.case.contains("preset");
        // A version of ns-2's that has a default of its own has no other, and no version has one of another's.
        let dated = conventions
            .strip_prefix("ns2.")
            .is_some_and(|version| text.contains(&format!("ns-2.{version}")));
        if self.case.starts_with("ns2.") || dated {
            return self.case == conventions;
        }
        match conventions {
            "standard" => !ns2,
            _ => ns2 || by_preset || (!other && self.case != "thresholds"),
        }
    }

    /// Returns the reason why writing the default out changes the scenario, if it does.
    fn wrong(&self, conventions: &str) -> Option<String> {
        let kind = self.tag.map_or(self.table, |tag| tag.1);
        let Some((mut before, after)) = host(self.table, self.tag) else {
            return Some(format!("no host for the table {}", self.table));
        };
        if self.case == "no access point" {
            before = before.replace("access_point = \"ap\"\n", "");
        }
        let own = format!("{} =", self.key);
        let game = if kind == "game" && self.case.is_empty() { "direction = \"up\"\n" } else { "" };
        let beside = format!("{}{}{game}", beside(kind, self.key), in_case(self.case));
        let beside: String = beside
            .lines()
            .filter(|line| !line.starts_with(&own))
            .map(|line| format!("{line}\n"))
            .collect();
        let top = format!("duration = \"1 s\"\nconventions = \"{conventions}\"\n");
        let with = |line: &str| match self.table {
            "" => format!("{line}{top}{before}{after}"),
            _ => format!("{top}{before}{beside}{line}{after}"),
        };
        let aloud = with(&format!("{} = {}\n", self.key, toml(self.value)));
        match (plan(&aloud), plan(&with(""))) {
            (Ok(said), Ok(unsaid)) if said == unsaid => None,
            (Ok(_), Ok(_)) => Some(format!("is another by {conventions}:\n{aloud}")),
            (Err(error), _) | (_, Err(error)) => Some(format!("{error}:\n{aloud}")),
        }
    }
}

/// A table's name, the key that says its kind and the kind, its keys.
type Table<'s> = (&'s str, Option<(&'s str, &'s str)>, &'s Map<String, Value>);

/// The tables of the schema.
fn tables(schema: &Value) -> Vec<Table<'_>> {
    let mut found = vec![("", None, schema["properties"].as_object().expect("keys"))];
    for (name, what) in schema["$defs"].as_object().expect("types") {
        if let Some(keys) = what["properties"].as_object() {
            found.push((name, None, keys));
        }
        let several = what["anyOf"]
            .as_array()
            .and_then(|any| any.iter().find_map(|one| one["oneOf"].as_array()));
        for one in what["oneOf"].as_array().or(several).into_iter().flatten() {
            let Some(keys) = one["properties"].as_object() else { continue };
            let tag =
                keys.iter().find_map(|(key, what)| Some((key.as_str(), what["const"].as_str()?)));
            found.push((name, tag, keys));
        }
    }
    found
}

#[test]
fn a_default_said_aloud_changes_nothing() {
    let schema: Value = serde_json::from_str(&schema()).expect("JSON");
    let (mut checked, mut wrongs) = (0, Vec::new());
    for (table, tag, keys) in tables(&schema) {
        for (key, what) in keys {
            let of = what.as_object().expect("a key");
            let cases = of.iter().filter_map(|(name, value)| match name.as_str() {
                "default" => Some(("", value)),
                name => Some((name.strip_prefix("x-default-")?, value)),
            });
            for (case, value) in cases {
                // A default without a case applies to every standard that has none of its own.
                let standards = ["802.11b", "802.11a", "802.11g", "802.11bg", "custom"].into_iter();
                let others = standards.filter(|name| {
                    (table, case) == ("PhySpec", "")
                        && !["standard", "any_rate"].contains(&key.as_str())
                        && !of.contains_key(&format!("x-default-{name}"))
                });
                for (case, conventions) in [case]
                    .into_iter()
                    .chain(others)
                    .flat_map(|case| CONVENTIONS.map(|conventions| (case, conventions)))
                {
                    let row = Row { table, tag, key, case, value };
                    if row.holds(conventions, of) && (table, key.as_str()) != ("", "conventions") {
                        let wrong = row.wrong(conventions);
                        wrongs.extend(wrong.map(|why| format!("{table}.{key} ({case}) {why}")));
                        checked += 1;
                    }
                }
            }
        }
    }
    assert!(wrongs.is_empty(), "{}", wrongs.join("\n"));
    assert!(checked > 250, "{checked}");
}

#[test]
fn the_notes_have_the_tables_of_what_conventions_set() {
    let schema: Value = serde_json::from_str(&schema()).expect("JSON");
    let (mut rows, mut dated) = (String::new(), String::new());
    for (table, tag, keys) in tables(&schema) {
        for (key, what) in keys {
            let kind = tag.map_or(String::new(), |tag| format!(", `{}`", tag.1));
            let table = table.trim_end_matches("Spec").trim_end_matches("Table");
            let case = |case: &str| what.get(format!("x-default-{case}"));
            let (standard, ns2) = (what.get("default"), case("ns2"));
            if let (Some(standard), Some(ns2)) = (standard, ns2) {
                rows += &format!("| {table}{kind} | `{key}` | `{standard}` | `{ns2}` |\n");
            }
            if case("ns2.1b7").or(case("ns2.1b8")).is_some() {
                let now = ns2.or(standard).expect("a default");
                let [old, older] = ["ns2.1b8", "ns2.1b7"].map(|name| case(name).unwrap_or(now));
                dated += &format!("| {table} | `{key}` | `{now}` | `{old}` | `{older}` |\n");
            }
        }
    }
    let notes = include_str!("../../../../docs/model/conventions.md");
    assert!(notes.contains(&rows), "docs/model/conventions.md should have:\n{rows}");
    assert!(notes.contains(&dated), "docs/model/conventions.md should have:\n{dated}");
}
