//! The interfaces of a network: names, addresses, channels, ports.

use crate::band::{Band, Tuned};
use crate::dot11::{BROADCAST, Distribution, Mac};
use crate::flow_form::{DYNAMIC_PORTS, FlowForm, HOW_MANY};
use crate::pcapng::LinkType;
use crate::radiotap::{HALF, QUARTER};
use crate::tcp::{TcpForm, window_shift};
use base::{NodeId, Span};
use transport::tcp::TcpConfig;
use wifi::phy::Payload;
use wifi::{Channel, PhyConfig, Sent};
use world::{CellPlan, FlowPlan, MobileIpPlan, Plan, TransportPlan};

/// A place where packets are seen, and the file that they go to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Such as "server-eth0", "sta1-wlan0" or "air-cell".
    pub name: String,
    /// A description in words.
    pub description: String,
    /// The header that its packets begin with.
    pub link_type: LinkType,
    /// Bits per second, where it has one rate.
    pub speed: Option<u64>,
}

/// A station's radio.
#[derive(Clone, Copy, Debug)]
pub struct Radio {
    /// Its place in [`Layout::ports`].
    pub port: usize,
    /// Its address.
    pub mac: Mac,
    /// Its cell's.
    pub bssid: Mac,
    /// The direction of its data frames.
    pub distribution: Distribution,
}

/// Stations that can hear each other, now or on another channel: an element of the air.
#[derive(Clone, Debug)]
pub struct Air {
    /// The place of the capture of all that is sent, in [`Layout::ports`].
    pub port: usize,
    /// Its stations, through all its cells.
    pub radios: Vec<Radio>,
    /// The band of its channels.
    pub band: Band,
    /// The channel of its first cell.
    pub channel: Channel,
    /// MPDUs of a block-ack agreement; 1 where there are none.
    pub window: u32,
}

impl Air {
    /// The sender of a frame, and the address that it is for.
    pub fn ends(&self, frame: &Sent) -> (Radio, Mac) {
        let to = self.radios.get(frame.to.index()).map_or(BROADCAST, |radio| radio.mac);
        (self.radios[frame.from.index()], to)
    }

    /// The channel of a frame.
    pub fn channel_of(&self, frame: &Sent) -> Tuned {
        self.band.channel(frame.channel.unwrap_or(self.channel))
    }
}

/// All interfaces of a network.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Every interface, and every channel.
    pub ports: Vec<Port>,
    /// By link: the port that sends and the one that receives.
    pub links: Vec<(usize, usize)>,
    /// By element of the air.
    pub airs: Vec<Air>,
    /// By flow.
    pub flows: Vec<FlowForm>,
    /// Every node's address and name.
    pub hosts: Vec<([u8; 4], String)>,
}

impl Layout {
    /// The interfaces of `plan`.
    pub fn new(plan: &Plan) -> Layout {
        let host = |(i, name): (usize, &String)| (address(NodeId(i as u32)), name.clone());
        let mut layout = Layout {
            hosts: plan.nodes.iter().enumerate().map(host).collect(),
            flows: plan.flows.iter().enumerate().map(flow_form).collect(),
            ..Layout::default()
        };
        // Messages of Mobile IP are on ways that are numbered behind the flows.
        let ways = plan.mobile_ip.iter().flat_map(MobileIpPlan::ways);
        layout.flows.extend(ways.map(|(from, to)| FlowForm {
            source: (address(from), REGISTRATION_PORT),
            sink: (address(to), REGISTRATION_PORT),
            tcp: TcpForm::default(),
        }));
        // And so are updates of routers, which are for all.
        layout.flows.extend(plan.routers().map(|node| FlowForm {
            source: (address(node), UPDATE_PORT),
            sink: ([u8::MAX; 4], UPDATE_PORT),
            tcp: TcpForm::default(),
        }));
        layout.wire(plan);
        layout.unwire(plan);
        layout
    }

    /// The wired interfaces: the two directions between two nodes share one at each end.
    fn wire(&mut self, plan: &Plan) {
        let mut alone: Vec<usize> = Vec::new();
        let mut used = vec![0u32; plan.nodes.len()];
        for (i, link) in plan.links.iter().enumerate() {
            let back = |&other: &usize| {
                (plan.links[other].from, plan.links[other].to) == (link.to, link.from)
            };
            if let Some(at) = alone.iter().position(back) {
                let (sends, receives) = self.links[alone.remove(at)];
                self.ports[receives].speed = Some(link.rate.0);
                self.links.push((receives, sends));
                continue;
            }
            alone.push(i);
            let mut port = |node: NodeId, speed| {
                let number = used[node.index()];
                used[node.index()] += 1;
                self.ports.push(Port {
                    name: format!("{}-eth{number}", plan.nodes[node.index()]),
                    description: format!("link {}", plan.link_name(link)),
                    link_type: LinkType::RawIp,
                    speed,
                });
                self.ports.len() - 1
            };
            let ends = (port(link.from, Some(link.rate.0)), port(link.to, None));
            self.links.push(ends);
        }
    }

