// A cell of saturated stations of 802.11a, g, n, ac or ax in ns-3.37: rows as those of `wifi6` and `wifi6_rates`, for other
// settings, seeds and spans. The settings are those of the rows' specification; of ns-3 it uses the public interface.
//
//   g++ -O1 -std=c++17 ns3_wifi6_cell.cc -o cell $(pkg-config --cflags --libs ns3-wifi ns3-network ns3-mobility ns3-propagation ns3-core)
//   ./cell --standard=ac --mcs=9 --nss=2 --width=80 --gi=400 --ampdu=98814 --mix=BE:5 --dur=4 --run=1   (libgsl-dev is needed to link)
//
// Packets are handed to the MAC without IP: L + 28 bytes, as UDP has them. Printed: a line "metric value" for each metric.
#include "ns3/ap-wifi-mac.h"
#include "ns3/core-module.h"
#include "ns3/error-model.h"
#include "ns3/he-configuration.h"
#include "ns3/ht-configuration.h"
#include "ns3/llc-snap-header.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/propagation-module.h"
#include "ns3/qos-txop.h"
#include "ns3/socket.h"
#include "ns3/wifi-mac-queue.h"
#include "ns3/wifi-module.h"
#include <cstring>
#include <iostream>
#include <map>
using namespace ns3;

struct Said {
  std::string standard = "n", mix = "BE:1", dir = "up", txop = "0", cbr, mgr = "const";
  uint32_t mcs = 7, nss = 1, width = 20, gi = 800, ampdu = 0, amsdu = 0, buf = 64, L = 1472, run = 1, backlog = 200;
  bool rts = false, explbar = true, allac = false;
  double life = 1000, per = 0, rss = -30, warm = 0.4, dur = 4;
};
static Said said;

static const std::map<std::string, std::pair<uint8_t, AcIndex>> CATEGORIES = {
  {"BE", {0, AC_BE}}, {"BK", {1, AC_BK}}, {"VI", {5, AC_VI}}, {"VO", {6, AC_VO}}};

struct Flow {
  std::string name;
  Ptr<NetDevice> from;
  Address to;
  uint8_t priority;
  uint32_t payload;
  uint64_t bytes = 0, packets = 0;
  double delay = 0;
};
static std::vector<Flow> flows;
static double start = 1e9, since = 1e9;

static void Send(uint32_t index) {
  Flow& flow = flows[index];
  std::vector<uint8_t> text(flow.payload + 28);
  int64_t now = Simulator::Now().GetNanoSeconds();
  memcpy(&text[0], &index, 4);
  memcpy(&text[4], &now, 8);
  auto packet = Create<Packet>(text.data(), text.size());
  SocketPriorityTag tag;
  tag.SetPriority(flow.priority);
  packet->AddPacketTag(tag);
  flow.from->Send(packet, flow.to, 0x0800);
}

static bool Received(Ptr<NetDevice>, Ptr<const Packet> packet, uint16_t, const Address&) {
  if (Simulator::Now().GetSeconds() < since) return true;
  uint8_t text[12];
  packet->CopyData(text, 12);
  uint32_t index;
  int64_t then;
  memcpy(&index, text, 4);
  memcpy(&then, text + 4, 8);
  Flow& flow = flows[index];
  flow.packets++;
  flow.bytes += packet->GetSize() - 28;
  flow.delay += (Simulator::Now().GetNanoSeconds() - then) / 1e6;
  return true;
}

// Which flow an MPDU is of, by its sender, receiver and TID.
static std::map<std::tuple<Mac48Address, Mac48Address, uint8_t>, uint32_t> flowOf;
static uint64_t msdusAcked, msdusDropped;

