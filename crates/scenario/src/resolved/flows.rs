//! Flows and proxies: applications by their kind, transports by their variant.

use super::node::{Node, Table};
use super::parts::{hash_of, settle};
use super::tcp::connection;
use crate::check::{Context, over_tcp, transport_of};
use crate::settings::Set;
use crate::spec::{
    AppSpec, BulkTable, FlowSpec, ProxySpec, ScenarioSpec, TcpSpec, TransportName, UdpSpec,
};
use apps::{AppConfig, Style};
use base::Named;
use wifi::qos::Category;
use world::Plan;

/// Completes all flows and proxies.
pub fn fill(root: &mut Table, spec: &ScenarioSpec, plan: &Plan, context: &Context<'_>) {
    for (i, (table, flow)) in root.tables("flow").iter_mut().zip(&spec.flow).enumerate() {
        table.complete("name", format!("flow{}", i + 1));
        let default = AppSpec::default();
        let app = flow.app.as_ref().map_or(&default, |at| &at.value);
        let transport = transport_of(app.kind());
        table.complete("transport", transport.name());
        category(table, flow, plan);
        let of_app = table.made("app", [vec!["kind"], BulkTable::keys()].concat());
        of_app.complete("kind", app.kind().name());
        application(of_app, app, context);
        table.remove(if transport == TransportName::Tcp { "udp" } else { "tcp" });
        if transport == TransportName::Tcp {
            connection(
                table.made("tcp", TcpSpec::keys()),
                flow.tcp.as_ref().map(|at| &at.value),
                context,
            );
        } else {
            let own = flow.udp.as_ref().map_or_else(Set::default, |udp| udp.settings.clone());
            settle(table.made("udp", UdpSpec::keys()), &own, context);
        }
    }
    for (table, proxy) in root.tables("proxy").iter_mut().zip(&spec.proxy) {
        if let ProxySpec::Split(split) = &proxy.value {
            connection(
                table.made("tcp", TcpSpec::keys()),
                split.tcp.as_ref().map(|at| &at.value),
                context,
            );
        }
    }
}

/// Completes the access category, which counts only where cells have some. The codepoint stays for queues that read it.
fn category(table: &mut Table, flow: &FlowSpec, plan: &Plan) {
    if flow.dscp().value.0 == 0 || !plan.reads_headers() {
        table.remove("dscp");
    }
    if plan.cells.iter().all(|cell| cell.qos.is_none()) {
        return table.remove("access_category");
    }
    table.complete("access_category", Category::of_dscp(flow.dscp().value.0).name());
}

/// Completes an application, and removes keys that others leave without effect.
fn application(table: &mut Table, app: &AppSpec, context: &Context<'_>) {
    match app {
        AppSpec::Bulk(bulk) => {
            if let Some(at) = &bulk.on_times {
                let table = table.table("on_times");
                settle(table, &at.settings, context);
                shape(table);
                if table.has("pauses", 0) {
                    table.remove("pause");
                }
            }
        }
        AppSpec::OnOff(on_off) => {
            settle(table, &on_off.settings, context);
            shape(table);
        }
        AppSpec::Voice(voice) => {
            settle(table, &voice.settings, context);
            shape(table);
            if table.gives("interval") {
                table.remove("payload");
            }
        }
        AppSpec::Video(video) => match &video.file {
            Some(file) => table.note("file", hash_of(context.files, file)),
            None => ["loop", "offset"].iter().for_each(|key| table.remove(key)),
        },
        AppSpec::Web(_) | AppSpec::RequestResponse(_) => connections(table, app, context),
        AppSpec::Cbr(_)
        | AppSpec::Saturated(_)
        | AppSpec::Periodic(_)
        | AppSpec::Game(_)
        | AppSpec::ShortFlows(_) => {}
    }
}

/// Removes the shape, which only a Pareto distribution has.
fn shape(table: &mut Table) {
    if !table.has("times", "pareto") {
        table.remove("shape");
    }
}

/// Completes the style of connections in both of its keys, and the number of requests at once.
fn connections(table: &mut Table, app: &AppSpec, context: &Context<'_>) {
    // The style is the same for segments of any size.
    if let Ok(AppConfig::Web(config)) = over_tcp(app, 1, context) {
        table.say("persistent", config.style == Style::Persistent);
        table.say("request_apart", config.style == Style::Apart);
    }
    if let (AppSpec::RequestResponse(_), Some(Node::Value(connections))) =
        (app, table.get("connections").cloned())
    {
        table.complete("requests", connections);
    }
}
