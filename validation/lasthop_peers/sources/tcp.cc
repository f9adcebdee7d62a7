// NewReno bulk transfers:
//   tcp wire FLOWS SECONDS      as wire.tcl
//   tcp uploads 802.11b|802.11g STATIONS SECONDS
//       through an access point to a server behind 100 Mbit/s, 10 ms; a second for associations comes before
// Prints how many segments came to the receivers.
#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"
#include "ns3/wifi-module.h"
#include <iostream>
#include <string>

using namespace ns3;

static NetDeviceContainer
Wire(Ptr<Node> a, Ptr<Node> b, const std::string& rate, const std::string& delay, const std::string& queue)
{
    PointToPointHelper wire;
    wire.SetDeviceAttribute("DataRate", StringValue(rate));
    wire.SetChannelAttribute("Delay", StringValue(delay));
    wire.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue(queue));
    return wire.Install(a, b);
}

static Ipv4InterfaceContainer
Addresses(const NetDeviceContainer& devices)
{
    static Ipv4AddressHelper address("10.0.0.0", "255.255.255.0");
    auto given = address.Assign(devices);
    address.NewNetwork();
    return given;
}

// No queue discipline above the devices: theirs are the queues.
static void
Bare(const NetDeviceContainer& devices)
{
    TrafficControlHelper().Uninstall(devices);
}

static void
Bulk(Ptr<Node> from, Ptr<Node> to, Ipv4Address address, uint16_t port, double start)
{
    BulkSendHelper source("ns3::TcpSocketFactory", InetSocketAddress(address, port));
    source.Install(from).Start(Seconds(start));
    PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), port));
    sink.Install(to);
}

static void
Wired(uint32_t flows)
{
    NodeContainer ends;
    ends.Create(2);
    NodeContainer sources;
    sources.Create(flows);
    InternetStackHelper().InstallAll();
    const bool one = flows == 1;
    auto shared = one ? Wire(ends.Get(0), ends.Get(1), "10Mbps", "20ms", "100p")
                      : Wire(ends.Get(0), ends.Get(1), "100Mbps", "1ms", "500p");
    auto there = Addresses(shared);
    Bare(shared);
    for (uint32_t i = 0; i < flows; ++i)
    {
        auto delay = std::to_string(1000 + (one ? 0 : 500 * i)) + "us";
        auto access = Wire(sources.Get(i), ends.Get(0), one ? "100Mbps" : "1Gbps", delay, "100000p");
        Addresses(access);
        Bare(access);
        Bulk(sources.Get(i), ends.Get(1), there.GetAddress(1), 5000 + i, 1.0 * i / flows);
    }
}

static void
Uploads(const std::string& standard, uint32_t count)
{
    NodeContainer server;
    server.Create(1);
    NodeContainer ap;
    ap.Create(1);
    NodeContainer stations;
    stations.Create(count);
    MobilityHelper mobility;
    mobility.Install(ap);
    mobility.Install(stations);
    const bool b = standard == "802.11b";
    WifiHelper wifi;
    wifi.SetStandard(b ? WIFI_STANDARD_80211b : WIFI_STANDARD_80211g);
    wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager",
                                 "DataMode",
                                 StringValue(b ? "DsssRate11Mbps" : "ErpOfdmRate54Mbps"),
                                 "ControlMode",
                                 StringValue(b ? "DsssRate2Mbps" : "ErpOfdmRate24Mbps"));
    YansWifiChannelHelper channel;
    channel.SetPropagationDelay("ns3::ConstantSpeedPropagationDelayModel");
    channel.AddPropagationLoss("ns3::FixedRssLossModel", "Rss", DoubleValue(-50));
    YansWifiPhyHelper phy;
    phy.SetChannel(channel.Create());
    WifiMacHelper mac;
    Ssid ssid("cell");
    mac.SetType("ns3::ApWifiMac", "Ssid", SsidValue(ssid), "QosSupported", BooleanValue(false));
    NetDeviceContainer air = wifi.Install(phy, mac, ap);
    mac.SetType("ns3::StaWifiMac", "Ssid", SsidValue(ssid), "QosSupported", BooleanValue(false));
    air.Add(wifi.Install(phy, mac, stations));
    auto wire = Wire(ap.Get(0), server.Get(0), "100Mbps", "10ms", "100000p");
    InternetStackHelper().InstallAll();
    auto there = Addresses(wire);
    Addresses(air);
    Bare(wire);
    Bare(air);
    for (uint32_t i = 0; i < count; ++i)
    {
        Bulk(stations.Get(i), server.Get(0), there.GetAddress(1), 5000 + i, 1.0);
    }
}

int
main(int count, char** argv)
{
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpNewReno"));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(1));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(200)));
    const bool wired = std::string(argv[1]) == "wire";
    const uint32_t segment = wired ? 1000 : 1460;
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(segment));
    // The window: none that binds, 1 MB for each of many, 64 kB over the air.
    const uint32_t window = !wired ? 65535 : std::string(argv[2]) == "1" ? 10000000 : 1000000;
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(window));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(window));
    Config::SetDefault("ns3::WifiMacQueue::MaxSize", QueueSizeValue(QueueSize("50p")));
    if (wired)
    {
        Wired(std::stoul(argv[2]));
    }
    else
    {
        Uploads(argv[2], std::stoul(argv[3]));
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    Simulator::Stop(Seconds(std::stod(argv[count - 1]) + (wired ? 0 : 1)));
    Simulator::Run();
    uint64_t bytes = 0;
    for (uint32_t node = 0; node < NodeList::GetNNodes(); ++node)
    {
        for (uint32_t i = 0; i < NodeList::GetNode(node)->GetNApplications(); ++i)
        {
            auto sink = DynamicCast<PacketSink>(NodeList::GetNode(node)->GetApplication(i));
            bytes += sink ? sink->GetTotalRx() : 0;
        }
    }
    std::cout << "packets=" << bytes / segment << std::endl;
    Simulator::Destroy();
    return 0;
}
