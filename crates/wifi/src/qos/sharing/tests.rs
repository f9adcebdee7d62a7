//! The round of receivers by itself: deficits stay within their bounds, whatever is charged.

use super::*;
use base::{Purpose, Rate, Rng, Seed};
use net::{Discipline, Owner, QueueConfig, QueueLimit};

const SEED: Seed = Seed { seed: 3, replication: 0 };
const BEST: Category = Category::BestEffort;

fn sharing(weights: &[u32]) -> Sharing {
    let queue = QueueConfig { discipline: Discipline::Mac80211, ..QueueLimit::Packets(100).into() };
    let owner = Owner { seed: SEED, purpose: Purpose::StationQueue, number: 0 };
    let tins = Tins::new(&queue, Rate(10_000_000), owner);
    let (paces, of) = (vec![[Pace::default(); 4]], vec![0; weights.len()]);
    let prospects = Prospects { weights: weights.into(), paces, of };
    let mut sharing = Sharing::new(SharingSettings::default(), tins, prospects);
    (0..weights.len() as u32).for_each(|to| sharing.list((BEST, StationId(to))));
    sharing
}

fn draw(rng: &mut Rng, weights: usize) -> StationId {
    StationId(rng.below(weights as u32))
}

/// Whatever is charged to whom, also to those whose turn it is not, and whoever can send: no deficit is a whole turn's, and who
/// sends has none to pay back.
#[test]
fn no_receiver_saves_up_more_than_a_turn() {
    let mut rng = SEED.stream(Purpose::App, 0);
    let weights = [1, 64, 256, 256, 8192];
    let mut sharing = sharing(&weights);
    for _ in 0..50_000 {
        let able = rng.below(32);
        if let Some(to) = sharing.next(BEST, |to| able & (1 << to.0) != 0, |_| false) {
            assert!(able & (1 << to.0) != 0 && sharing.share((BEST, to)).deficit >= 0);
            sharing.charge((BEST, to), Span::micros(u64::from(rng.below(6000))));
        }
        let sender = draw(&mut rng, weights.len());
        sharing.charge((BEST, sender), Span::micros(u64::from(rng.below(300))));
        for Share { deficit, quantum, .. } in sharing.shares.iter().map(|own| own[BEST as usize]) {
            assert!(deficit < quantum, "{deficit} of {quantum}");
        }
    }
}

/// The bound of deficit round robin (Shreedhar and Varghese 1995): of receivers that always can send, none is ahead of
/// another by more than a turn of each and the longest frame, each by weight.
#[test]
fn airtime_by_weight_differs_by_less_than_a_turn_and_a_frame() {
    const LONGEST: u64 = 5_000_000;
    let mut rng = SEED.stream(Purpose::App, 1);
    let weights = [64, 256, 256, 512];
    let mut sharing = sharing(&weights);
    let mut used = [0_u64; 4];
    for _ in 0..50_000 {
        let to = sharing.next(BEST, |_| true, |_| false).expect("all can send");
        let took = Span(u64::from(rng.below(LONGEST as u32)));
        used[to.index()] += took.0;
        sharing.charge((BEST, to), took);
        let turns = used.iter().zip(weights).map(|(used, weight)| *used as f64 / f64::from(weight));
        let (least, most) = turns.fold((f64::MAX, 0.0), |(least, most), turn| {
            (f64::min(least, turn), f64::max(most, turn))
        });
        // A turn is 1 us for each unit of weight.
        let bound = 2.0 * 1e3 + LONGEST as f64 / 64.0;
        assert!(most - least <= bound, "{most} - {least}, allowed {bound}");
    }
}
