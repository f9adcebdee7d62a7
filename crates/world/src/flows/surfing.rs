//! Flows of requests and responses at work: when the next object is asked for.

use super::flow::Application;
use super::table::Flows;
use super::web::Web;
use crate::cx::{Cx, Noting};
use apps::Object;
use base::FlowId;

impl Flows {
    fn web(&mut self, flow: FlowId) -> Option<&mut Web> {
        match &mut self.table[flow.index()].application {
            Application::Web(web) => Some(web),
            _ => None,
        }
    }

    pub(super) fn begin_web(&mut self, cx: &mut Cx<impl Noting>, flow: FlowId) {
        if let Some(web) = self.web(flow) {
            web.surfer.begin(cx.now);
            self.serve(cx, flow);
        }
    }

    /// The application's tick has come.
    pub(super) fn on_web_tick(&mut self, cx: &mut Cx<impl Noting>, flow: FlowId) {
        if self.web(flow).is_some_and(|web| web.is_due(cx, flow)) {
            self.serve(cx, flow);
        }
    }

    /// An object is there.
    pub(super) fn on_object(&mut self, cx: &mut Cx<impl Noting>, flow: FlowId, object: &Object) {
        if let Some(web) = self.web(flow) {
            web.on_object(cx.now, object);
            self.serve(cx, flow);
        }
    }

    /// Sends for objects as long as there is a connection for them, and brings the tick in line.
    fn serve(&mut self, cx: &mut Cx<impl Noting>, flow: FlowId) {
        while self.has_room(flow) {
            let Some(object) = self.web(flow).and_then(|web| web.surfer.take()) else { break };
            self.fetch(cx, flow, object);
        }
        if let Some(web) = self.web(flow) {
            web.arm(cx, flow);
        }
    }
}
