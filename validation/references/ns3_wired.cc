// One TCP flow over the wired bottleneck of `lasthop validate wired_ns3`, in ns-3.37 or 3.44: what its rows say, and what removes a
// difference from them: --d2 the delay of the bottleneck, --rttwin the window of BBR (1000s: no ProbeRTT), --cc TcpWPlus a Westwood+ of
// our own, whose RULES in the environment count all that an acknowledgement covers after a timeout (`loss`) or with duplicates
// (`disorder`), where ns-3 counts less. --trace=1 prints windows, states and segments. Of ns-3 it uses the public interface.
//   g++ -O1 -std=c++17 ns3_wired.cc -o wired $(pkg-config --cflags --libs ns3-applications ns3-internet ns3-point-to-point)
#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
using namespace ns3;

static bool Rule(const char* n) { const char* r = getenv("RULES"); return r && strstr(r, n); }
class TcpWPlus : public TcpNewReno {
public:
  static TypeId GetTypeId() { static TypeId t = TypeId("ns3::TcpWPlus").SetParent<TcpNewReno>().AddConstructor<TcpWPlus>(); return t; }
  TypeId GetInstanceTypeId() const { return GetTypeId(); }
  std::string GetName() const override { return "TcpWPlus"; }
  Ptr<TcpCongestionOps> Fork() override { return CreateObject<TcpWPlus>(*this); }
  double est = 0, inner = 0, counted = 0; SequenceNumber32 prev{1}; bool running = false; EventId ev; Time lasts;
  void Sample(double b) { est = 0.9 * est + 0.1 * (b + inner) / 2; inner = b; }
  void End() { running = false; Sample(counted / lasts.GetSeconds()); counted = 0; }
  void PktsAcked(Ptr<TcpSocketState> tcb, uint32_t n, const Time& rtt) override {
    if (rtt.IsZero()) { prev = tcb->m_lastAckedSeq; return; }
    uint32_t cov = tcb->m_lastAckedSeq > prev ? (tcb->m_lastAckedSeq - prev) / 1000 : 0;
    prev = tcb->m_lastAckedSeq;
    auto st = tcb->m_congState.Get();
    if (st == TcpSocketState::CA_LOSS && cov > 0 && n != cov && Rule("loss")) n = cov;
    if (st == TcpSocketState::CA_DISORDER && cov > 0 && n != cov && Rule("disorder")) n = cov;
    counted += n;
    if (!running) { running = true; lasts = rtt; ev.Cancel(); ev = Simulator::Schedule(rtt, &TcpWPlus::End, this); }
  }
  uint32_t GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t) override {
    return std::max(2000u, uint32_t(est * 1000 * tcb->m_minRtt.GetSeconds()));
  }
};
NS_OBJECT_ENSURE_REGISTERED(TcpWPlus);

