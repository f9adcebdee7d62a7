// Where ns-3.37's tables of simulated links lose 50, 10 and 1 % of frames with LDPC: the numbers of ns3_ldpc.csv. Of ns-3 it uses
// the public interface.
//
//   g++ -O1 -std=c++17 ns3_ldpc.cc -o ldpc $(pkg-config --cflags --libs ns3-wifi)
//   ./ldpc > ns3_ldpc.csv
#include "ns3/core-module.h"
#include "ns3/wifi-module.h"
#include <cmath>
#include <cstdio>
using namespace ns3;

static double Lost(Ptr<TableBasedErrorRateModel> model, WifiTxVector tx, double db, uint64_t bytes) {
  return 1 - model->GetChunkSuccessRate(tx.GetMode(), tx, std::pow(10.0, db / 10), bytes * 8);
}

// Up to where the frame is lost more often than this. The table has steps, between which ns-3 interpolates.
static double Where(Ptr<TableBasedErrorRateModel> model, WifiTxVector tx, double share, uint64_t bytes) {
  double low = -10, high = 50;
  for (int i = 0; i < 60; i++) {
    double middle = (low + high) / 2;
    (Lost(model, tx, middle, bytes) > share ? low : high) = middle;
  }
  return low;
}

int main() {
  auto model = CreateObject<TableBasedErrorRateModel>();
  std::printf("mcs,bytes,half_db,tenth_db,hundredth_db\n");
  for (int mcs = 0; mcs < 12; mcs++)
    for (uint64_t bytes : {32, 1458}) {
      WifiTxVector tx;
      tx.SetMode(HePhy::GetHeMcs(mcs));
      tx.SetPreambleType(WIFI_PREAMBLE_HE_SU);
      tx.SetChannelWidth(20);
      tx.SetNss(1);
      tx.SetLdpc(true);
      std::printf("%d,%d,%.2f,%.2f,%.2f\n", mcs, int(bytes), Where(model, tx, 0.5, bytes), Where(model, tx, 0.1, bytes),
                  Where(model, tx, 0.01, bytes));
    }
}
