//! Data that the node holds between two legs, and their loss when the node dies.

use super::{bytes, split, split_run};

/// Whatever is lost where, and however small the buffer: it is never overrun, and a slow leg fills it.
#[test]
fn what_is_held_is_bounded_by_the_buffer() {
    for (replication, buffer) in (0..12).zip([1500, 3000, 5000, 9000, 20_000, 64_000].repeat(2)) {
        let (lossy, reads) =
            (replication % 2 == 1, format!("tcp.window={} packets", 4 + 9 * (replication % 5)));
        let buffer_key = format!("proxy.0.buffer={buffer} B");
        let loss = if lossy { "link.0.loss=0.02" } else { "link.0.loss=0" };
        let outcome = split_run(&[&buffer_key, loss, &reads, "phy.rate=1 Mbps"], replication);
        let (_, split) = split(&outcome);
        assert!(split.held_max_bytes <= buffer, "{} of {buffer}", split.held_max_bytes);
        assert!(split.held_max_bytes + 2 * 1460 > buffer.min(4 * 1460), "{}", split.held_max_bytes);
    }
}

/// A window that a full buffer has closed opens again: the source gets an update, or probes.
#[test]
fn a_closed_window_opens_again() {
    let outcome = split_run(&["proxy.0.buffer=3 kB", "tcp.read_rate=80 kbps"], 0);
    let (flow, split) = split(&outcome);
    // The data that the application reads, and those at the node and in the mobile's buffer of 30 packets.
    let read = 20.0 * 80e3 / 8.0;
    let most = read + 30.0 * 1460.0;
    let got = bytes(flow, &outcome);
    assert!(got > 0.98 * read && got <= most, "{got} of {read}");
    assert!(split.held_max_bytes > 1460, "{}", split.held_max_bytes);
}

/// A file comes whole and once, whatever is lost on the wire and in the air.
#[test]
fn every_byte_comes_once_under_random_losses() {
    let base = [
        "flow.0.app={ kind = \"bulk\", size = \"300 kB\" }",
        "duration=200 s",
        "mac.retry_limit=2",
        "channel={ model = \"bit_errors\", ber = 3e-5 }",
    ];
    let turned = ["flow.0.from=mobile", "flow.0.to=host"];
    for replication in 0..6 {
        let loss = format!("link.0.loss={}", [0.0, 0.01, 0.05][replication as usize % 3]);
        let way = if replication < 3 { &[][..] } else { &turned[..] };
        let outcome = split_run(&[&base[..], &[&loss], way].concat(), replication);
        let (flow, split) = split(&outcome);
        assert_eq!(bytes(flow, &outcome), 300e3);
        assert_eq!((split.undelivered_bytes, split.at.as_str()), (0, "ap"));
        let lost: u64 = flow.packets_lost.values().chain(split.beyond.packets_lost.values()).sum();
        assert!(lost > 0);
    }
}

/// A base station that dies takes with it what it had acknowledged and not delivered: the file is short by that.
#[test]
fn what_a_dead_base_had_acknowledged_is_lost_and_counted() {
    let mut lost_at_all = 0;
    let up = ["flow.0.from=mobile", "flow.0.to=host"];
    for (replication, way) in (0..6).zip([&[][..], &up[..]].repeat(3)) {
        let sets = [
            "flow.0.app={ kind = \"bulk\", size = \"400 kB\" }",
            "duration=120 s",
            "phy.rate=1 Mbps",
            "channel={ model = \"bit_errors\", ber = 2e-5 }",
            "proxy.0.dies=[\"1 s\", \"2.2 s\", \"5 s\"]",
            "proxy.0.restart=300 ms",
        ];
        let outcome = split_run(&[&sets[..], way].concat(), replication);
        let (flow, split) = split(&outcome);
        assert_eq!(split.resets, 3);
        assert_eq!(bytes(flow, &outcome) + split.lost_bytes as f64, 400e3, "{replication}");
        assert_eq!(split.undelivered_bytes, 0);
        lost_at_all += split.lost_bytes;
    }
    assert!(lost_at_all > 20_000, "{lost_at_all}");
}