static void Refill(Ptr<const WifiMpdu> mpdu, bool wasAcked) {
  const auto& header = mpdu->GetHeader();
  if (!header.IsData() || !header.HasData()) return;
  uint8_t tid = header.IsQosData() ? header.GetQosTid() : 0;
  auto found = flowOf.find({header.GetAddr2(), header.GetAddr1(), tid});
  if (found == flowOf.end()) return;
  uint32_t msdus = header.IsQosData() && header.IsQosAmsdu() ? std::distance(mpdu->begin(), mpdu->end()) : 1;
  if (Simulator::Now().GetSeconds() >= since) (wasAcked ? msdusAcked : msdusDropped) += msdus;
  if (Simulator::Now().GetSeconds() < start || flows[found->second].name.find("cbr") != std::string::npos) return;
  for (uint32_t i = 0; i < msdus; ++i) Simulator::ScheduleNow(&Send, found->second);
}
static void Acked(Ptr<const WifiMpdu> mpdu) { Refill(mpdu, true); }
static void Dropped(WifiMacDropReason, Ptr<const WifiMpdu> mpdu) { Refill(mpdu, false); }

// PPDUs on the air: those that contend, and which of them overlap another.
struct OnAir { Time end; bool contends, isRts, collided; };
static std::vector<OnAir> onAir;
static uint64_t contending, collided, rtsSent, rtsCollided, dataPpdus, dataMpdus, bars;
static WifiPhyBand band = WIFI_PHY_BAND_5GHZ;

static void Began(WifiConstPsduMap psdus, WifiTxVector vector, double) {
  Time now = Simulator::Now();
  auto psdu = psdus.begin()->second;
  const auto& header = psdu->GetHeader(0);
  Time end = now + WifiPhy::CalculateTxDuration(psdu->GetSize(), vector, band);
  bool counts = now.GetSeconds() >= since;
  bool isData = header.IsData(), isRts = header.IsRts(), contends = isData || isRts || header.IsBlockAckReq();
  for (auto each = onAir.begin(); each != onAir.end();) {
    if (each->end > now) { ++each; continue; }
    each = onAir.erase(each);
  }
  bool overlaps = !onAir.empty();
  for (auto& each : onAir) {
    if (each.collided) continue;
    each.collided = true;
    if (counts && each.contends) collided++;
    if (counts && each.isRts) rtsCollided++;
  }
  onAir.push_back({end, contends, isRts, overlaps});
  if (!counts) return;
  contending += contends;
  collided += contends && overlaps;
  rtsSent += isRts;
  rtsCollided += isRts && overlaps;
  bars += header.IsBlockAckReq();
  if (isData) dataPpdus++, dataMpdus += psdu->GetNMpdus();
}

// Loses each data MPDU with the probability `per`, independently.
class Loses : public ErrorModel {
  bool DoCorrupt(Ptr<Packet> packet) override { return packet->GetSize() > 100 && random->GetValue() < said.per; }
  void DoReset() override {}
  Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
};

static std::vector<std::pair<std::string, uint32_t>> Mix(const std::string& text) {
  std::vector<std::pair<std::string, uint32_t>> found;
  std::stringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) found.push_back({part.substr(0, 2), std::stoul(part.substr(3))});
  return found;
}

