// Bulk TCP from a server by way of an access point of 802.11n, ac or ax, or back, in ns-3.37: the rows of
// `wifi6_tcp`, for other seeds and other spans than theirs. What known.toml says of their start was found with it.
// Of ns-3 it uses the public interface.
//
//   g++ -O1 -std=c++17 ns3_wifi6_tcp.cc -o tcp $(pkg-config --cflags --libs ns3-wifi ns3-applications ns3-internet \
//       ns3-point-to-point ns3-traffic-control ns3-mobility ns3-propagation)
//   ./tcp --phy=ax20 --q=fq --mq=100 --ampdu=98814 --nf=5 --warm=10 --dur=26 --run=1
//   ./tcp --phy=n20 --q=100 --nf=2 --slow=1 --warm=10 --dur=40 --run=1
//
// Printed: goodput after `warm` seconds, of all flows and of those of fast stations, Mbit/s.
#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/propagation-module.h"
#include "ns3/traffic-control-module.h"
#include "ns3/wifi-module.h"
#include "ns3/ap-wifi-mac.h"
#include "ns3/qos-txop.h"
#include "ns3/wifi-mac-queue.h"
#include <iostream>
#include <set>
using namespace ns3;

// One mode for each station, another for slow ones, from both sides: no manager of ns-3's own has that.
class ModeOfStation : public WifiRemoteStationManager {
public:
  static TypeId GetTypeId() {
    static TypeId id = TypeId("ns3::ModeOfStation").SetParent<WifiRemoteStationManager>().AddConstructor<ModeOfStation>();
    return id;
  }
  WifiMode fast, slow, control;
  uint8_t streams = 1;
  bool isSlow = false;
  std::set<Mac48Address> slows;

private:
  WifiRemoteStation* DoCreateStation() const override { return new WifiRemoteStation(); }
  void DoReportRxOk(WifiRemoteStation*, double, WifiMode) override {}
  void DoReportRtsFailed(WifiRemoteStation*) override {}
  void DoReportDataFailed(WifiRemoteStation*) override {}
  void DoReportRtsOk(WifiRemoteStation*, double, WifiMode, double) override {}
  void DoReportDataOk(WifiRemoteStation*, double, WifiMode, double, uint16_t, uint8_t) override {}
  void DoReportFinalRtsFailed(WifiRemoteStation*) override {}
  void DoReportFinalDataFailed(WifiRemoteStation*) override {}
  WifiTxVector DoGetDataTxVector(WifiRemoteStation* to, uint16_t width) override {
    WifiMode mode = isSlow || slows.count(GetAddress(to)) ? slow : fast;
    auto preamble = GetPreambleForTransmission(mode.GetModulationClass(), GetShortPreambleEnabled());
    return WifiTxVector(mode, GetDefaultTxPowerLevel(), preamble, 800, GetNumberOfAntennas(), streams, 0,
                        std::min<uint16_t>(width, GetPhy()->GetChannelWidth()), GetAggregation(to));
  }
  WifiTxVector DoGetRtsTxVector(WifiRemoteStation*) override {
    auto preamble = GetPreambleForTransmission(control.GetModulationClass(), false);
    return WifiTxVector(control, GetDefaultTxPowerLevel(), preamble, 800, 1, 1, 0, 20, false);
  }
};
NS_OBJECT_ENSURE_REGISTERED(ModeOfStation);

struct Phy { WifiStandard standard; const char *fast, *slow, *channel; };
static const std::map<std::string, Phy> PHYS = {
  {"n20", {WIFI_STANDARD_80211n, "HtMcs7", "HtMcs0", "{36, 20, BAND_5GHZ, 0}"}},
  {"ac80s1", {WIFI_STANDARD_80211ac, "VhtMcs7", "VhtMcs0", "{42, 80, BAND_5GHZ, 0}"}},
  {"ax20", {WIFI_STANDARD_80211ax, "HeMcs9", "HeMcs0", "{36, 20, BAND_5GHZ, 0}"}},
};

