//! Networks of parts that do not meet: played in shares, one after the other or in threads, they give the bytes of one run.

use base::{Purpose, Rng, Seed};
use scenario::{Run, Scenario, check};

/// Each is played in several numbers of shares.
const SCENARIOS: u64 = 45;

fn one_of<'a>(rng: &mut Rng, of: &[&'a str]) -> &'a str {
    of[rng.below(of.len() as u32) as usize]
}

/// Two nodes with prefix `p` and what joins them; the second is reached from the first.
fn network(p: &str, air: Air, rng: &mut Rng) -> String {
    let queue = one_of(rng, &["\"20 packets\"", "\"fq_codel\"", "\"red\"", "\"cake\""]);
    let loss = one_of(rng, &["0", "0.01"]);
    let place = |node: &str, x: u32| match air {
        Air::Places => {
            format!("[[node]]\nname = \"{p}{node}\"\nposition = [{}, {}]\n", x, 9000 * number(p))
        }
        Air::Plain | Air::Aggregates => String::new(),
    };
    let cell = |ap: &str, sta: &str, x: u32| {
        format!(
            "[[cell]]\nname = \"{p}{ap}\"\naccess_point = \"{p}{ap}\"\nstations = [\"{p}{sta}\"]\n{}{}",
            place(ap, x),
            place(sta, x + 5)
        )
    };
    match rng.below(5) {
        0 => format!(
            "[[link]]\nends = [\"{p}a\", \"{p}b\"]\nrate = \"2 Mbps\"\ndelay = \"3 ms\"\nqueue = {queue}\nloss = {loss}\n"
        ),
        1 => format!(
            "[[lan]]\nname = \"{p}lan\"\nstations = [\"{p}a\", \"{p}b\"]\ndelay = \"1 us\"\n"
        ),
        2 => {
            format!("[[wimax]]\nname = \"{p}wm\"\nbase_station = \"{p}a\"\nstations = [\"{p}b\"]\n")
        }
        3 => cell("a", "b", 0),
        _ => format!(
            "{}{}[[link]]\nends = [\"{p}b\", \"{p}c\"]\nrate = \"3 Mbps\"\ndelay = \"1 ms\"\nqueue = {queue}\n",
            cell("a", "b", 0),
            cell("c", "d", 20)
        ),
    }
}

fn number(p: &str) -> u32 {
    p[1..].parse().expect("a prefix ends in its number")
}

fn flows(p: &str, rng: &mut Rng) -> String {
    let mut text = String::new();
    for flow in 0..1 + rng.below(3) {
        let (from, to) = if rng.chance(0.5) { ("a", "b") } else { ("b", "a") };
        let app = one_of(
            rng,
            &[
                "\"bulk\"",
                "\"bulk\"\ntcp = { variant = \"cubic\" }",
                "\"bulk\"\ntcp = { variant = \"bbr\" }",
                "{ kind = \"short_flows\", size = \"8 kB\", interarrival = \"90 ms\" }\ntcp = { variant = \"auto\" }",
                "{ kind = \"web\", model = \"webtraf\", think = { law = \"exponential\", mean = \"200 ms\" } }",
                "\"voice\"",
                "{ kind = \"cbr\", rate = \"300 kbps\", payload = \"500 B\" }",
                "{ kind = \"periodic\", payload = \"100 B\", interval = \"20 ms\", jitter = \"20 ms\" }",
            ],
        );
        let (start, stop) = (rng.below(2000), 2100 + rng.below(1500));
        text += &format!(
            "[[flow]]\nname = \"{p}f{flow}\"\nfrom = \"{p}{from}\"\nto = \"{p}{to}\"\napp = {app}\n\
             start = \"{start} ms\"\nstop = \"{stop} ms\"\n"
        );
    }
    text
}

/// The stations of the cells of a scenario.
#[derive(Clone, Copy)]
enum Air {
    Plain,
    Places,
    Aggregates,
}