static void Parse(int argc, char** argv) {
  CommandLine line;
  line.AddValue("standard", "a, g, n, ac or ax", said.standard);
  line.AddValue("mcs", "MCS (802.11n: 0 to 31), or Mbit/s of OFDM", said.mcs);
  line.AddValue("nss", "streams", said.nss);
  line.AddValue("width", "MHz", said.width);
  line.AddValue("gi", "guard interval, ns", said.gi);
  line.AddValue("ampdu", "bytes of an A-MPDU at most", said.ampdu);
  line.AddValue("amsdu", "bytes of an A-MSDU at most", said.amsdu);
  line.AddValue("buf", "block-ack window of 802.11ax", said.buf);
  line.AddValue("L", "bytes of payload", said.L);
  line.AddValue("mix", "stations of each category, such as BE:2,VO:1", said.mix);
  line.AddValue("allac", "each station has flows in all categories of the mix", said.allac);
  line.AddValue("dir", "up, down or both", said.dir);
  line.AddValue("txop", "0, def, or limits such as BE:2528,VI:1504 in us", said.txop);
  line.AddValue("cbr", "further stations with calls, such as VO:3", said.cbr);
  line.AddValue("mgr", "const, or a station manager's name", said.mgr);
  line.AddValue("rts", "RTS before all data", said.rts);
  line.AddValue("explbar", "a BlockAckReq after a missed BlockAck", said.explbar);
  line.AddValue("life", "lifetime of an MPDU, s", said.life);
  line.AddValue("per", "share of data MPDUs lost", said.per);
  line.AddValue("rss", "received power, dBm", said.rss);
  line.AddValue("warm", "seconds between saturation and measuring", said.warm);
  line.AddValue("dur", "seconds measured", said.dur);
  line.AddValue("backlog", "packets of a flow that wait", said.backlog);
  line.AddValue("run", "the seed", said.run);
  line.Parse(argc, argv);
}

static void Stations(WifiHelper& wifi) {
  static const std::map<std::string, WifiStandard> STANDARDS = {{"a", WIFI_STANDARD_80211a}, {"g", WIFI_STANDARD_80211g},
    {"n", WIFI_STANDARD_80211n}, {"ac", WIFI_STANDARD_80211ac}, {"ax", WIFI_STANDARD_80211ax}};
  static const std::map<std::string, std::string> MODES = {{"a", "OfdmRate"}, {"g", "ErpOfdmRate"}, {"n", "HtMcs"},
                                                           {"ac", "VhtMcs"}, {"ax", "HeMcs"}};
  wifi.SetStandard(STANDARDS.at(said.standard));
  bool isOld = said.standard == "a" || said.standard == "g";
  std::string mode = MODES.at(said.standard) + std::to_string(said.mcs) + (isOld ? "Mbps" : "");
  std::string control = said.standard == "g" ? "ErpOfdmRate24Mbps" : "OfdmRate24Mbps";
  if (said.mgr == "const") wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager", "DataMode", StringValue(mode), "ControlMode", StringValue(control));
  else wifi.SetRemoteStationManager("ns3::" + said.mgr);
}


static void SetUp(Ptr<NetDevice> device) {
  auto wifi = DynamicCast<WifiNetDevice>(device);
  auto mac = wifi->GetMac();
  if (!mac->GetQosSupported()) {
    mac->GetTxop()->GetWifiMacQueue()->SetMaxSize(QueueSize(QueueSizeUnit::PACKETS, 100000));
  } else {
    for (auto& [name, category] : CATEGORIES) {
      auto txop = mac->GetQosTxop(category.second);
      txop->GetWifiMacQueue()->SetMaxSize(QueueSize(QueueSizeUnit::PACKETS, 100000));
      mac->SetAttribute(name + "_MaxAmpduSize", UintegerValue(said.ampdu));
      mac->SetAttribute(name + "_MaxAmsduSize", UintegerValue(said.amsdu));
      if (said.txop != "def") txop->SetTxopLimit(Seconds(0));
    }
    if (said.txop != "def" && said.txop != "0") {
      for (auto& [name, us] : Mix(said.txop)) mac->GetQosTxop(CATEGORIES.at(name).second)->SetTxopLimit(MicroSeconds(us));
    }
  }
  if (auto he = wifi->GetHeConfiguration()) {
    he->SetGuardInterval(NanoSeconds(said.gi));
    he->SetAttribute("MpduBufferSize", UintegerValue(said.buf));
  }
  if (auto ht = wifi->GetHtConfiguration()) ht->SetShortGuardIntervalSupported(said.gi == 400);
  mac->TraceConnectWithoutContext("AckedMpdu", MakeCallback(&Acked));
  mac->TraceConnectWithoutContext("DroppedMpdu", MakeCallback(&Dropped));
  wifi->GetPhy()->TraceConnectWithoutContext("PhyTxPsduBegin", MakeCallback(&Began));
  wifi->SetReceiveCallback(MakeCallback(&Received));
}

