// N saturated stations around a receiver, packets of 1500 B:
//   saturated 802.11b STATIONS SECONDS    11 Mbit/s, control frames at 2 Mbit/s
//   saturated 802.11ax STATIONS SECONDS   80 MHz, two streams, MCS 11, aggregates of up to 64
// Packet sockets: there is no IP to pay for. Sources offer a fifth more than the channel carries, or more.
#include "ns3/core-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/wifi-module.h"
#include <cmath>
#include <iostream>

using namespace ns3;

static uint64_t packets = 0;

static void
Received(Ptr<const Packet>, const Address&)
{
    ++packets;
}

int
main(int, char** argv)
{
    const bool aggregates = std::string(argv[1]) == "802.11ax";
    const uint32_t stations = std::stoul(argv[2]);
    const double seconds = std::stod(argv[3]);
    const uint32_t bytes = 1500;
    const double offered = aggregates ? 1e9 : 8.4e6;

    // ns-3.37 asks by RTS for frames above 65,535 B, as aggregates are here; lasthop does so where it is set.
    Config::SetDefault("ns3::WifiRemoteStationManager::RtsCtsThreshold", UintegerValue(4692480));
    // A station that wins several times in a row would empty the default queue, and its aggregates would be short.
    Config::SetDefault("ns3::WifiMacQueue::MaxSize", StringValue("100000p"));
    Config::SetDefault("ns3::WifiMacQueue::MaxDelay", TimeValue(Seconds(1000)));
    NodeContainer nodes;
    nodes.Create(stations + 1);
    MobilityHelper mobility;
    auto places = CreateObject<ListPositionAllocator>();
    places->Add(Vector(0, 0, 0));
    for (uint32_t i = 0; i < stations; ++i)
    {
        const double angle = 2 * M_PI * i / stations;
        places->Add(Vector(10 * std::cos(angle), 10 * std::sin(angle), 0));
    }
    mobility.SetPositionAllocator(places);
    mobility.Install(nodes);

    WifiHelper wifi;
    wifi.SetStandard(aggregates ? WIFI_STANDARD_80211ax : WIFI_STANDARD_80211b);
    wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager",
                                 "DataMode",
                                 StringValue(aggregates ? "HeMcs11" : "DsssRate11Mbps"),
                                 "ControlMode",
                                 StringValue(aggregates ? "OfdmRate24Mbps" : "DsssRate2Mbps"));
    YansWifiChannelHelper channel;
    channel.SetPropagationDelay("ns3::ConstantSpeedPropagationDelayModel");
    // Everybody hears everybody at the same strength: at -50 dBm, MCS 11 would lose some MPDUs to noise.
    channel.AddPropagationLoss("ns3::FixedRssLossModel", "Rss", DoubleValue(-30));
    YansWifiPhyHelper phy;
    phy.SetChannel(channel.Create());
    if (aggregates)
    {
        phy.Set("ChannelSettings", StringValue("{0, 80, BAND_5GHZ, 0}"));
        phy.Set("Antennas", UintegerValue(2));
        phy.Set("MaxSupportedTxSpatialStreams", UintegerValue(2));
        phy.Set("MaxSupportedRxSpatialStreams", UintegerValue(2));
        wifi.ConfigHeOptions("GuardInterval", TimeValue(NanoSeconds(800)));
    }
    WifiMacHelper mac;
    mac.SetType("ns3::AdhocWifiMac",
                "QosSupported",
                BooleanValue(aggregates),
                "BE_MaxAmpduSize",
                UintegerValue(aggregates ? 6500631 : 0));
    NetDeviceContainer devices = wifi.Install(phy, mac, nodes);

    PacketSocketHelper sockets;
    sockets.Install(nodes);
    auto server = CreateObject<PacketSocketServer>();
    PacketSocketAddress local;
    local.SetSingleDevice(devices.Get(0)->GetIfIndex());
    local.SetProtocol(1);
    server->SetLocal(local);
    nodes.Get(0)->AddApplication(server);
    server->TraceConnectWithoutContext("Rx", MakeCallback(&Received));
    for (uint32_t i = 1; i <= stations; ++i)
    {
        PacketSocketAddress remote;
        remote.SetSingleDevice(devices.Get(i)->GetIfIndex());
        remote.SetPhysicalAddress(devices.Get(0)->GetAddress());
        remote.SetProtocol(1);
        auto client = CreateObject<PacketSocketClient>();
        client->SetRemote(remote);
        client->SetAttribute("PacketSize", UintegerValue(bytes));
        client->SetAttribute("MaxPackets", UintegerValue(0));
        client->SetAttribute("Interval", TimeValue(Seconds(bytes * 8 * stations / offered)));
        client->SetStartTime(Seconds(0.001 + 0.0001 * i));
        nodes.Get(i)->AddApplication(client);
    }
    Simulator::Stop(Seconds(seconds));
    Simulator::Run();
    std::cout << "packets=" << packets << std::endl;
    Simulator::Destroy();
    return 0;
}
