//! The transport of an object over a connection: the request, the response, and the connection's end.

use super::table::Flows;
use super::tcp::TcpFlow;
use super::work::{Fetch, Work};
use crate::cx::{Cx, Noting};
use crate::end::End;
use apps::{Object, Style};
use base::FlowId;
use net::Segment;
use transport::tcp::Endpoint;

/// One of a flow's connections.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub flow: FlowId,
    pub connection: u32,
}

impl Flows {
    /// True where a flow's next object need not wait for another to come.
    pub fn has_room(&mut self, flow: FlowId) -> bool {
        let tcp = self.table[flow.index()].tcp();
        tcp.is_some_and(|tcp| tcp.has_room(&self.register))
    }

    /// Sends for an object.
    pub fn fetch(&mut self, cx: &mut Cx<impl Noting>, flow: FlowId, object: Object) {
        let Some(tcp) = self.table[flow.index()].tcp_mut() else { return };
        let Some(style) = tcp.style() else { return };
        let Some((connection, is_new)) = tcp.take(&mut self.register) else { return };
        let is_pushed = style == Style::Push;
        tcp.connection(connection).work = Work::Fetching(Fetch {
            object,
            request_left: if is_pushed { 0 } else { object.request },
            response_left: object.response,
            is_answered: is_pushed,
        });
        let at = Place { flow, connection };
        let (end, bytes) =
            if is_pushed { (End::Source, object.response) } else { (End::Sink, object.request) };
        if is_new {
            self.connect(cx, at, end);
        }
        self.write(cx, at, end, bytes);
        if is_pushed {
            self.finish(cx, at, end);
        }
    }

    /// An end has got `fresh` bytes, or an acknowledgement.
    pub fn after_segment(&mut self, cx: &mut Cx<impl Noting>, at: Place, end: End, fresh: u64) {
        let Some(tcp) = self.table[at.flow.index()].tcp_mut() else { return };
        if let Work::Leg(leg) = tcp.connection(at.connection).work {
            return self.after_leg(cx, leg, end, fresh);
        }
        if !self.memories.is_empty() {
            self.listen(cx.now, at, end);
        }
        let Some(tcp) = self.table[at.flow.index()].tcp_mut() else { return };
        if let Work::Fetching(fetch) = &mut tcp.connection(at.connection).work {
            match end {
                End::Source => {
                    fetch.request_left -= fresh;
                    if fetch.request_left == 0 && !fetch.is_answered {
                        self.respond(cx, at);
                    }
                }
                End::Sink => {
                    fetch.response_left -= fresh;
                    let is_over = fetch.response_left == 0;
                    self.table[at.flow.index()].score.count_fresh(cx, at.flow, fresh);
                    if is_over {
                        self.complete(cx, at);
                    } else if fresh == 0 {
                        self.respond_apart(cx, at);
                    }
                }
            }
        }
        self.close(cx, at, end);
    }

    /// The request is there: the source responds, where the connection is the one for that.
    fn respond(&mut self, cx: &mut Cx<impl Noting>, at: Place) {
        let Some(tcp) = self.table[at.flow.index()].tcp_mut() else { return };
        let style = tcp.style();
        let Work::Fetching(fetch) = &mut tcp.connection(at.connection).work else { return };
        let response = fetch.object.response;
        match style {
            Some(Style::Persistent | Style::PerObject) => fetch.is_answered = true,
            Some(Style::Apart | Style::Push) | None => return,
        }
        self.write(cx, at, End::Source, response);
        if style == Some(Style::PerObject) {
            self.finish(cx, at, End::Source);
        }
    }

    /// The request is acknowledged, where the response has a connection of its own: now it is opened.
    fn respond_apart(&mut self, cx: &mut Cx<impl Noting>, at: Place) {
        let Some(tcp) = self.table[at.flow.index()].tcp_mut() else { return };
        if tcp.style() != Some(Style::Apart) {
            return;
        }
        let connection = tcp.connection(at.connection);
        let is_heard = connection.endpoint(End::Sink).sender.finished();
        let Work::Fetching(fetch) = &mut connection.work else { return };
        if fetch.is_answered || !is_heard {
            return;
        }
        fetch.is_answered = true;
        let response = fetch.object.response;
        tcp.renew(at.connection);
        self.connect(cx, at, End::Source);
        self.write(cx, at, End::Source, response);
    }

    /// The last byte of a response is there.
    fn complete(&mut self, cx: &mut Cx<impl Noting>, at: Place) {
        let Some(tcp) = self.table[at.flow.index()].tcp_mut() else { return };
        let Work::Fetching(fetch) = tcp.connection(at.connection).work else { return };
        tcp.complete(at.connection);
        self.on_object(cx, at.flow, &fetch.object);
    }

    /// An end that has heard the other's FIN closes too; when all is said and heard the connection is free.
    fn close(&mut self, cx: &mut Cx<impl Noting>, at: Place, end: End) {
        let Some(tcp) = self.table[at.flow.index()].tcp_mut() else { return };
        let connection = tcp.connection(at.connection);
        if !matches!(connection.work, Work::Draining) {
            return;
        }
        if connection.endpoint(end).receiver.is_closed() {
            self.finish(cx, at, end);
        }
        if let Some(tcp) = self.table[at.flow.index()].tcp_mut() {
            tcp.free_if_silent(at.connection);
        }
    }

    fn connect(&mut self, cx: &mut Cx<impl Noting>, at: Place, end: End) {
        let now = cx.now;
        self.recall(now, at);
        self.act(cx, at, end, |tcp, out| tcp.connect(now, out));
        if !self.table[at.flow.index()].tcp().is_none_or(TcpFlow::has_handshake) {
            self.act(cx, at, end.other(), |tcp, out| tcp.connect(now, out));
        }
    }

    fn write(&mut self, cx: &mut Cx<impl Noting>, at: Place, end: End, bytes: u64) {
        let now = cx.now;
        self.recall(now, at);
        self.act(cx, at, end, |tcp, out| tcp.write(now, bytes, out));
    }

    /// An end writes no more.
    fn finish(&mut self, cx: &mut Cx<impl Noting>, at: Place, end: End) {
        let now = cx.now;
        let Some(tcp) = self.table[at.flow.index()].tcp_mut() else { return };
        if tcp.connection(at.connection).begin_closing(end) {
            self.act(cx, at, end, |tcp, out| tcp.finish(now, out));
        }
    }

    pub(super) fn act(
        &mut self,
        cx: &mut Cx<impl Noting>,
        at: Place,
        end: End,
        act: impl FnOnce(&mut Endpoint, &mut Vec<Segment>),
    ) {
        if let Some(tcp) = self.table[at.flow.index()].tcp_mut() {
            tcp.connection(at.connection).act(cx, end, &mut self.outbox, act);
        }
    }
}
