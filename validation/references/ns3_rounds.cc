// ns-3.37's congestion control round by round: the numbers of ns3_rounds.json. Of ns-3 it uses the public interface.
//
//   g++ -O1 -std=c++17 ns3_rounds.cc -o rounds $(pkg-config --cflags --libs ns3-internet ns3-core)
//   ./rounds --scenario=B > ns3_rounds.json   (libgsl-dev is needed to link)
//
// Segments of 1000 B, a window of 10, a threshold of 40. A round is an acknowledgement of a segment for each whole segment
// of the window, RTT/n apart; each tells the round-trip time, then that a segment was acknowledged.
// Scenario A: 100 ms, losses before rounds 40 and 80, 120 rounds. Scenario B: max(100 ms, window/(500 segments/s)), a loss
// before each round that begins above 100 segments, 150 rounds. A loss: the threshold by ns-3, the window down to it.
// A row: [round, its end, window, threshold, round trip], or ["loss_before_round", round, time, window, threshold].
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>
using namespace ns3;
static const uint32_t kSegment = 1000;

struct Driver {
  Ptr<TcpCongestionOps> ops;
  Ptr<TcpSocketState> tcb = CreateObject<TcpSocketState>();
  bool queue = false;
  int round = 0;
  uint32_t acked = 0;
  std::vector<std::string> rows;

  Driver(const std::string& algorithm, bool withQueue) : queue(withQueue) {
    ObjectFactory factory; factory.SetTypeId("ns3::" + algorithm);
    ops = factory.Create<TcpCongestionOps>();
    tcb->m_segmentSize = kSegment;
    tcb->m_initialCWnd = 10; tcb->m_cWnd = 10 * kSegment;
    tcb->m_initialSsThresh = 40 * kSegment; tcb->m_ssThresh = 40 * kSegment;
    ops->Init(tcb);
  }
  template <typename... T> void Row(const char* format, T... values) {
    char text[200]; snprintf(text, sizeof text, format, values...); rows.push_back(text);
  }
  void Begin() {
    if (round == (queue ? 150 : 120)) return;
    if (queue ? tcb->m_cWnd.Get() > 100 * kSegment : round == 40 || round == 80) {
      tcb->m_ssThresh = ops->GetSsThresh(tcb, tcb->m_cWnd.Get());
      tcb->m_cWnd = tcb->m_ssThresh.Get();
      Row("[\"loss_before_round\", %d, %.9g, %u, %u]", round, Simulator::Now().GetSeconds(), tcb->m_cWnd.Get(), tcb->m_ssThresh.Get());
    }
    double rtt = queue ? std::max(0.1, double(tcb->m_cWnd.Get()) / kSegment / 500) : 0.1;
    uint32_t n = tcb->m_cWnd.Get() / kSegment;
    tcb->m_nextTxSequence = SequenceNumber32(acked + n * kSegment);
    for (uint32_t i = 1; i <= n; i++) Simulator::Schedule(Seconds(rtt * i / n), &Driver::Ack, this, rtt, i == n);
  }
  void Ack(double rtt, bool last) {
    tcb->m_lastAckedSeq = SequenceNumber32(acked += kSegment);
    tcb->m_lastRtt = Seconds(rtt);
    tcb->m_minRtt = std::min(tcb->m_minRtt, Seconds(rtt));
    ops->PktsAcked(tcb, 1, Seconds(rtt));
    ops->IncreaseWindow(tcb, 1);
    if (!last) return;
    Row("[%d, %.9g, %u, %u, %.9g]", round, Simulator::Now().GetSeconds(), tcb->m_cWnd.Get(), tcb->m_ssThresh.Get(), rtt);
    round++;
    Begin();
  }
};

int main(int argc, char** argv) {
  std::string scenario = "B";
  CommandLine cmd; cmd.AddValue("scenario", "A or B", scenario); cmd.Parse(argc, argv);
  Config::SetDefault("ns3::TcpCubic::HyStart", BooleanValue(false));
  printf("{ \"source\": \"ns-3.37 (Debian libns3-dev 3.37-2), runs of this project: ns3_rounds.cc\",\n  \"cases\": [\n");
  const char* names[] = {"TcpNewReno", "TcpLinuxReno", "TcpVegas", "TcpVeno", "TcpBic", "TcpCubic", "TcpHtcp", "TcpHybla",
                         "TcpIllinois", "TcpYeah", "TcpHighSpeed", "TcpScalable"};
  const char* between = "";
  for (const char* name : names) {
    Driver driver(name, scenario == "B");
    driver.Begin();
    Simulator::Run(); Simulator::Destroy();
    printf("%s    { \"id\": \"traj-%s:%s\", \"scenario\": \"%s\", \"algorithm\": \"%s\", \"rows\": [", between, scenario.c_str(), name, scenario.c_str(), name);
    for (size_t i = 0; i < driver.rows.size(); i++) printf("%s%s%s", i ? "," : "", i % 4 ? " " : "\n      ", driver.rows[i].c_str());
    printf("] }");
    between = ",\n";
  }
  printf("\n  ] }\n");
}
