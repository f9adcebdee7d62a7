//! How a lane carries an object: the request, the response, and the connection's end.

use super::{Fetch, MOST_LANES, SINK, SOURCE, Work};
use crate::flow::Endpoints;
use crate::lanes::Lane;
use crate::note::Note;
use crate::world::World;
use apps::{Object, Style};
use base::{FlowId, Time};
use engine::Probe;

impl World {
    /// True where a flow's next object need not wait for another to come.
    pub(crate) fn has_room(&mut self, flow: FlowId) -> bool {
        let own = self.lanes.len();
        self.lanes_of(flow).is_some_and(|lanes| {
            let spare = !lanes.free.is_empty() || !lanes.idle.is_empty() || own < MOST_LANES;
            lanes.busy < lanes.most && spare
        })
    }

    /// Sends for an object.
    pub(crate) fn fetch<P: Probe<Note>>(
        &mut self,
        now: Time,
        flow: FlowId,
        object: Object,
        probe: &mut P,
    ) {
        let Some(lanes) = self.lanes_of(flow) else { return };
        let style = lanes.style;
        lanes.busy += 1;
        let (lane, fresh) = match lanes.idle.pop() {
            Some(lane) => (lane as usize, false),
            None => (self.renew_lane(flow), true),
        };
        let (request, response) = (object.request, object.response);
        self.lanes[lane].work = Work::Fetching(Fetch {
            object,
            request_left: if style == Style::Push { 0 } else { request },
            response_left: response,
            answered: style == Style::Push,
        });
        let (end, bytes) = if style == Style::Push { (SOURCE, response) } else { (SINK, request) };
        if fresh {
            self.connect(now, (lane, end), probe);
        }
        self.write(now, (lane, end), bytes, probe);
        if style == Style::Push {
            self.finish(now, (lane, end), probe);
        }
    }

    /// An end has got `fresh` bytes, or an acknowledgement.
    pub(super) fn after_segment<P: Probe<Note>>(
        &mut self,
        now: Time,
        (number, end): (usize, usize),
        fresh: u64,
        probe: &mut P,
    ) {
        if !self.memories.is_empty() {
            self.listen_to_lane(now, (number, end));
        }
        let Lane { flow, ref mut work, .. } = self.lanes[number];
        if let Work::Fetching(fetch) = work {
            if end == SOURCE {
                fetch.request_left -= fresh;
                if fetch.request_left == 0 && !fetch.answered {
                    self.respond(now, number, probe);
                }
            } else {
                fetch.response_left -= fresh;
                let over = fetch.response_left == 0;
                self.flows[flow.index()].score.goodput_bytes += fresh;
                probe.record(now, || Note::Fresh { flow, bytes: fresh });
                if over {
                    self.complete(now, number, probe);
                } else if fresh == 0 {
                    self.respond_apart(now, number, probe);
                }
            }
        }
        self.close_lane(now, (number, end), probe);
    }

    /// The request is there: the source responds, where the connection is the one for that.
    fn respond<P: Probe<Note>>(&mut self, now: Time, number: usize, probe: &mut P) {
        let lane = &mut self.lanes[number];
        let (flow, Work::Fetching(fetch)) = (lane.flow, &mut lane.work) else { return };
        let response = fetch.object.response;
        let style = self.flows[flow.index()].endpoints.style();
        match style {
            Some(Style::Persistent | Style::PerObject) => fetch.answered = true,
            Some(Style::Apart | Style::Push) | None => return,
        }
        self.write(now, (number, SOURCE), response, probe);
        if style == Some(Style::PerObject) {
            self.finish(now, (number, SOURCE), probe);
        }
    }

    /// The request is acknowledged, where the response has a connection of its own: now it is opened.
    fn respond_apart<P: Probe<Note>>(&mut self, now: Time, number: usize, probe: &mut P) {
        let lane = &mut self.lanes[number];
        let Work::Fetching(fetch) = &mut lane.work else { return };
        if fetch.answered || !lane.ends[SINK].sender.finished() {
            return;
        }
        let response = fetch.object.response;
        let Endpoints::Lanes(lanes) = &mut self.flows[lane.flow.index()].endpoints else { return };
        if lanes.style == Style::Apart {
            fetch.answered = true;
            lane.begin_epoch(lanes);
            self.connect(now, (number, SOURCE), probe);
            self.write(now, (number, SOURCE), response, probe);
        }
    }

    /// The last byte of a response is there.
    fn complete<P: Probe<Note>>(&mut self, now: Time, number: usize, probe: &mut P) {
        let lane = &mut self.lanes[number];
        let (flow, Work::Fetching(fetch)) = (lane.flow, lane.work) else { return };
        lane.work = Work::Draining;
        let Some(lanes) = self.lanes_of(flow) else { return };
        lanes.busy -= 1;
        if lanes.style == Style::Persistent {
            lanes.idle.push(number as u32);
            self.lanes[number].work = Work::Idle;
        }
        self.on_object(now, flow, &fetch.object, probe);
    }

    /// An end that has heard the other's FIN closes too; when all is said and heard the lane is free.
    fn close_lane<P: Probe<Note>>(
        &mut self,
        now: Time,
        (number, end): (usize, usize),
        probe: &mut P,
    ) {
        let lane = &self.lanes[number];
        if !matches!(lane.work, Work::Draining) {
            return;
        }
        if lane.ends[end].receiver.is_closed() && !lane.closing[end] {
            self.finish(now, (number, end), probe);
        }
        let lane = &mut self.lanes[number];
        let Endpoints::Lanes(lanes) = &mut self.flows[lane.flow.index()].endpoints else { return };
        if lane.is_silent(lanes.style) {
            lane.work = Work::Free;
            lanes.free.push(number as u32);
        }
    }

    fn connect<P: Probe<Note>>(&mut self, now: Time, (lane, end): (usize, usize), probe: &mut P) {
        let flow = self.lanes[lane].flow;
        let handshake = self.lanes_of(flow).is_none_or(|lanes| lanes.handshake);
        self.recall_for_lane(now, lane);
        self.act(now, (lane, end), probe, |end, out| end.connect(now, out));
        if !handshake {
            self.act(now, (lane, 1 - end), probe, |end, out| end.connect(now, out));
        }
    }

    fn write<P: Probe<Note>>(&mut self, now: Time, at: (usize, usize), bytes: u64, probe: &mut P) {
        self.recall_for_lane(now, at.0);
        self.act(now, at, probe, |end, out| end.write(now, bytes, out));
    }

    fn finish<P: Probe<Note>>(&mut self, now: Time, (lane, end): (usize, usize), probe: &mut P) {
        self.lanes[lane].closing[end] = true;
        self.act(now, (lane, end), probe, |end, out| end.finish(now, out));
    }
}
