//! The scoreboard's running sums against sums over all its records, under any order of calls.

use super::rate::PacketState;
use super::record::NewlyDelivered;
use super::scoreboard::Scoreboard;
use base::Time;
use proptest::prelude::*;

const MSS: u64 = 100;

#[derive(Clone, Copy, Debug)]
enum Call {
    Push(u64),
    Sack(u64, u64),
    Acknowledge(u64),
    Resend,
    ResendSpare,
    Lose(u64),
    Judge,
    LoseAll,
    Forgive,
    Forget,
}

fn calls() -> impl Strategy<Value = Vec<Call>> {
    let call = prop_oneof![
        8 => (1..=MSS).prop_map(Call::Push),
        6 => (0..40 * MSS, 1..4 * MSS).prop_map(|(from, len)| Call::Sack(from, len)),
        3 => (0..6 * MSS).prop_map(Call::Acknowledge),
        4 => Just(Call::Resend),
        1 => Just(Call::ResendSpare),
        2 => (0..40_u64).prop_map(Call::Lose),
        3 => Just(Call::Judge),
        1 => Just(Call::LoseAll),
        1 => Just(Call::Forgive),
        1 => Just(Call::Forget),
    ];
    proptest::collection::vec(call, 1..120)
}

/// A board with the sequence numbers around it.
struct Player {
    board: Scoreboard,
    una: u64,
    max: u64,
    delivered: u64,
    now: Time,
}

impl Player {
    fn call(&mut self, call: Call) {
        self.now = Time(self.now.0 + 1);
        let mut newly = NewlyDelivered::new(self.now, self.board.highest(), None);
        match call {
            Call::Push(len) => {
                self.board.push(self.now, self.max, self.max + len, PacketState::default());
                self.max += len;
            }
            Call::Sack(from, len) => {
                let (start, end) = (self.una + from, (self.una + from + len).min(self.max));
                if start > self.una && start < end {
                    self.board.sack(start, end, &mut newly);
                }
            }
            Call::Acknowledge(bytes) => {
                self.una = (self.una + bytes).min(self.max);
                self.board.acknowledge(self.una, &mut newly);
            }
            Call::Resend => {
                if let Some(number) = self.board.next_lost() {
                    self.board.resend(self.now, number, PacketState::default());
                }
            }
            Call::ResendSpare => {
                if let Some(number) = self.board.next_spare() {
                    self.board.resend(self.now, number, PacketState::default());
                }
            }
            Call::Lose(i) => {
                if let Some(first) = self.board.first().filter(|f| self.board.get(f + i).is_some())
                {
                    self.board.lose(first + i);
                }
            }
            Call::Judge => self.board.judge(MSS, 3),
            Call::LoseAll => self.board.lose_all(),
            Call::Forgive => self.board.forgive(),
            Call::Forget => {
                let before = self.board.sacked_bytes();
                self.board.forget_sacks();
                self.delivered -= before;
            }
        }
        self.delivered += newly.delivered;
    }

    fn check(&mut self) {
        let first = self.board.first().unwrap_or(0);
        let records: Vec<_> = (first..).map_while(|n| self.board.get(n).copied()).collect();
        let sum = |f: &dyn Fn(&super::record::Record) -> u64| records.iter().map(f).sum::<u64>();
        assert_eq!(self.board.pipe(), sum(&|r| r.weight()), "pipe");
        assert_eq!(self.board.sacked_bytes(), sum(&|r| if r.sacked { r.len() } else { 0 }));
        let waits = |r: &super::record::Record| r.lost && !r.resent && !r.sacked;
        assert_eq!(self.board.waiting_bytes(), sum(&|r| if waits(r) { r.len() } else { 0 }));
        let lost = records.iter().position(waits).map(|i| first + i as u64);
        assert_eq!(self.board.next_lost(), lost, "the oldest that waits to be sent again");
        // What is linked is what is in the network, each once, the last sent last.
        let mut linked = vec![];
        let mut next = self.board.oldest_sent();
        while let Some(number) = next {
            linked.push(self.board.get(number).map(|r| r.sent));
            next = self.board.sent_after(number);
        }
        assert!(linked.is_sorted());
        assert_eq!(linked.len(), records.iter().filter(|r| r.weight() > 0).count());
        assert_eq!(self.delivered, self.una + self.board.sacked_bytes(), "delivered once");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn the_sums_are_the_sums_of_the_records(calls in calls()) {
        let board = Scoreboard::new();
        let mut player = Player { board, una: 0, max: 0, delivered: 0, now: Time(0) };
        for call in calls {
            player.call(call);
            player.check();
        }
    }
}