    /// The radios, and the channels.
    fn unwire(&mut self, plan: &Plan) {
        let mut used = vec![0u8; plan.nodes.len()];
        for element in &plan.channels() {
            let mut radios = Vec::new();
            let first = &plan.cells[element[0]];
            let (band, channel) = (band(first), first.channel_number());
            let windows = element.iter().filter_map(|&cell| plan.cells[cell].qos.as_ref());
            let window = windows.map(|qos| qos.config.window()).max().unwrap_or(1);
            for &cell in element {
                self.join(plan, cell, &mut used, &mut radios);
            }
            let names: Vec<&str> = element.iter().map(|&i| plan.cells[i].name.as_str()).collect();
            self.ports.push(Port {
                name: format!("air-{}", names[0]),
                description: format!("all that is sent in {}", names.join(", ")),
                link_type: LinkType::Radiotap,
                speed: None,
            });
            self.airs.push(Air { port: self.ports.len() - 1, radios, band, channel, window });
        }
    }

    /// The radios of one cell.
    fn join(&mut self, plan: &Plan, index: usize, used: &mut [u8], radios: &mut Vec<Radio>) {
        let cell = &plan.cells[index];
        let first = radios.len();
        for (i, node) in cell.stations.iter().enumerate() {
            let number = used[node.index()];
            used[node.index()] = number.saturating_add(1);
            let is_access_point = cell.access_point.is_some_and(|ap| ap.index() == i);
            self.ports.push(Port {
                name: format!("{}-wlan{number}", plan.nodes[node.index()]),
                description: format!("station of {}", cell.name),
                link_type: LinkType::Radiotap,
                speed: None,
            });
            radios.push(Radio {
                port: self.ports.len() - 1,
                mac: hardware_address(number, node.0),
                bssid: hardware_address(u8::MAX, index as u32),
                distribution: match (cell.access_point, is_access_point) {
                    (None, _) => Distribution::AdHoc,
                    (Some(_), true) => Distribution::From,
                    (Some(_), false) => Distribution::To,
                },
            });
        }
        if let Some(ap) = cell.access_point {
            let bssid = radios[first + ap.index()].mac;
            radios[first..].iter_mut().for_each(|radio| radio.bssid = bssid);
        }
    }
}

/// 10.0.0.1 for the first node, and so on.
fn address(node: NodeId) -> [u8; 4] {
    let [_, b, c, d] = (node.0 + 1).to_be_bytes();
    [10, b, c, d]
}

/// Locally administered (the second bit of the first byte): the number of a node's radio, and the node's.
fn hardware_address(radio: u8, node: u32) -> Mac {
    let [a, b, c, d] = node.to_be_bytes();
    [0x02, radio, a, b, c, d]
}

/// That of Mobile IP's registrations (RFC 5944 section 3).
const REGISTRATION_PORT: u16 = 434;

/// That of DSDV's updates in ns-2 (`ROUTER_PORT`).
const UPDATE_PORT: u16 = 255;

fn flow_form((index, flow): (usize, &FlowPlan)) -> FlowForm {
    let index = index as u32;
    FlowForm {
        source: (address(flow.from), (DYNAMIC_PORTS + index % HOW_MANY) as u16),
        sink: (address(flow.to), (DYNAMIC_PORTS + index / HOW_MANY % HOW_MANY) as u16),
        tcp: match &flow.transport {
            TransportPlan::Tcp { config, .. } => tcp_form(config),
            TransportPlan::Udp { .. } => TcpForm::default(),
        },
    }
}

fn tcp_form(config: &TcpConfig) -> TcpForm {
    let scales = config.window_scaling && config.handshake;
    TcpForm {
        mss: u16::try_from(config.mss).unwrap_or(u16::MAX),
        sack: config.recovery.uses_sack(),
        window_shift: scales.then(|| window_shift(config.receive_window)),
    }
}

/// The lowest basic rate tells the bands apart: at 5 GHz alone it has symbols and no signal extension.
fn band(cell: &CellPlan) -> Band {
    let phy: &PhyConfig = cell.configs[0].ladder.phy();
    match phy.lowest.payload {
        Payload::Symbols { symbol, .. } if phy.lowest.extension == Span::ZERO => {
            Band::Ghz5(match symbol.0 / 4_000 {
                2 => HALF,
                4 => QUARTER,
                _ => 0,
            })
        }
        _ => Band::Ghz2,
    }
}