static void AddFlow(const std::string& name, Ptr<NetDevice> from, Ptr<NetDevice> to, const std::string& category, uint32_t payload) {
  uint8_t tid = CATEGORIES.at(category).first;
  bool isOld = said.standard == "a" || said.standard == "g";
  flowOf[{Mac48Address::ConvertFrom(from->GetAddress()), Mac48Address::ConvertFrom(to->GetAddress()), isOld ? uint8_t(0) : tid}] = flows.size();
  flows.push_back({name, from, to->GetAddress(), tid, payload});
}

static void Fill(uint32_t index, uint32_t packets) {
  for (uint32_t i = 0; i < packets; ++i) Send(index);
}

static void Call(uint32_t index) {
  Send(index);
  Simulator::Schedule(MilliSeconds(20), &Call, index);
}

static void Print() {
  std::map<std::string, double> mbps, delay, packets;
  double all = 0, sum = 0, squares = 0;
  uint32_t saturated = 0;
  for (auto& flow : flows) {
    double own = flow.bytes * 8 / said.dur / 1e6;
    mbps[flow.name] += own, delay[flow.name] += flow.delay, packets[flow.name] += flow.packets, all += own;
    if (flow.name.find("cbr") != std::string::npos) continue;
    sum += own, squares += own * own, saturated++;
  }
  printf("tput_mbps %.6f\n", all);
  for (auto& [name, own] : mbps) {
    printf("tput_%s_mbps %.6f\n", name.c_str(), own);
    if (packets[name] > 0) printf("delay_mean_ms_%s %.6f\n", name.c_str(), delay[name] / packets[name]);
  }
  printf("jain %.6f\np_coll %.6f\n", sum * sum / saturated / squares, double(collided) / contending);
  if (rtsSent) printf("p_coll_rts %.6f\n", double(rtsCollided) / rtsSent);
  printf("agg_mpdu %.6f\nmpdu_tx_per_acked %.6f\n", double(dataMpdus) / dataPpdus, double(dataMpdus) / msdusAcked);
  printf("dropped_frac %.6f\nbar_per_s %.6f\n", double(msdusDropped) / (msdusDropped + msdusAcked), bars / said.dur);
}

