//! Random scenarios with a proxy: nodes, medium, direction and losses.

use base::{Purpose, Rng, Seed};
use std::fmt::Write;

/// A scenario, and what is known of it without running it.
pub struct Scene {
    /// The file.
    pub text: String,
    /// The medium's name, for messages.
    pub medium: &'static str,
    /// The proxy's kind.
    pub proxy: &'static str,
}

const MEDIA: [&str; 7] = ["cell", "placed", "roaming", "mobile_ip", "wimax", "wired", "lan"];
const VARIANTS: [&str; 9] =
    ["tahoe", "reno", "newreno", "sack", "rack", "vegas", "westwood", "cubic", "bbr"];

/// The scene of this number: each is always the same.
pub fn scene(number: u64) -> Scene {
    let mut draw = Draw(Seed { seed: number, replication: 0 }.stream(Purpose::App, 0));
    let medium = MEDIA[(number % 7) as usize];
    // A split needs a station beyond; wires and LANs have mobiles by name, which only the others take.
    let kinds: &[&str] = match medium {
        "wired" | "lan" => &["snoop", "mtcp"],
        _ => &["split", "split", "snoop", "mtcp"],
    };
    let proxy = draw.of(kinds);
    let mut text = draw.begins();
    match medium {
        "cell" | "placed" => draw.cell(&mut text, medium == "placed"),
        "roaming" | "mobile_ip" => draw.road(&mut text, medium == "mobile_ip"),
        "wimax" => draw.wimax(&mut text),
        "wired" => draw.wired(&mut text),
        _ => draw.lan(&mut text),
    }
    draw.flows(&mut text);
    draw.proxy(&mut text, (medium, proxy));
    Scene { text, medium, proxy }
}

struct Draw(Rng);

