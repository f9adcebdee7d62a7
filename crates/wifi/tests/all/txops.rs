//! TXOPs end within their limits, by what a witness sees on the air, in the cell and on a medium alike.

use crate::aggregates_apart::{Log, scene, watch};
use crate::aggregates_equal::{Offer, cell_log, offers};
use crate::agreements::all_hear_all;
use crate::driver::{Input, play_to, seed};
use base::{PacketId, Span, StationId, Time};
use radio::{ChannelConfig, StatePer, Thresholds};
use wifi::qos::{Agreements, Category};
use wifi::{ErrorConfig, FrameKind, Medium, Reception, Sent, SentMpdu};

const TXOP: Span = Span::micros(500);
const SIFS: Span = Span::micros(16);

/// The frames of a sender with this share of frames lost, in the cell, and at places where all hear all.
fn both(frame_loss: f64, rts: u32) -> [Log; 2] {
    let (mut cell, mut config) = scene(&[(0.0, 0.0), (100.0, 0.0)], rts);
    let channel = ChannelConfig::Bernoulli { frame_loss };
    let errors = ErrorConfig { channel, state_per: StatePer::Receiver, fec: None };
    (cell.errors, config.errors) = (errors.clone(), errors);
    let access = config.members.iter_mut().filter_map(|member| member.access.as_mut());
    let of_members = access.flat_map(|access| access.categories.iter_mut().flatten());
    for own in cell.categories.iter_mut().flatten().flatten().chain(of_members) {
        own.txop = TXOP;
    }
    let offers = offers(&[(1, 0)], &[Category::BestEffort], 20_000);
    let until = Time::ZERO + Span::secs(2);
    [cell_log(&cell, &offers, until), watch(&config, &offers, until).2]
}

fn end(frame: &Sent) -> Time {
    frame.start + frame.airtime
}

/// Pairs of a frame and the next.
fn pairs(Log(frames): &Log) -> impl Iterator<Item = (&(Sent, Vec<SentMpdu>), &Sent)> {
    frames.iter().zip(frames.iter().skip(1).map(|(frame, _)| frame))
}

#[test]
fn a_cf_end_follows_an_answer_and_is_over_before_its_txop() {
    for log in both(0.3, u32::MAX) {
        let ends = pairs(&log).filter(|(_, next)| next.kind == FrameKind::End);
        let mut seen = 0;
        for ((last, _), frame) in ends {
            let answers = matches!(last.kind, FrameKind::Ack | FrameKind::BlockAck);
            assert!(answers, "{last:?} {frame:?}");
            assert_eq!(frame.start, end(last) + SIFS);
            assert!(end(frame) <= last.nav, "{last:?} {frame:?}");
            seen += 1;
        }
        assert!(seen > 20, "{seen}");
    }
}

#[test]
fn what_an_rts_protects_is_answered_before_its_txop_ends() {
    for log in both(0.0, 0) {
        let mut begun = Time::ZERO;
        let mut seen = 0;
        for (frame, mpdus) in &log.0 {
            if frame.kind == FrameKind::Rts {
                begun = frame.start;
            }
            seen += mpdus.len();
            let answers = frame.kind == FrameKind::BlockAck;
            assert!(!answers || end(frame) <= begun + TXOP, "{frame:?} {begun:?}");
        }
        assert!(seen > 5_000, "{seen}");
    }
}

/// The holder, its receiver, and two whom the holder does not decode: it senses one, 400 m away, which answers the other, 600 m
/// away, whatever the holder does.
const APART: [f64; 4] = [0.0, -100.0, 400.0, 600.0];
const TIMEOUT: Span = Span::micros(16 + 9 + 20);
const PIFS: Span = Span::micros(16 + 9);