/// Two to six networks, of which the last two may be joined.
fn scenario(number: u64, rng: &mut Rng) -> String {
    let air = [Air::Plain, Air::Places, Air::Aggregates][(number % 3) as usize];
    let parts = 2 + rng.below(5);
    let warmup = one_of(rng, &["0 s", "1.5 s"]);
    let measures =
        one_of(rng, &["", "\"limits\"", "\"limits\", \"delay_split\", \"acks\", \"interarrival\""]);
    let mut text =
        format!("duration = \"3 s\"\nwarmup = \"{warmup}\"\nmeasures = [{measures}]\n[channel]\n");
    text += one_of(rng, &["model = \"ideal\"\n", "model = \"bernoulli\"\nframe_loss = 0.1\n"]);
    text += match air {
        Air::Plain => "[phy]\nstandard = \"802.11b\"\n",
        Air::Places => "[phy]\nstandard = \"802.11g\"\n[medium]\n",
        Air::Aggregates => "[phy]\nstandard = \"802.11n\"\n[qos]\n",
    };
    for part in 0..parts {
        let p = format!("n{part}");
        text += &(network(&p, air, rng) + &flows(&p, rng));
    }
    if parts > 2 && rng.chance(0.3) {
        let (a, b) = (parts - 2, parts - 1);
        text += &format!(
            "[[link]]\nends = [\"n{a}b\", \"n{b}b\"]\nrate = \"1 Mbps\"\ndelay = \"1 ms\"\n"
        );
        text += &format!(
            "[[flow]]\nname = \"across\"\nfrom = \"n{a}a\"\nto = \"n{b}b\"\napp = \"bulk\"\n"
        );
    }
    text
}

/// The result of a run in this many shares from `part` on, and how many they were; in threads where it says so.
fn in_shares(scenario: &Scenario, (part, most): (f64, usize), threads: bool) -> (String, usize) {
    let mut run = Run::new(scenario, None, 0);
    run.advance(part);
    let mut others = run.divide(most);
    let count = 1 + others.len();
    if threads {
        std::thread::scope(|scope| {
            for share in &mut others {
                scope.spawn(|| share.advance(1.0));
            }
            run.advance(1.0);
        });
    } else {
        for step in [part + (1.0 - part) / 2.0, 1.0] {
            others.iter_mut().rev().for_each(|share| share.advance(step));
            run.advance(step);
        }
    }
    run.unite(others);
    (run.finish().to_json(), count)
}

#[test]
fn a_run_in_shares_gives_the_bytes_of_one() {
    let mut most = [0; 3];
    for number in 0..SCENARIOS {
        let mut rng = Seed { seed: number, replication: 0 }.stream(Purpose::App, 0);
        let text = scenario(number, &mut rng);
        let scenario =
            check(&text, "x.toml", &[]).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let whole = Run::new(&scenario, None, 0).finish().to_json();
        for shares in [1, 2, 3, 4] {
            let part = [0.0, 0.2, 0.5, rng.unit()][rng.below(4) as usize];
            let (divided, count) = in_shares(&scenario, (part, shares), shares == 3);
            assert!(divided == whole, "in {shares} from {part}:\n{text}\n{divided}\n{whole}");
            most[(number % 3) as usize] = count.max(most[(number % 3) as usize]);
        }
    }
    assert_eq!(most, [4; 3]);
}

/// Where a part could come to meet another, or all is watched in its order, a run stays whole.
#[test]
fn what_can_meet_is_not_divided() {
    let wires = "duration = \"1 s\"\n[[link]]\nends = [\"a\", \"b\"]\nrate = \"1 Mbps\"\n[[link]]\nends = [\"c\", \"d\"]\n\
                 rate = \"1 Mbps\"\n[[flow]]\nfrom = \"a\"\nto = \"b\"\n[[flow]]\nfrom = \"c\"\nto = \"d\"\n";
    let split = "[[proxy]]\nkind = \"split\"\nat = \"b\"\n[[cell]]\naccess_point = \"b\"\nstations = [\"e\"]\n\
                 [[flow]]\nname = \"far\"\nfrom = \"a\"\nto = \"e\"\n";
    let joined = "[[link]]\nends = [\"b\", \"c\"]\nrate = \"1 Mbps\"\n";
    for (more, overrides, shares) in [
        ("", None, 2),
        (joined, None, 1),
        (split, None, 1),
        ("", Some("measures=[\"efficiency\"]".to_owned()), 1),
    ] {
        let text = format!("{wires}{more}");
        let overrides: Vec<String> = overrides.into_iter().collect();
        let scenario = check(&text, "x.toml", &overrides).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(in_shares(&scenario, (0.5, 4), false).1, shares, "{more} {overrides:?}");
    }
}