static double warm = 3;
static std::map<uint32_t, uint64_t> received;
static void Received(uint32_t flow, Ptr<const Packet> packet, const Address&) {
  if (Simulator::Now().GetSeconds() >= warm) received[flow] += packet->GetSize();
}

static void Defaults(const std::string& law) {
  Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
  Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(8000000));
  Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(8000000));
  Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
  Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(2));
  Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::" + law));
  Config::SetDefault("ns3::TcpL4Protocol::RecoveryType", StringValue("ns3::TcpPrrRecovery"));
  Config::SetDefault("ns3::WifiMacQueue::MaxDelay", TimeValue(Seconds(1000)));
  // Debian's build asks before each PPDU above 65,535 B else; the rows do not.
  Config::SetDefault("ns3::WifiRemoteStationManager::RtsCtsThreshold", UintegerValue(4692480));
}

static void SetUp(Ptr<NetDevice> device, const Phy& phy, uint32_t packets, bool isSlow, const std::set<Mac48Address>& slows) {
  auto wifi = DynamicCast<WifiNetDevice>(device);
  auto manager = DynamicCast<ModeOfStation>(wifi->GetRemoteStationManager());
  manager->fast = WifiMode(phy.fast);
  manager->slow = WifiMode(phy.slow);
  manager->control = WifiMode("OfdmRate24Mbps");
  manager->isSlow = isSlow;
  manager->slows = slows;
  for (auto category : {AC_BE, AC_BK, AC_VI, AC_VO}) {
    auto txop = wifi->GetMac()->GetQosTxop(category);
    txop->SetTxopLimit(Seconds(0));
    txop->GetWifiMacQueue()->SetMaxSize(QueueSize(QueueSizeUnit::PACKETS, packets));
  }
  if (auto he = wifi->GetHeConfiguration()) he->SetGuardInterval(NanoSeconds(800));
}