impl Draw {
    fn of<'a>(&mut self, these: &[&'a str]) -> &'a str {
        these[self.0.below(these.len() as u32) as usize]
    }

    fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.0.below(high - low + 1)
    }

    fn chance(&mut self, p: f64) -> bool {
        self.0.chance(p)
    }

    /// The top of a file: duration, TCP's settings, lengths of queues.
    fn begins(&mut self) -> String {
        let mut text = format!("duration = \"{} s\"\n", self.between(20, 60));
        if self.chance(0.3) {
            _ = writeln!(text, "warmup = \"{} ms\"", self.between(1, 4000));
        }
        if self.chance(0.3) {
            _ = writeln!(text, "[queue]\npackets = {}", self.between(2, 20));
        }
        _ = writeln!(text, "[tcp]\nvariant = \"{}\"", self.of(&VARIANTS));
        _ = writeln!(text, "window = \"{} packets\"", self.between(1, 60));
        self.sometimes(&mut text, 0.3, "timestamps = true");
        self.sometimes(&mut text, 0.3, "delayed_ack = true");
        let mss = format!("mss = \"{} B\"", self.between(200, 1460));
        self.sometimes(&mut text, 0.3, &mss);
        let read_rate = format!("read_rate = \"{} kbps\"", self.between(50, 800));
        self.sometimes(&mut text, 0.2, &read_rate);
        text
    }

    fn sometimes(&mut self, text: &mut String, p: f64, line: &str) {
        if self.chance(p) {
            _ = writeln!(text, "{line}");
        }
    }

    fn channel(&mut self, text: &mut String, table: &str) {
        let model = match self.between(0, 3) {
            0 => return,
            1 => format!(
                "model = \"bernoulli\"\nframe_loss = {}",
                0.01 * f64::from(self.between(1, 15))
            ),
            2 => format!("model = \"bit_errors\"\nber = {}e-6", self.between(1, 30)),
            _ => format!(
                "model = \"gilbert_elliott\"\nmean_good = \"{} ms\"\nmean_bad = \"{} ms\"\nber_good = 1e-6\nber_bad = 0.01",
                self.between(300, 4000),
                self.between(5, 900),
            ),
        };
        _ = writeln!(text, "[{table}]\n{model}");
    }

    fn attempts(&mut self, text: &mut String) {
        if self.chance(0.6) {
            _ = writeln!(text, "[mac]\nretry_limit = {}", self.between(1, 4));
        }
    }

    fn link(&mut self, text: &mut String, ends: (&str, &str)) {
        _ = writeln!(
            text,
            "[[link]]\nends = [\"{}\", \"{}\"]\nrate = \"{} kbps\"\ndelay = \"{} ms\"",
            ends.0,
            ends.1,
            self.between(500, 20_000),
            self.between(1, 120)
        );
        if self.chance(0.4) {
            _ = writeln!(text, "loss = {}", 0.005 * f64::from(self.between(1, 10)));
        }
        if self.chance(0.2) {
            _ = writeln!(
                text,
                "bursts = {{ mean_good = \"{} ms\", mean_bad = \"{} ms\" }}",
                self.between(500, 5000),
                self.between(5, 200)
            );
        }
    }

    /// The path between the host and its base station.
    fn back(&mut self, text: &mut String, base: &str) {
        if self.chance(0.25) {
            _ = writeln!(text, "[[lan]]\nstations = [\"host\", \"{base}\", \"busy\", \"idle\"]");
            _ = writeln!(
                text,
                "[[flow]]\nname = \"across\"\nfrom = \"busy\"\nto = \"idle\"\ntransport = \"udp\"\napp = \"saturated\""
            );
        } else {
            self.link(text, ("host", base));
        }
    }

    fn cell(&mut self, text: &mut String, placed: bool) {
        self.attempts(text);
        self.channel(text, "channel");
        if placed {
            _ = writeln!(text, "[medium]");
        }
        self.back(text, "ap");
        _ = writeln!(text, "[[cell]]\naccess_point = \"ap\"\nstations = [\"mobile\", \"other\"]");
        if placed {
            for node in ["ap", "mobile", "other"] {
                let (x, y) = (self.between(0, 60), self.between(0, 60));
                _ = writeln!(text, "[[node]]\nname = \"{node}\"\nposition = [{x}, {y}]");
            }
        }
    }

    fn road(&mut self, text: &mut String, mobile_ip: bool) {
        self.attempts(text);
        self.channel(text, "channel");
        text.push_str(
            "[medium]\nexponent = 3.5\nreception = \"thresholds\"\nrx_threshold = \"-82 dBm\"\n\
             [phy]\nstandard = \"802.11b\"\n[association]\nmode = \"signal\"\n",
        );
        for ends in [("host", "switch"), ("switch", "west"), ("switch", "east")] {
            self.link(text, ends);
        }
        if mobile_ip {
            self.link(text, ("switch", "home"));
            text.push_str("[mobile_ip]\nhome_agent = \"home\"\nmobile_nodes = [\"mobile\"]\n");
        }
        for (base, station, channel) in [("west", "mobile", 1), ("east", "desk", 6)] {
            _ = writeln!(
                text,
                "[[cell]]\naccess_point = \"{base}\"\nstations = [\"{station}\"]\nchannel_number = {channel}"
            );
        }
        let (east, speed) = (self.between(50, 115), self.between(5, 25));
        for (node, at) in [("west", 0), ("east", east), ("desk", east + 2)] {
            _ = writeln!(text, "[[node]]\nname = \"{node}\"\nposition = [{at}, 0]");
        }
        _ = writeln!(
            text,
            "[[node]]\nname = \"mobile\"\nposition = [5, 0]\nwaypoints = [\
             {{ at = \"2 s\", to = [{0}, 0], speed = \"{speed} m/s\" }}, \
             {{ at = \"26 s\", to = [5, 0], speed = \"{speed} m/s\" }}]",
            east - 4
        );
    }

    fn wimax(&mut self, text: &mut String) {
        self.back(text, "bs");
        text.push_str("[[wimax]]\nbase_station = \"bs\"\nstations = [\"mobile\", \"other\"]\n");
        self.channel(text, "wimax.channel");
    }

    fn wired(&mut self, text: &mut String) {
        self.back(text, "bs");
        self.link(text, ("bs", "mobile"));
    }

    fn lan(&mut self, text: &mut String) {
        self.link(text, ("host", "bs"));
        text.push_str("[[lan]]\nstations = [\"bs\", \"mobile\", \"other\"]\n");
    }

    /// One or two transfers between the host and the mobile.
    fn flows(&mut self, text: &mut String) {
        for name in ["first", "second"] {
            let (from, to) = if self.chance(0.5) { ("host", "mobile") } else { ("mobile", "host") };
            _ = writeln!(
                text,
                "[[flow]]\nname = \"{name}\"\nfrom = \"{from}\"\nto = \"{to}\"\nstart = \"{} ms\"",
                self.between(0, 3000)
            );
            if self.chance(0.6) {
                _ = writeln!(
                    text,
                    "app = {{ kind = \"bulk\", size = \"{} B\" }}",
                    self.between(1, 400_000)
                );
            }
            if self.chance(0.5) {
                break;
            }
        }
    }

    fn proxy(&mut self, text: &mut String, (medium, kind): (&str, &str)) {
        let at = match medium {
            "cell" | "placed" => "\"ap\"",
            "roaming" | "mobile_ip" => "[\"west\", \"east\"]",
            _ => "\"bs\"",
        };
        _ = writeln!(text, "[[proxy]]\nkind = \"{kind}\"\nat = {at}");
        // Odd times, at which nothing else happens.
        let mut times: Vec<u32> =
            (0..self.between(0, 3)).map(|_| self.between(500_000, 15_000_000) | 1).collect();
        times.sort_unstable();
        times.dedup();
        let times: Vec<String> = times.iter().map(|us| format!("\"{us} us\"")).collect();
        let times = times.join(", ");
        if kind == "split" {
            _ = writeln!(text, "buffer = \"{} B\"", self.between(1460, 40_000));
            _ = writeln!(text, "dies = [{times}]\nrestart = \"{} ms\"", self.between(1, 1500));
            _ = writeln!(text, "resend = {}", self.chance(0.7));
            if medium == "roaming" || medium == "mobile_ip" {
                // So much that it takes seconds: time for all else to happen.
                _ = writeln!(text, "socket = \"{} kB\"", 1 + self.between(0, 25).pow(2));
            }
            if self.chance(0.7) {
                let variant =
                    if self.chance(0.3) { "selective-repeat" } else { self.of(&VARIANTS) };
                _ = writeln!(text, "[proxy.tcp]\nvariant = \"{variant}\"");
            }
        } else {
            if matches!(medium, "wired" | "lan") {
                _ = writeln!(text, "mobiles = [\"mobile\"]");
            }
            _ = writeln!(text, "restarts = [{times}]\ncache = {}", self.between(1, 60));
            _ = writeln!(text, "retries = {}", self.between(1, 10));
            _ = writeln!(text, "dup_thresh = {}", self.between(1, 3));
        }
    }
}