int main(int argc, char** argv) {
  Parse(argc, argv);
  RngSeedManager::SetSeed(20261129);
  RngSeedManager::SetRun(said.run);
  Config::SetDefault("ns3::WifiMacQueue::MaxDelay", TimeValue(Seconds(said.life)));
  Config::SetDefault("ns3::WifiRemoteStationManager::RtsCtsThreshold", UintegerValue(said.rts ? 0 : 4692480));
  Config::SetDefault("ns3::QosTxop::UseExplicitBarAfterMissedBlockAck", BooleanValue(said.explbar));
  auto mix = Mix(said.mix);
  auto calls = said.cbr.empty() ? decltype(mix){} : Mix(said.cbr);
  uint32_t number = 0;
  for (auto& [category, count] : mix) number = said.allac ? std::max(number, count) : number + count;
  uint32_t saturated = number;
  for (auto& [category, count] : calls) number += count;

  NodeContainer ap, stations;
  ap.Create(1), stations.Create(number);
  auto channel = CreateObject<YansWifiChannel>();
  auto loss = CreateObject<FixedRssLossModel>();
  loss->SetRss(said.rss);
  channel->SetPropagationLossModel(loss);
  channel->SetPropagationDelayModel(CreateObject<ConstantSpeedPropagationDelayModel>());
  YansWifiPhyHelper radio;
  radio.SetChannel(channel);
  band = said.standard == "g" ? WIFI_PHY_BAND_2_4GHZ : WIFI_PHY_BAND_5GHZ;
  std::map<uint32_t, int> numbers = {{20, 36}, {40, 38}, {80, 42}, {160, 50}};
  radio.Set("ChannelSettings", StringValue(said.standard == "g" ? "{0, 20, BAND_2_4GHZ, 0}"
    : "{" + std::to_string(numbers.at(said.width)) + ", " + std::to_string(said.width) + ", BAND_5GHZ, 0}"));
  radio.Set("Antennas", UintegerValue(said.nss));
  radio.Set("MaxSupportedTxSpatialStreams", UintegerValue(said.nss));
  radio.Set("MaxSupportedRxSpatialStreams", UintegerValue(said.nss));
  WifiHelper wifi;
  Stations(wifi);
  WifiMacHelper mac;
  mac.SetType("ns3::ApWifiMac", "Ssid", SsidValue(Ssid("x")), "EnableBeaconJitter", BooleanValue(false));
  auto aps = wifi.Install(radio, mac, ap);
  NetDeviceContainer stas;
  for (uint32_t i = 0; i < number; ++i) {
    mac.SetType("ns3::StaWifiMac", "Ssid", SsidValue(Ssid("x")), "MaxMissedBeacons", UintegerValue(100000),
                "WaitBeaconTimeout", TimeValue(MilliSeconds(120 + 4 * i)));
    stas.Add(wifi.Install(radio, mac, stations.Get(i)));
  }
  auto apDevice = aps.Get(0);
  SetUp(apDevice);
  for (uint32_t i = 0; i < number; ++i) SetUp(stas.Get(i));
  wifi.AssignStreams(NetDeviceContainer(aps, stas), 1000);
  if (said.per > 0) DynamicCast<WifiNetDevice>(apDevice)->GetPhy()->SetPostReceptionErrorModel(CreateObject<Loses>());
  MobilityHelper places;
  auto circle = CreateObject<ListPositionAllocator>();
  circle->Add(Vector(0, 0, 0));
  for (uint32_t i = 0; i < number; ++i) circle->Add(Vector(5 * cos(2 * M_PI * i / number), 5 * sin(2 * M_PI * i / number), 0));
  places.SetPositionAllocator(circle);
  places.Install(NodeContainer(ap, stations));

  uint32_t first = 0;
  for (auto& [category, count] : mix) {
    for (uint32_t i = 0; i < count; ++i) {
      auto own = stas.Get(said.allac ? i : first + i);
      if (said.dir != "down") AddFlow(said.dir == "both" ? "up" : category, own, apDevice, category, said.L);
      if (said.dir != "up") AddFlow(said.dir == "both" ? "down" : category, apDevice, own, category, said.L);
    }
    first += said.allac ? 0 : count;
  }
  uint32_t bulk = flows.size(), next = saturated;
  for (auto& [category, count] : calls)
    for (uint32_t i = 0; i < count; ++i) AddFlow(category + "cbr", stas.Get(next++), apDevice, category, 160);
  auto phase = CreateObject<UniformRandomVariable>();
  start = 1.1 + 0.005 * flows.size();
  for (uint32_t k = 0; k < flows.size(); ++k) {
    Simulator::Schedule(Seconds(1.0 + 0.005 * k), &Fill, k, 4);
    if (k < bulk) Simulator::Schedule(Seconds(start), &Fill, k, said.backlog);
    else Simulator::Schedule(Seconds(start + phase->GetValue(0, 0.02)), &Call, k);
  }
  since = start + said.warm;
  Simulator::Schedule(Seconds(0.85), [&] {
    DynamicCast<WifiNetDevice>(apDevice)->GetMac()->SetAttribute("BeaconGeneration", BooleanValue(false));
  });
  Simulator::Stop(Seconds(since + said.dur));
  Simulator::Run();
  Print();
  Simulator::Destroy();
}