int main(int argc, char** argv) {
  std::string phy = "n20", law = "TcpCubic", dir = "down", q = "100";
  uint32_t ampdu = 65535, flows = 1, slow = 0, mq = 100, run = 1;
  double dur = 9;
  CommandLine said;
  said.AddValue("phy", "n20, ac80s1 or ax20", phy);
  said.AddValue("cc", "TcpCubic or TcpNewReno", law);
  said.AddValue("dir", "down or up", dir);
  said.AddValue("q", "packets of the access point's MAC queue, or fq: FQ-CoDel above one of mq", q);
  said.AddValue("mq", "packets of the MAC queue below FQ-CoDel", mq);
  said.AddValue("ampdu", "bytes of an A-MPDU at most", ampdu);
  said.AddValue("nf", "flows, one a station", flows);
  said.AddValue("slow", "stations at the lowest rate, the first ones", slow);
  said.AddValue("warm", "seconds that are not measured", warm);
  said.AddValue("dur", "seconds in all", dur);
  said.AddValue("run", "the seed", run);
  said.Parse(argc, argv);
  RngSeedManager::SetSeed(20261124);
  RngSeedManager::SetRun(run);
  Defaults(law);

  NodeContainer server, ap, stations;
  server.Create(1), ap.Create(1), stations.Create(flows);
  const Phy& chosen = PHYS.at(phy);
  auto channel = CreateObject<YansWifiChannel>();
  auto loss = CreateObject<FixedRssLossModel>();
  loss->SetRss(-30);
  channel->SetPropagationLossModel(loss);
  channel->SetPropagationDelayModel(CreateObject<ConstantSpeedPropagationDelayModel>());
  YansWifiPhyHelper radio;
  radio.SetChannel(channel);
  radio.Set("ChannelSettings", StringValue(chosen.channel));
  WifiHelper wifi;
  wifi.SetStandard(chosen.standard);
  wifi.SetRemoteStationManager("ns3::ModeOfStation");
  WifiMacHelper mac;
  Ssid ssid("x");
  mac.SetType("ns3::ApWifiMac", "Ssid", SsidValue(ssid), "BE_MaxAmpduSize", UintegerValue(ampdu), "EnableBeaconJitter", BooleanValue(false));
  auto aps = wifi.Install(radio, mac, ap);
  NetDeviceContainer stas;
  std::set<Mac48Address> slows;
  for (uint32_t i = 0; i < flows; ++i) {
    mac.SetType("ns3::StaWifiMac", "Ssid", SsidValue(ssid), "BE_MaxAmpduSize", UintegerValue(ampdu), "MaxMissedBeacons",
                UintegerValue(100000), "WaitBeaconTimeout", TimeValue(MilliSeconds(120 + 4 * i)));
    stas.Add(wifi.Install(radio, mac, stations.Get(i)));
    if (i < slow) slows.insert(Mac48Address::ConvertFrom(stas.Get(i)->GetAddress()));
  }
  SetUp(aps.Get(0), chosen, q == "fq" ? mq : std::stoul(q), false, slows);
  for (uint32_t i = 0; i < flows; ++i) SetUp(stas.Get(i), chosen, 1000, i < slow, {});
  wifi.AssignStreams(NetDeviceContainer(aps, stas), 1000);
  MobilityHelper places;
  auto circle = CreateObject<ListPositionAllocator>();
  circle->Add(Vector(0, 0, 0));
  for (uint32_t i = 0; i < flows; ++i) circle->Add(Vector(5 * cos(2 * M_PI * i / flows), 5 * sin(2 * M_PI * i / flows), 0));
  places.SetPositionAllocator(circle);
  places.Install(NodeContainer(ap, stations));

  PointToPointHelper link;
  link.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
  link.SetChannelAttribute("Delay", StringValue("10ms"));
  link.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("100000p"));
  auto wire = link.Install(server.Get(0), ap.Get(0));
  InternetStackHelper().InstallAll();
  Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
  auto onWire = addresses.Assign(wire);
  addresses.SetBase("10.0.1.0", "255.255.255.0");
  addresses.Assign(aps);
  auto onAir = addresses.Assign(stas);
  for (auto devices : {wire, aps, stas}) TrafficControlHelper().Uninstall(devices);
  if (q == "fq") {
    TrafficControlHelper tc;
    auto root = tc.SetRootQueueDisc("ns3::MqQueueDisc");
    tc.AddChildQueueDiscs(root, tc.AddQueueDiscClasses(root, 4, "ns3::QueueDiscClass"), "ns3::FqCoDelQueueDisc");
    tc.Install(aps);
  }
  Ipv4GlobalRoutingHelper::PopulateRoutingTables();

  auto jitter = CreateObject<UniformRandomVariable>();
  jitter->SetStream(777);
  for (uint32_t i = 0; i < flows; ++i) {
    bool up = dir == "up";
    InetSocketAddress to(up ? onWire.GetAddress(0) : onAir.GetAddress(i), 5000 + i);
    BulkSendHelper source("ns3::TcpSocketFactory", to);
    source.SetAttribute("SendSize", UintegerValue(1448));
    source.Install(up ? stations.Get(i) : server.Get(0)).Start(Seconds(1.0 + 0.05 * i + jitter->GetValue(0, 0.02)));
    PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), 5000 + i));
    auto sinks = sink.Install(up ? server.Get(0) : stations.Get(i));
    sinks.Get(0)->TraceConnectWithoutContext("Rx", MakeBoundCallback(&Received, i));
  }
  auto stop = [&] { DynamicCast<WifiNetDevice>(aps.Get(0))->GetMac()->SetAttribute("BeaconGeneration", BooleanValue(false)); };
  Simulator::Schedule(Seconds(0.85), stop);
  Simulator::Stop(Seconds(dur));
  Simulator::Run();
  double all = 0, fast = 0;
  for (uint32_t i = 0; i < flows; ++i) {
    double mbps = received[i] * 8 / (dur - warm) / 1e6;
    all += mbps;
    fast += i < slow ? 0 : mbps;
  }
  std::cout << "goodput " << all << " fast " << fast << "\n";
  Simulator::Destroy();
}
