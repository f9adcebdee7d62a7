//! Words that people use and the format does not: their names here, or that the feature is not modelled.

use base::Named;
use transport::tcp::Recovery;

/// Synonyms: the words of our format for other words; the first that fits the key counts.
const CALLED: [(&[&str], &str); 37] = [
    (&["random", "randomloss", "iid", "independent", "uniform", "per"], "bernoulli"),
    (&["ber", "biterrorrate", "awgn"], "bit_errors"),
    (&["ge", "gilbert", "burst", "bursty", "twostate"], "gilbert_elliott"),
    (
        &[
            "ftp",
            "file",
            "greedy",
            "iperf",
            "iperf3",
            "download",
            "upload",
            "infinite",
            "backlogged",
        ],
        "bulk",
    ),
    (&["voip", "call", "rtp", "audio", "speech"], "voice"),
    (&["http", "https", "browser", "browsing", "www"], "web"),
    (&["movie", "film", "stream", "streaming"], "video"),
    (&["onoff", "pareto"], "on_off"),
    (&["rpc", "requests"], "request_response"),
    (&["full", "saturation", "alwayson"], "saturated"),
    (&["fifo", "tail", "taildrop", "droptail", "pfifo"], "drop_tail"),
    (&["fqcodel"], "fq_codel"),
    (&["schcake", "sqm", "piececake"], "cake"),
    (&["airtime", "atf", "txq", "fqmac"], "mac80211"),
    (&["dualpi", "dualq", "l4s", "pi2"], "dualpi2"),
    (&["accecn", "accurateecn"], "accurate"),
    (&["ect1", "l4sect"], "l4s"),
    (&["tcpprague"], "prague"),
    (&["bbrv1", "bbr1"], "bbr"),
    (&["bbrv2", "bbrv3", "bbr2"], "bbr3"),
    (&["westwoodplus", "tcpw"], "westwood+"),
    (&["linux", "default"], "cubic"),
    (&["80211b", "wifi1"], "802.11b"),
    (&["80211g", "wifi3"], "802.11g"),
    (&["80211a", "wifi2"], "802.11a"),
    (&["80211n", "wifi4"], "802.11n"),
    (&["80211ac", "wifi5"], "802.11ac"),
    (&["80211ax", "wifi6"], "802.11ax"),
    (&["80211e", "edca", "wmm"], "qos"),
    (&["ap", "accesspoint", "basestation", "router"], "access_point"),
    (&["sta", "station", "clients", "nodes"], "stations"),
    (&["minrto", "minimumrto"], "rto_min"),
    (&["maxrto", "maximumrto"], "rto_max"),
    (&["initrto", "initialrto"], "rto_initial"),
    (&["iw", "initcwnd", "initialcwnd"], "initial_window"),
    (&["rwnd", "rcvbuf", "receivewindow", "buffer"], "window"),
    (&["sack", "sackpermitted"], "recovery"),
];

/// Features that are not modelled, and their nearest substitute; `{recovery}` is the name of RACK-TLP.
const ABSENT: [(&[&str], &str); 10] = [
    (
        &["80211be", "80211bn", "wifi7", "wifi8"],
        "802.11be and later (several links, 320 MHz); the nearest is \"802.11ax\"",
    ),
    (
        &["80211p", "80211ah", "80211af", "80211ad"],
        "802.11 in other bands; the nearest is \"802.11a\"",
    ),
    (
        &["lte", "4g", "5g", "nr", "umts", "3g", "gprs"],
        "cellular networks; the nearest is [[wimax]], which schedules an uplink too",
    ),
    (&["quic", "http3"], "QUIC; the nearest is TCP with recovery = \"{recovery}\""),
    (&["sctp", "mptcp", "dccp"], "transports other than TCP and UDP"),
    (&["aodv", "olsr", "dsr", "batman"], "AODV, OLSR and DSR; there is \"dsdv\""),
    (
        &["copa", "vivace", "pcc", "sprout", "remy", "compound", "ctcp", "fast", "cdg", "nv"],
        "this congestion control; a law in Python takes twenty lines (docs/tutorial/a-law-in-python.md)",
    ),
    (&["bluetooth", "zigbee", "802154", "lora", "ble"], "short-range radios other than 802.11"),
    (&["satellite", "leo", "geo"], "satellites; the nearest is a [[link]] with delay = \"250 ms\""),
    (
        &["80216e", "80216m", "ofdma", "mobilewimax"],
        "802.16e and later; the nearest is 802.16-2004's OFDM, [[wimax]]",
    ),
];

/// Returns our name for `found`, where it is one of `known`.
pub fn called<'a>(found: &str, known: &[&'a str]) -> Option<&'a str> {
    let plain = plain(found);
    let named = CALLED.iter().filter(|(words, _)| words.contains(&plain.as_str()));
    named.filter_map(|(_, name)| known.iter().find(|each| *each == name)).copied().next()
}

/// Returns the message about a feature that is not modelled.
pub fn absent(found: &str) -> Option<String> {
    let plain = plain(found);
    let row = ABSENT.iter().find(|(words, _)| words.contains(&plain.as_str()));
    row.map(|(_, said)| said.replace("{recovery}", Recovery::RackTlp.name()))
}

/// Reduces a text to small letters and digits: "802.11ax", "IEEE 802.11ax" and "80211AX" are one word.
fn plain(found: &str) -> String {
    let small = found.to_lowercase();
    let small = small.strip_prefix("ieee").unwrap_or(&small);
    small.chars().filter(|c| c.is_ascii_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_stands_once_and_is_written_plainly() {
        let lists =
            CALLED.iter().map(|(words, _)| *words).chain(ABSENT.iter().map(|(words, _)| *words));
        let mut words: Vec<&str> = lists.flatten().copied().collect();
        let count = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), count);
        assert!(words.iter().all(|word| plain(word) == **word), "{words:?}");
    }

    #[test]
    fn what_is_not_modelled_is_said_of_however_it_is_written() {
        for word in ["802.11be", "IEEE 802.11be", "wifi7", "Wi-Fi 7"] {
            assert!(absent(word).is_some_and(|said| said.contains("802.11ax")), "{word}");
        }
        assert_eq!(absent("802.11g"), None);
    }

    #[test]
    fn every_name_that_is_advised_is_one_that_scenarios_take() {
        let known = crate::schema();
        let mut advised = 0;
        for word in ABSENT.iter().filter_map(|(words, _)| words.first()) {
            let said = absent(word).unwrap_or_default();
            // Between quotation marks are names, and one delay.
            for name in said.split('"').skip(1).step_by(2).filter(|name| !name.contains(' ')) {
                assert!(known.contains(&format!("\"{name}\"")), "{word}: {said}");
                advised += 1;
            }
        }
        assert!(advised >= 4, "{advised}");
        // A variant is called "rack" too, so its name in a schema is no recovery's.
        assert!(absent("quic").is_some_and(|said| said.contains("recovery = \"rack_tlp\"")));
    }
}
