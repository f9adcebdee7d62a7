// ns-3.37's cell of 802.11n in which one station sends at 1 Mbit/s: packets a second of each station, in single frames.
//
//   g++ -O1 -std=c++17 ns3_one_slow.cc -o slow $(pkg-config --cflags --libs ns3-wifi ns3-network ns3-mobility ns3-propagation ns3-core)
//   ./slow --others=4 --run=1     (libgsl-dev is needed to link)
//
// 2.4 GHz, 20 MHz, MCS 7 with one stream, guard interval 0.8 us; best effort, no aggregates; frames of 1538 bytes to the access
// point from stations that always have some. All are at the same place in effect: each hears all at the same power.
#include "ns3/core-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/packet-socket-client.h"
#include "ns3/packet-socket-server.h"
#include "ns3/propagation-loss-model.h"
#include "ns3/ssid.h"
#include "ns3/wifi-mac.h"
#include "ns3/wifi-net-device.h"
#include "ns3/yans-wifi-channel.h"
#include "ns3/yans-wifi-helper.h"
#include <cstdio>
#include <map>
using namespace ns3;

static std::map<Mac48Address, uint64_t> came;
static double from_s = 2;

static void Rx(Ptr<const Packet>, const Address& from) {
  if (Simulator::Now().GetSeconds() < from_s) return;
  came[Mac48Address::ConvertFrom(PacketSocketAddress::ConvertFrom(from).GetPhysicalAddress())]++;
}

int main(int argc, char** argv) {
  uint32_t others = 4, run = 1;
  double seconds = 100;
  CommandLine cmd;
  cmd.AddValue("others", "stations at MCS 7", others);
  cmd.AddValue("run", "number of the run", run);
  cmd.AddValue("seconds", "measured", seconds);
  cmd.Parse(argc, argv);
  RngSeedManager::SetRun(run);
  NodeContainer ap, stations;
  ap.Create(1);
  stations.Create(others + 1);
  YansWifiChannelHelper air;
  air.SetPropagationDelay("ns3::ConstantSpeedPropagationDelayModel");
  air.AddPropagationLoss("ns3::FixedRssLossModel", "Rss", DoubleValue(-50));
  YansWifiPhyHelper phy;
  phy.SetChannel(air.Create());
  phy.Set("ChannelSettings", StringValue("{0, 20, BAND_2_4GHZ, 0}"));
  WifiHelper wifi;
  wifi.SetStandard(WIFI_STANDARD_80211n);
  auto rates = [&](const char* data, const char* control) {
    wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager", "DataMode", StringValue(data), "ControlMode", StringValue(control));
  };
  Ssid ssid("cell");
  WifiMacHelper mac;
  auto single = std::make_pair("BE_MaxAmpduSize", UintegerValue(0));
  NetDeviceContainer devices;
  rates("HtMcs7", "ErpOfdmRate24Mbps");
  mac.SetType("ns3::ApWifiMac", "Ssid", SsidValue(ssid), single.first, single.second);
  NetDeviceContainer apDevice = wifi.Install(phy, mac, ap);
  mac.SetType("ns3::StaWifiMac", "Ssid", SsidValue(ssid), single.first, single.second);
  for (uint32_t i = 0; i <= others; i++) {
    if (i == 0) rates("DsssRate1Mbps", "DsssRate1Mbps"); else rates("HtMcs7", "ErpOfdmRate24Mbps");
    devices.Add(wifi.Install(phy, mac, stations.Get(i)));
  }
  MobilityHelper mobility;
  mobility.SetMobilityModel("ns3::ConstantPositionMobilityModel");
  mobility.Install(ap);
  mobility.Install(stations);
  PacketSocketHelper sockets;
  sockets.Install(ap);
  sockets.Install(stations);
  for (uint32_t i = 0; i <= others; i++) {
    PacketSocketAddress to;
    to.SetSingleDevice(devices.Get(i)->GetIfIndex());
    to.SetPhysicalAddress(apDevice.Get(0)->GetAddress());
    to.SetProtocol(1);
    Ptr<PacketSocketClient> client = CreateObject<PacketSocketClient>();
    client->SetRemote(to);
    client->SetAttribute("PacketSize", UintegerValue(1500));
    client->SetAttribute("MaxPackets", UintegerValue(0));
    client->SetAttribute("Interval", TimeValue(MicroSeconds(i == 0 ? 5000 : 250)));
    stations.Get(i)->AddApplication(client);
    client->SetStartTime(Seconds(1 + 0.001 * i));
  }
  PacketSocketAddress own;
  own.SetSingleDevice(apDevice.Get(0)->GetIfIndex());
  own.SetProtocol(1);
  Ptr<PacketSocketServer> server = CreateObject<PacketSocketServer>();
  server->SetLocal(own);
  ap.Get(0)->AddApplication(server);
  server->TraceConnectWithoutContext("Rx", MakeCallback(&Rx));
  Simulator::Stop(Seconds(from_s + seconds));
  Simulator::Run();
  for (uint32_t i = 0; i <= others; i++)
    printf("%s%.2f", i ? " " : "", came[Mac48Address::ConvertFrom(devices.Get(i)->GetAddress())] / seconds);
  printf("\n");
  Simulator::Destroy();
}
