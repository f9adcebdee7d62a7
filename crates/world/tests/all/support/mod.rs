//! Plans for tests: the topology and the flows, nothing else.

use apps::AppConfig;
use base::{Named, NodeId, Rate, Span, StationId, Time};
use net::{LossPlace, QueueLimit};
use radio::{ChannelConfig, StatePer};
use std::sync::Arc;
use transport::tcp::{Recovery, TcpConfig};
use wifi::phy::Airtime;
use wifi::qos::Category;
use wifi::{MacConfig, PhyConfig, StationConfig};
use world::{CellPlan, FlowPlan, LinkPlan, Plan, TransportPlan};

/// A plan of nodes with nothing between them.
pub fn plan(nodes: usize, seconds: u64) -> Plan {
    Plan {
        duration: Span::secs(seconds),
        warmup: Span::ZERO,
        nodes: (0..nodes).map(|i| format!("n{i}")).collect(),
        links: vec![],
        cells: vec![],
        flows: vec![],
        routing: world::RoutingPlan::default(),
        association: None,
        mobile_ip: None,
        proxies: vec![],
        radio_losses_filtered: false,
        wimax: vec![],
        lans: vec![],
    }
}

/// A link each way between two nodes.
pub fn duplex(plan: &mut Plan, (a, b): (u32, u32), rate: u64, delay: Span, queue: QueueLimit) {
    for (from, to) in [(a, b), (b, a)] {
        plan.links.push(LinkPlan {
            from: NodeId(from),
            to: NodeId(to),
            rate: Rate(rate),
            delay,
            queue: Arc::new(queue.into()),
            loss: 0.0,
            loss_place: LossPlace::Leaving,
            bursts: None,
            drop_lists: vec![],
            course: None,
            jitter: None,
        });
    }
}

/// TCP by ns-2.35's conventions, with Reno's law.
pub fn ns2(recovery: Recovery, mss: u32, window: u32) -> TcpConfig {
    let recovery = recovery.name();
    let table = format!(
        "recovery = \"{recovery}\"\nlaw = \"reno\"\nmss = \"{mss} B\"\nwindow = \"{window} packets\""
    );
    scenario::tcp_config("ns2.35", &table).expect("it is right")
}

/// A long TCP transfer.
pub fn bulk(plan: &mut Plan, (from, to): (u32, u32), config: TcpConfig) {
    tcp_flow(plan, (from, to), config, AppConfig::Bulk { bytes: None, on_times: None });
}

/// An application over TCP.
pub fn tcp_flow(plan: &mut Plan, ends: (u32, u32), config: TcpConfig, app: AppConfig) {
    flow(
        plan,
        ends,
        TransportPlan::Tcp { variant: "tcp".into(), config: config.into(), policy: None },
        app,
    );
}

/// A source that is always ready.
pub fn saturated(plan: &mut Plan, (from, to): (u32, u32), payload: u32) {
    let app = AppConfig::Saturated { payload };
    flow(plan, (from, to), TransportPlan::Udp { header_bytes: 0 }, app);
}

/// Datagrams of `payload` bytes, as many bits a second, without headers.
pub fn cbr(plan: &mut Plan, ends: (u32, u32), payload: u32, rate: u64) {
    let app = AppConfig::cbr(payload, Rate(rate));
    flow(plan, ends, TransportPlan::Udp { header_bytes: 0 }, app);
}

fn flow(plan: &mut Plan, (from, to): (u32, u32), transport: TransportPlan, app: AppConfig) {
    let name = format!("f{}", plan.flows.len());
    let (from, to) = (NodeId(from), NodeId(to));
    let (start, stop) = (Time::ZERO, Time::NEVER);
    let category = Category::BestEffort;
    plan.flows.push(FlowPlan {
        name,
        from,
        to,
        via: vec![],
        transport,
        app,
        start,
        stop,
        category,
        dscp: 0,
    });
}

/// A cell of `nodes` with the first as access point; DSSS timing, long preamble.
pub fn cell(plan: &mut Plan, nodes: std::ops::Range<u32>, rate: u64, channel: ChannelConfig) {
    let phy = PhyConfig {
        slot: Span::micros(20),
        sifs: Span::micros(10),
        plcp_bits: 192,
        data: Airtime::plain(Span::micros(192), Rate(rate)),
        control: Airtime::plain(Span::micros(192), Rate(2_000_000)),
        lowest: Airtime::plain(Span::micros(192), Rate(1_000_000)),
        cw_min: 31,
        cw_max: 1023,
        sense_time: Span::ZERO,
        rx_start_delay: Span::micros(192),
    };
    let config = StationConfig::fixed(phy, MacConfig::default(), QueueLimit::Packets(50));
    let count = nodes.len();
    plan.cells.push(CellPlan {
        name: "cell".into(),
        stations: nodes.map(NodeId).collect(),
        access_point: Some(StationId(0)),
        configs: vec![config; count],
        channel,
        state_per: StatePer::Station,
        fec: None,
        routing_header: 0,
        link_layer_delay: Span::ZERO,
        medium: None,
        qos: None,
    });
}

/// petrovic2003's channel.
pub fn gilbert_elliott() -> ChannelConfig {
    let means = [Span::millis(100), Span(33_300_000)];
    ChannelConfig::gilbert_elliott(means, [1e-6, 1e-2], [0.0; 2], radio::Sampling::EachBit)
}
