use super::*;
use crate::tcp::{LawName, Recovery, SackConfig};

const MSS: u32 = 1000;

fn data(number: u64) -> Segment {
    Segment { seq: 1 + number * 1000, len: MSS, flags: Flags::ACK, ..Segment::default() }
}

fn receiver(delayed_ack: Option<DelayedAck>) -> Receiver {
    Receiver::new(&TcpConfig { handshake: false, delayed_ack, ..TcpConfig::default() })
}

const EVERY_SECOND: DelayedAck =
    DelayedAck { timeout: Some(Span::millis(100)), ..DelayedAck::SECOND };

/// Feeds segment `number` at `ms`; the bytes delivered and the number of segments acknowledged, if any.
fn feed(r: &mut Receiver, ms: u64, number: u64) -> (u64, Option<u64>) {
    let mut out = vec![];
    let delivered = r.on_segment(Time(ms * 1_000_000), &data(number), &mut out);
    assert!(out.len() <= 1);
    (delivered, out.first().map(|ack| (ack.ack - 1) / 1000))
}

#[test]
fn without_delay_each_segment_is_acknowledged() {
    let mut r = receiver(None);
    assert_eq!(feed(&mut r, 0, 0), (1000, Some(1)));
    assert_eq!(feed(&mut r, 1, 1), (1000, Some(2)));
    assert_eq!(r.next_timeout(), Time::NEVER);
}

#[test]
fn every_second_segment_is_acknowledged_at_once() {
    let mut r = receiver(Some(EVERY_SECOND));
    assert_eq!(feed(&mut r, 0, 0), (1000, None));
    assert_eq!(feed(&mut r, 1, 1), (1000, Some(2)));
    assert_eq!(r.next_timeout(), Time::NEVER);
}

#[test]
fn a_lone_segment_is_acknowledged_after_the_delay() {
    let mut r = receiver(Some(DelayedAck { segments: 3, ..EVERY_SECOND }));
    feed(&mut r, 5, 0);
    feed(&mut r, 50, 1);
    assert_eq!(r.next_timeout(), Time(105_000_000));
    let mut out = vec![];
    r.on_timeout(Time(104_000_000), &mut out);
    assert!(out.is_empty());
    r.on_timeout(Time(105_000_000), &mut out);
    assert_eq!(out[0].ack, 2001);
    assert_eq!(r.next_timeout(), Time::NEVER);
}

#[test]
fn a_gap_and_its_filling_are_acknowledged_at_once() {
    let mut r = receiver(Some(EVERY_SECOND));
    feed(&mut r, 0, 0);
    feed(&mut r, 1, 1);
    assert_eq!(feed(&mut r, 2, 3), (0, Some(2)));
    assert_eq!(feed(&mut r, 3, 5), (0, Some(2)));
    // Segment 2 fills a part of the gap, segment 4 the rest.
    assert_eq!(feed(&mut r, 4, 2), (2000, Some(4)));
    assert_eq!(feed(&mut r, 5, 4), (2000, Some(6)));
    assert_eq!(feed(&mut r, 6, 6), (1000, None));
}

#[test]
fn a_duplicate_is_acknowledged_at_once_and_delivers_nothing() {
    let mut r = receiver(Some(EVERY_SECOND));
    feed(&mut r, 0, 0);
    assert_eq!(feed(&mut r, 1, 0), (0, Some(1)));
    assert_eq!(r.next_timeout(), Time::NEVER);
}

#[test]
fn overlapping_segments_deliver_each_byte_once() {
    let mut r = receiver(None);
    let mut out = vec![];
    let mut piece = |seq, len| {
        let segment = Segment { seq, len, flags: Flags::ACK, ..Segment::default() };
        r.on_segment(Time(0), &segment, &mut out)
    };
    assert_eq!(piece(501, 1000), 0);
    assert_eq!(piece(1001, 1000), 0);
    assert_eq!(piece(1, 700), 2000);
    assert_eq!(piece(1501, 1000), 500);
}

#[test]
fn data_outside_the_window_are_refused() {
    let config = TcpConfig { handshake: false, receive_window: 2000, ..TcpConfig::default() };
    let mut r = Receiver::new(&config);
    assert_eq!(feed(&mut r, 0, 2), (0, Some(0)));
    assert_eq!(feed(&mut r, 0, 0), (1000, Some(1)));
}

#[test]
fn each_syn_is_answered_and_an_old_one_plainly() {
    let mut r = Receiver::new(&TcpConfig::default());
    let syn = Segment { flags: Flags::SYN, ..Segment::default() };
    let mut out = vec![];
    assert_eq!(feed(&mut r, 0, 0), (0, None));
    r.on_segment(Time(0), &syn, &mut out);
    r.on_segment(Time(1), &syn, &mut out);
    r.on_segment(Time(2), &data(0), &mut out);
    r.on_segment(Time(3), &syn, &mut out);
    let both = Flags::SYN.with(Flags::ACK);
    let seen: Vec<_> = out.iter().map(|s| (s.flags, s.ack)).collect();
    assert_eq!(seen, [(both, 1), (both, 1), (Flags::ACK, 1001), (Flags::ACK, 1001)]);
}

/// FreeBSD's script reordering-5F4321: a FIN beyond the gap is no data; Linux counts its number.
#[test]
fn a_fin_beyond_a_gap_is_in_linuxs_blocks_only() {
    for (blocks_count_fin, end) in [(false, 32), (true, 33)] {
        let plain =
            TcpConfig { handshake: false, ..TcpConfig::standard(Recovery::Sack, LawName::Reno) };
        let sack = SackConfig { blocks_count_fin, ..plain.sack };
        let mut r = Receiver::new(&TcpConfig { sack, ..plain });
        let part = |seq, len| Segment { seq, len, flags: Flags::ACK, ..Segment::default() };
        let fin = Segment { flags: Flags::ACK.with(Flags::FIN), ..part(32, 0) };
        let mut out = vec![];
        for segment in [fin, part(16, 16), part(8, 8), part(1, 7)] {
            r.on_segment(Time(0), &segment, &mut out);
        }
        let seen: Vec<Vec<_>> = out.iter().map(|ack| ack.sack_blocks().collect()).collect();
        let alone = if blocks_count_fin { vec![(32, 33)] } else { vec![] };
        assert_eq!(seen, [alone, vec![(16, end)], vec![(8, end)], vec![]]);
        assert!(r.is_closed() && out[3].ack == 33);
    }
}
