//! Hosts tell connections of their paths, and hear of them.

use super::fetch::Place;
use super::table::Flows;
use crate::end::End;
use crate::plan::FlowPlan;
use base::{FlowId, Span, Time};
use transport::tcp::auto::{Measured, PathMemory};

impl Flows {
    /// Returns the memory of the path at the host of a flow's end; `None` where that end picks nothing.
    fn memory_of(&mut self, now: Time, flow: FlowId, end: End) -> Option<PathMemory> {
        let of @ (pair, _) = self.memories.of_end(flow, end)?;
        let lasting: Vec<FlowId> = self.memories.lasting(pair).collect();
        for other in lasting {
            let tcp = self.table[other.index()].tcp_mut();
            let connection = tcp.and_then(|tcp| tcp.lasting_connection_mut());
            if let Some(news) = connection.and_then(|own| own.sender(End::Source).report(now)) {
                self.memories.remember(now, of, &news);
            }
        }
        self.memories.get(pair).copied()
    }

    /// Returns the present memory of the path at the host of a flow's source; nothing changes by it.
    pub fn known_of(&self, now: Time, plan: &FlowPlan, forget_after: Span) -> Measured {
        let pair = (plan.from, plan.to);
        let mut memory = self.memories.recalled(pair);
        for other in self.memories.lasting(pair) {
            let connection =
                self.table[other.index()].tcp().and_then(|tcp| tcp.lasting_connection());
            let sender = connection.map(|own| &own.endpoint(End::Source).sender);
            if let Some(news) = sender.and_then(|sender| sender.clone().report(now)) {
                memory.merge(now, &news, forget_after);
            }
        }
        memory.measured(now, (None, None), forget_after)
    }

    /// Tells the sender of a connection that stays, and begins, of its path.
    pub fn recall_lasting(&mut self, now: Time, flow: FlowId) {
        if let Some(memory) = self.memory_of(now, flow, End::Source)
            && let Some(connection) = self.lasting(flow)
        {
            connection.sender(End::Source).recall(&memory);
        }
    }

    /// Tells the ends of a connection, which begins or has something to send, of their paths.
    pub fn recall(&mut self, now: Time, at: Place) {
        if self.memories.is_empty() {
            return;
        }
        for end in [End::Source, End::Sink] {
            self.listen(now, at, end);
            if let Some(memory) = self.memory_of(now, at.flow, end)
                && let Some(tcp) = self.table[at.flow.index()].tcp_mut()
            {
                tcp.connection(at.connection).sender(end).recall(&memory);
            }
        }
    }

    /// Hears what an end of a connection has measured and picked.
    pub fn listen(&mut self, now: Time, at: Place, end: End) {
        let flow = &mut self.table[at.flow.index()];
        let Some(tcp) = flow.endpoints.tcp_mut() else { return };
        let sender = tcp.connection(at.connection).sender(end);
        if !sender.chooses() {
            return;
        }
        let (news, choices) = (sender.take_news(), sender.take_choices());
        if end == End::Source {
            let log = flow.choices.get_or_insert_default();
            choices.into_iter().for_each(|choice| log.push(choice));
        }
        if let (Some(news), Some(of)) = (news, self.memories.of_end(at.flow, end)) {
            self.memories.remember(now, of, &news);
        }
    }
}
