//! TXOPs end within their limits, by what a witness sees on the air, in the cell and on a medium alike.

use crate::aggregates_apart::{Log, scene, watch};
use crate::aggregates_equal::{cell_log, offers};
use base::{Span, Time};
use radio::{ChannelConfig, StatePer};
use wifi::qos::Category;
use wifi::{ErrorConfig, FrameKind, Sent, SentMpdu};

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
