#!/bin/sh
# Makes ns2_lan.csv with ns-2.35: 10 Mbit/s, 4 us from any station to any other, 5 s; a row for each case, the mean of what all stations carry
# together over seeds 1 to RUNS (TCP_RUNS), Mbit/s of payload, and the half width of its 95 % interval (normal).
RUNS=${RUNS:-8}
TCP_RUNS=${TCP_RUNS:-24}
cd "$(dirname "$0")" || exit 1
row() { # the case's columns, seconds counted
    awk -v of="$1" -v seconds="$2" '
    { all = 0; for (i = 1; i <= NF; i++) all += $i; rate = all * 8 / seconds / 1e6; sum += rate; square += rate * rate }
    END {
        mean = sum / NR; spread = square / NR - mean * mean; if (spread < 0) spread = 0
        printf "%s,%.6g,%.3g,%d\n", of, mean, 1.96 * sqrt(spread / (NR - 1)), NR
    }'
}
{
    echo "scene,stations,payload,queue,mean,ci95,runs"
    for payload in 1486 512 128; do for stations in 2 5 10 20 50; do
        for seed in $(seq "$RUNS"); do
            ns ns2_lan.tcl udp $stations $payload 1e7 4e-6 0 50 32 5 "$seed" 2>/dev/null
        done | row "udp,$stations,$payload,50" 4
    done; done
    for scene in hosts server; do for queue in 50 100000; do for sessions in 10 50; do
        for seed in $(seq "$TCP_RUNS"); do
            ns ns2_lan.tcl $scene $sessions 128 1e7 4e-6 10us $queue 32 5 "$seed" 2>/dev/null
        done | row "$scene,$sessions,128,$queue" 5
    done; done; done
} > ns2_lan.csv
