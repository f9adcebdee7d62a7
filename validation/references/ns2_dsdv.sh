#!/bin/sh
# Makes ns2_dsdv.csv with ns-2.35: a row for each case and quantity, the mean over seeds 1 to RUNS (CHAIN_RUNS) and the half width of its 95 %
# interval (normal). Counts: arrivals at the agents' layer, updates at the routing layer.
RUNS=${RUNS:-40}
CHAIN_RUNS=${CHAIN_RUNS:-200}
SECONDS_EACH=100
cd "$(dirname "$0")" || exit 1
trace=$(mktemp)
counts() { # nodes of stations: first, last
    awk -v first="$1" -v last="$2" '
    /^r .* AGT .* (tcp|cbr) / { came[$3]++; all++ }
    # Where addresses have levels an update that leaves is one that is forwarded.
    /^[sf] .* RTR .* message / { updates++; bytes += $8 }
    /^r .* RTR .* message / { heard++ }
    END {
        least = all
        for (i = first; i <= last; i++) if (came["_" i "_"] + 0 < least) least = came["_" i "_"] + 0
        print all + 0, (all ? least / all : 0), updates + 0, bytes + 0, heard + 0
    }' "$trace"
}
rows() { # the case's columns
    awk -v of="$1" -v quantities="arrived least_share updates update_bytes heard" '
    { for (i = 1; i <= 5; i++) { sum[i] += $i; square[i] += $i * $i } }
    END {
        split(quantities, name, " ")
        for (i = 1; i <= 5; i++) {
            mean = sum[i] / NR; spread = square[i] / NR - mean * mean
            if (spread < 0) spread = 0
            printf "%s,%s,%.6g,%.4g,%d\n", of, name[i], mean, 1.96 * sqrt(spread / (NR - 1)), NR
        }
    }'
}
{
    echo "scene,stations,rts,window,errors,quantity,mean,ci95,runs"
    for stations in 3 5 8; do
        for seed in $(seq "$CHAIN_RUNS"); do
            ns ns2_dsdv_chain.tcl $stations 200 $SECONDS_EACH "$seed" 0 40960 512 "$trace" >/dev/null 2>&1
            counts $((stations - 1)) $((stations - 1))
        done | rows "chain,$stations,always,0,0"
    done
    for errors in 0 1; do for rts in never always; do for window in 1 10; do
        [ $errors = 0 ] && [ $window = 1 ] && continue
        threshold=3000; [ $rts = always ] && threshold=0
        for seed in $(seq "$RUNS"); do
            ns ns2_dsdv_cell.tcl 5 1000 $window $threshold $SECONDS_EACH "$seed" $errors "$trace" >/dev/null 2>&1
            counts 2 6
        done | rows "cell,5,$rts,$window,$errors"
    done; done; done
} > ns2_dsdv.csv
rm -f "$trace"