static uint64_t atTen = 0, sent = 0, resent = 0, rtos = 0, qdrops = 0, errs = 0;
static double area = 0, since = 0, cwnd = 0;
static bool trace = false;
static double sumss = 0; static int cuts = 0;
static SequenceNumber32 high(0);
static void Cwnd(uint32_t, uint32_t now) {
  double t = Simulator::Now().GetSeconds(); area += cwnd * (t - since); since = t; cwnd = now / 1000.0;
  if (trace) printf("%.6f cwnd %.3f\n", t, cwnd);
}
static void State(TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t to) {
  if (to == TcpSocketState::CA_LOSS) rtos++;
  if (trace) printf("%.6f state %s\n", Simulator::Now().GetSeconds(), TcpSocketState::TcpCongStateName[to]);
}
static void Ssth(uint32_t, uint32_t now) { cuts++; sumss += now / 1000.0; if (trace) printf("%.6f ssthresh %.3f\n", Simulator::Now().GetSeconds(), now / 1000.0); }
static void Tx(Ptr<const Packet> p, const TcpHeader& h, Ptr<const TcpSocketBase>) {
  if (!p->GetSize()) return;
  sent++;
  if (h.GetSequenceNumber() < high) { resent++; if (trace) printf("%.6f resend %u\n", Simulator::Now().GetSeconds(), h.GetSequenceNumber().GetValue()/1000); }
  else { high = h.GetSequenceNumber() + p->GetSize(); if (trace) printf("%.6f send %u\n", Simulator::Now().GetSeconds(), h.GetSequenceNumber().GetValue()/1000); }
}
static void Rx(Ptr<const Packet> p, const TcpHeader& h, Ptr<const TcpSocketBase>) {
  if (trace) printf("%.6f ack %u\n", Simulator::Now().GetSeconds(), h.GetAckNumber().GetValue()/1000);
}
static void Drop(Ptr<const Packet>) { qdrops++; if (trace) printf("%.6f drop\n", Simulator::Now().GetSeconds()); }
static void Err(Ptr<const Packet>) { errs++; }
static void Hook() {
  Config::ConnectWithoutContext("/NodeList/0/$ns3::TcpL4Protocol/SocketList/0/CongestionWindow", MakeCallback(&Cwnd));
  Config::ConnectWithoutContext("/NodeList/0/$ns3::TcpL4Protocol/SocketList/0/CongState", MakeCallback(&State));
  Config::ConnectWithoutContext("/NodeList/0/$ns3::TcpL4Protocol/SocketList/0/SlowStartThreshold", MakeCallback(&Ssth));
  Config::ConnectWithoutContext("/NodeList/0/$ns3::TcpL4Protocol/SocketList/0/Tx", MakeCallback(&Tx));
  Config::ConnectWithoutContext("/NodeList/0/$ns3::TcpL4Protocol/SocketList/0/Rx", MakeCallback(&Rx));
}
int main(int argc, char** argv) {
  std::string cc = "TcpNewReno", rec = "TcpPrrRecovery"; uint32_t q = 100, seed = 1; double p = 0, seconds = 100, minrto = 1; bool ts = true;
  double start = 0; std::string d2 = "20ms", rttwin; 
  CommandLine cmd;
  cmd.AddValue("cc", "", cc); cmd.AddValue("rec", "", rec); cmd.AddValue("q", "", q); cmd.AddValue("seed", "", seed); cmd.AddValue("p", "", p);
  cmd.AddValue("t", "", seconds); cmd.AddValue("d2", "", d2); cmd.AddValue("rttwin", "", rttwin); cmd.AddValue("minrto", "", minrto); cmd.AddValue("ts", "", ts); cmd.AddValue("trace", "", trace); cmd.AddValue("start", "", start);
  cmd.Parse(argc, argv);
  if (cc == "TcpWestwoodPlus") { cc = "TcpWestwood"; Config::SetDefault("ns3::TcpWestwood::ProtocolType", EnumValue(1)); Config::SetDefault("ns3::TcpWestwood::FilterType", EnumValue(1)); }
  RngSeedManager::SetSeed(1); RngSeedManager::SetRun(seed);
  Config::SetDefault("ns3::TcpL4Protocol::SocketType", TypeIdValue(TypeId::LookupByName("ns3::" + cc)));
  Config::SetDefault("ns3::TcpL4Protocol::RecoveryType", TypeIdValue(TypeId::LookupByName("ns3::" + rec)));
  Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1000));
  Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
  Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(1));
  Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(100000000));
  Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(100000000));
  Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(ts));
  Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(Seconds(minrto)));
  if (!rttwin.empty()) Config::SetDefault("ns3::TcpBbr::RttWindowLength", StringValue(rttwin));
  NodeContainer n; n.Create(3);
  InternetStackHelper stack; stack.Install(n);
  PointToPointHelper a, b;
  a.SetDeviceAttribute("DataRate", StringValue("100Mbps")); a.SetChannelAttribute("Delay", StringValue("1ms")); a.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("100000p"));
  b.SetDeviceAttribute("DataRate", StringValue("10Mbps")); b.SetChannelAttribute("Delay", StringValue(d2)); b.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue(std::to_string(q) + "p"));
  NetDeviceContainer da = a.Install(n.Get(0), n.Get(1)), db = b.Install(n.Get(1), n.Get(2));
  DynamicCast<PointToPointNetDevice>(db.Get(0))->GetQueue()->TraceConnectWithoutContext("Drop", MakeCallback(&Drop));
  if (p > 0) {
    auto em = CreateObject<RateErrorModel>(); em->SetUnit(RateErrorModel::ERROR_UNIT_PACKET); em->SetRate(p);
    db.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(em));
    db.Get(1)->TraceConnectWithoutContext("PhyRxDrop", MakeCallback(&Err));
  }
  Ipv4AddressHelper ip; ip.SetBase("10.0.0.0", "255.255.255.0"); ip.Assign(da); ip.SetBase("10.0.1.0", "255.255.255.0");
  auto ib = ip.Assign(db);
  TrafficControlHelper none; none.Uninstall(da); none.Uninstall(db);
  Ipv4GlobalRoutingHelper::PopulateRoutingTables();
  PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), 5000));
  auto sinks = sink.Install(n.Get(2));
  BulkSendHelper bulk("ns3::TcpSocketFactory", InetSocketAddress(ib.GetAddress(1), 5000)); bulk.SetAttribute("SendSize", UintegerValue(1000));
  auto apps = bulk.Install(n.Get(0)); apps.Start(Seconds(start));
  Simulator::Schedule(Seconds(start) + NanoSeconds(1), &Hook);
  auto s = DynamicCast<PacketSink>(sinks.Get(0));
  Simulator::Schedule(Seconds(10), +[](Ptr<PacketSink> s) { atTen = s->GetTotalRx(); }, s);
  Simulator::Stop(Seconds(seconds));
  Simulator::Run();
  area += cwnd * (seconds - since);
  printf("goodput %.5f after10 %.5f cwnd %.3f retx %lu rto %lu qdrops %lu err %lu sent %lu cuts %d meanss %.2f\n", s->GetTotalRx() * 8e-6 / seconds, (s->GetTotalRx() - atTen) * 8e-6 / (seconds - 10), area / seconds, resent, rtos, qdrops, errs, sent, cuts, cuts ? sumss / cuts : 0);
}
