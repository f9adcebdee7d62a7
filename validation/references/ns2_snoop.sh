#!/bin/sh
# Makes ns2_snoop.csv with ns-2.35: a row for each case and quantity, the mean over seeds 1 to RUNS and the half width of its 95 % interval
# (normal). Goodput in kbit/s over 100 s; retransmissions by the sender; copies by the agent.
RUNS=${RUNS:-20}
cd "$(dirname "$0")" || exit 1
{
    echo "variant,snoop,loss,delay_ms,quantity,mean,ci95,runs"
    for delay in 5 50; do for variant in reno newreno sack; do for snoop in 0 1; do for loss in 0 0.005 0.01 0.02 0.05; do
        for seed in $(seq "$RUNS"); do
            ns ns2_snoop.tcl $variant $snoop $loss 110 10 "$seed" $delay 2>/dev/null
        done | awk -v of="$variant,$snoop,$loss,$delay" -v quantities="goodput sender copies" '
        { $1 /= 1000; for (i = 1; i <= 3; i++) { sum[i] += $i; square[i] += $i * $i } }
        END {
            split(quantities, name, " ")
            for (i = 1; i <= 3; i++) {
                mean = sum[i] / NR; spread = square[i] / NR - mean * mean
                if (spread < 0) spread = 0
                printf "%s,%s,%.6g,%.4g,%d\n", of, name[i], mean, 1.96 * sqrt(spread / (NR - 1)), NR
            }
        }'
    done; done; done; done
} > ns2_snoop.csv