/// A lost answer within a TXOP is followed by another frame only where the medium has been idle for a whole PIFS (802.11-2020,
/// 10.23.2.8), not at its last instant alone.
#[test]
fn a_recovery_begins_behind_an_idle_pifs() {
    let (_, mut config) = scene(&APART.map(|x| (x, 0.0)), u32::MAX);
    config.reception = Reception::Thresholds(Thresholds::WAVELAN);
    let channel = ChannelConfig::Bernoulli { frame_loss: 0.3 };
    config.errors = ErrorConfig { channel, state_per: StatePer::Receiver, fec: None };
    let access = config.members.iter_mut().filter_map(|member| member.access.as_mut());
    for own in access.flat_map(|access| access.categories.iter_mut().flatten()) {
        own.txop = Span::millis(4);
        own.ampdu = 0;
    }
    let offers = offers(&[(0, 1), (3, 2)], &[Category::BestEffort], 40_000);
    let Log(frames) = watch(&config, &offers, Time::ZERO + Span::secs(4)).2;
    let (mut seen, mut last) = (0, Time::ZERO);
    for (i, (frame, _)) in frames.iter().enumerate().filter(|(_, (frame, _))| frame.from.0 == 0) {
        if frame.start == last + TIMEOUT + PIFS {
            seen += 1;
            let since = Time(frame.start.0 - PIFS.0);
            let heard = |of: &&(Sent, Vec<SentMpdu>)| of.0.from.0 == 2 && end(&of.0) > since;
            let before = &frames[i.saturating_sub(20)..i];
            assert!(!before.iter().any(|of| heard(&of)), "{frame:?} {before:?}");
        }
        last = end(frame);
    }
    assert!(seen > 100, "{seen}");
}

/// An ADDBA Request: 76 us at 6 Mbit/s, a SIFS, and its ACK of 44 us.
const ASKING: Span = Span::micros(76 + 16 + 44);

/// The frames of an access point with short aggregates for station 1, and with a packet for station 2 at `at`: in the cell, and
/// where all hear all.
fn asks_another(at: Time) -> [Log; 2] {
    let (mut cell, _) = scene(&[(0.0, 0.0); 3], u32::MAX);
    cell.qos.settings.agreements = Agreements::Frames;
    for own in cell.categories.iter_mut().flatten().flatten() {
        (own.txop, own.ampdu) = (Span::micros(1420), 3000);
    }
    let (from, bytes, until) = (StationId(0), 500, Time::ZERO + Span::millis(40));
    let mut packets = vec![(Time::ZERO, StationId(1)); 2000];
    packets.push((at, StationId(2)));
    let input = |(id, &(at, to)): (u32, &(Time, StationId))| {
        (at, Input::Packet { from, to, id: PacketId(id), bytes })
    };
    let inputs: Vec<_> = (0..).zip(&packets).map(input).collect();
    let (mut medium, mut log) = (Medium::new(&all_hear_all(&cell), seed(1)), Log::default());
    play_to(&mut medium, until, &inputs, |_, _, _| (), &mut log);
    let category = Category::BestEffort;
    let offer = |&(at, to): &(Time, StationId)| Offer { at, way: (from, to), category, bytes };
    [cell_log(&cell, &packets.iter().map(offer).collect::<Vec<_>>(), until), log]
}

/// A packet that comes in the SIFS before an exchange of a TXOP makes its holder ask for an agreement first. That takes longer than
/// the data for which there was time.
#[test]
fn a_frame_that_comes_before_the_next_of_a_txop_waits_where_it_does_not_fit() {
    let [after, same] = asks_another(Time::ZERO + Span::millis(39));
    let differ = |of: [&Log; 2]| {
        let [cell, medium] = of.map(|Log(frames)| frames.iter().map(|own| own.0.start));
        cell.zip(medium).find(|(one, other)| one != other)
    };
    assert_eq!(differ([&after, &same]), None);
    let is_late = |(last, next): &(&(Sent, Vec<SentMpdu>), &Sent)| {
        let goes_on = last.0.kind == FrameKind::BlockAck && next.start == end(&last.0) + SIFS;
        goes_on && next.kind == FrameKind::Data && next.start + ASKING > last.0.nav
    };
    let ends: Vec<Time> = pairs(&after).filter(is_late).map(|(last, _)| end(&last.0)).collect();
    assert!(ends.len() > 5, "{ends:?}");
    for at in ends.into_iter().take(20) {
        let both = asks_another(at + Span::micros(5));
        assert_eq!(differ([&both[0], &both[1]]), None);
        for log in both {
            let is_it =
                |(_, next): &(_, &Sent)| next.to == StationId(2) && next.management.is_some();
            let (last, request) = pairs(&log).find(is_it).expect("a request");
            let behind = request.start.since(end(&last.0));
            assert!(behind > SIFS || request.start + ASKING <= last.0.nav, "{last:?} {request:?}");
        }
    }
}
