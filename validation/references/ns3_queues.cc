// A bulk download and a call through a bottleneck, a wire or an access point, with a queue discipline of ns-3.37 before it:
// the numbers of ns3_queues.csv. Of ns-3 it uses the public interface.
//
//   g++ -O1 -std=c++17 ns3_queues.cc -o queues $(pkg-config --cflags --libs ns3-wifi ns3-applications ns3-flow-monitor \
//       ns3-internet ns3-point-to-point ns3-traffic-control ns3-mobility)
//   ./queues --disc=codel --wifi=yes --run=1 --dur=65
#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/flow-monitor-module.h"
#include "ns3/internet-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"
#include "ns3/wifi-module.h"
#include <iostream>
using namespace ns3;
static double sum = 0, cnt = 0; static uint64_t bytes = 0; static double warm = 5;
static void Rx(Ptr<const Packet> p, const Address&) { if (Simulator::Now().GetSeconds() >= warm) bytes += p->GetSize(); }
int main(int argc, char** argv) {
  std::string disc = "codel", wifi = "yes"; uint32_t run = 1; double dur = 35; uint32_t mac = 1; std::string tcp="TcpNewReno";
  CommandLine cmd; cmd.AddValue("disc","",disc); cmd.AddValue("run","",run); cmd.AddValue("wifi","",wifi); cmd.AddValue("dur","",dur); cmd.AddValue("mac","",mac); cmd.AddValue("tcp","",tcp);
  cmd.Parse(argc, argv);
  RngSeedManager::SetRun(run);
  Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::" + tcp));
  Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
  Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
  Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(4 << 20));
  Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(4 << 20));
  Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(1));
  Config::SetDefault("ns3::WifiMacQueue::MaxSize", QueueSizeValue(QueueSize(std::to_string(mac) + "p")));
  Config::SetDefault("ns3::WifiMacQueue::MaxDelay", TimeValue(Seconds(100)));
  NodeContainer server, ap, sta; server.Create(1); ap.Create(1); sta.Create(1);
  PointToPointHelper wire; wire.SetDeviceAttribute("DataRate", StringValue("100Mbps")); wire.SetChannelAttribute("Delay", StringValue("10ms"));
  auto wired = wire.Install(server.Get(0), ap.Get(0));
  NetDeviceContainer radio;
  if (wifi == "yes") {
    WifiHelper w; w.SetStandard(WIFI_STANDARD_80211a);
    w.SetRemoteStationManager("ns3::ConstantRateWifiManager", "DataMode", StringValue("OfdmRate12Mbps"), "ControlMode", StringValue("OfdmRate12Mbps"));
    YansWifiChannelHelper ch = YansWifiChannelHelper::Default(); YansWifiPhyHelper phy; phy.SetChannel(ch.Create());
    WifiMacHelper m; Ssid ssid("x");
    m.SetType("ns3::ApWifiMac", "Ssid", SsidValue(ssid), "QosSupported", BooleanValue(false), "BeaconGeneration", BooleanValue(true));
    radio.Add(w.Install(phy, m, ap));
    m.SetType("ns3::StaWifiMac", "Ssid", SsidValue(ssid), "QosSupported", BooleanValue(false));
    radio.Add(w.Install(phy, m, sta));
    MobilityHelper mob; auto pos = CreateObject<ListPositionAllocator>(); pos->Add(Vector(0,0,0)); pos->Add(Vector(5,0,0)); mob.SetPositionAllocator(pos);
    mob.Install(ap); mob.Install(sta);
  } else {
    PointToPointHelper slow; slow.SetDeviceAttribute("DataRate", StringValue("10Mbps")); slow.SetChannelAttribute("Delay", StringValue("5ms"));
    slow.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("1p"));
    radio = slow.Install(ap.Get(0), sta.Get(0));
  }
  InternetStackHelper stack; stack.InstallAll();
  TrafficControlHelper tc;
  if (disc == "droptail") tc.SetRootQueueDisc("ns3::FifoQueueDisc", "MaxSize", StringValue("100p"));
  if (disc == "codel") tc.SetRootQueueDisc("ns3::CoDelQueueDisc", "MaxSize", StringValue("1000p"));
  if (disc == "fq_codel") tc.SetRootQueueDisc("ns3::FqCoDelQueueDisc");
  if (disc == "fq_cobalt") tc.SetRootQueueDisc("ns3::FqCobaltQueueDisc");
  if (disc == "pie") tc.SetRootQueueDisc("ns3::PieQueueDisc", "MaxSize", StringValue("1000p"), "MaxBurstAllowance", StringValue("150ms"), "UseDerandomization", BooleanValue(true));
  if (disc == "red") tc.SetRootQueueDisc("ns3::RedQueueDisc", "MaxSize", StringValue("1000p"), "MinTh", DoubleValue(5), "MaxTh", DoubleValue(15), "LInterm", DoubleValue(10), "LinkBandwidth", StringValue("10Mbps"));
  TrafficControlHelper fifo; fifo.SetRootQueueDisc("ns3::FifoQueueDisc", "MaxSize", StringValue("1000p"));
  fifo.Install(wired.Get(0)); fifo.Install(wired.Get(1)); fifo.Install(radio.Get(1));
  auto qd = tc.Install(radio.Get(0));
  Ipv4AddressHelper a; a.SetBase("10.0.0.0", "255.255.255.0"); a.Assign(wired); a.SetBase("10.0.1.0", "255.255.255.0"); auto addr = a.Assign(radio);
  Ipv4GlobalRoutingHelper::PopulateRoutingTables();
  BulkSendHelper bulk("ns3::TcpSocketFactory", InetSocketAddress(addr.GetAddress(1), 5000)); bulk.SetAttribute("SendSize", UintegerValue(1448));
  auto src = bulk.Install(server.Get(0)); src.Start(Seconds(1)); src.Stop(Seconds(dur));
  PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), 5000)); auto sk = sink.Install(sta.Get(0)); sk.Start(Seconds(0));
  sk.Get(0)->TraceConnectWithoutContext("Rx", MakeCallback(&Rx));
  UdpClientHelper call(addr.GetAddress(1), 6000); call.SetAttribute("MaxPackets", UintegerValue(1000000)); call.SetAttribute("Interval", StringValue("20ms")); call.SetAttribute("PacketSize", UintegerValue(172));
  auto c = call.Install(server.Get(0)); c.Start(Seconds(1.003)); c.Stop(Seconds(dur));
  UdpServerHelper us(6000); us.Install(sta.Get(0));
  FlowMonitorHelper fh; auto fm = fh.InstallAll();
  Simulator::Stop(Seconds(warm)); Simulator::Run();
  fm->CheckForLostPackets(); auto before = fm->GetFlowStats();
  Simulator::Stop(Seconds(dur - warm)); Simulator::Run();
  fm->CheckForLostPackets();
  auto cls = DynamicCast<Ipv4FlowClassifier>(fh.GetClassifier());
  double callDelay = 0, bulkDelay = 0; uint64_t lost = 0;
  for (auto& f : fm->GetFlowStats()) { auto t = cls->FindFlow(f.first); auto b = before[f.first];
    double n = f.second.rxPackets - b.rxPackets, d = (f.second.delaySum - b.delaySum).GetSeconds();
    if (t.destinationPort == 6000) { callDelay = d / n; lost = f.second.txPackets - f.second.rxPackets; }
    if (t.destinationPort == 5000) bulkDelay = d / n; }
  auto st = qd.Get(0)->GetStats();
  std::cout << disc << " run " << run << " goodput_mbps " << bytes * 8 / (dur - warm) / 1e6 << " call_ms " << callDelay * 1e3 << " bulk_ms " << bulkDelay * 1e3 << " call_lost " << lost << " drops " << st.nTotalDroppedPackets << std::endl;
}
