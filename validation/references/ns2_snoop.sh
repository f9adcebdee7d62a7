#!/bin/sh
# Makes ns2_snoop.csv with ns-2.35: a row for each case and quantity, the mean over seeds 1 to RUNS and the half width of its 95 % interval
# (normal). Goodput in kbit/s over 100 s; retransmissions by the sender; copies by the agent.
#   NS2=DIR sh ns2_snoop.sh rules
# makes ns2_snoop_rules.csv with the agent of ns2_snoop_rules.cc; DIR has the source of ns-2.35 (its headers, with autoconf.h for this
# machine), and Debian's libtclcl1-dev those of Tcl.
RUNS=${RUNS:-20}
cd "$(dirname "$0")" || exit 1
agents="0 1"; losses="0 0.005 0.01 0.02 0.05"; into=ns2_snoop.csv
if [ "$1" = rules ]; then
    export RULES="${RULES:-fresh hold lost blocks timer}"
    agents=1; losses="0.005 0.01 0.02 0.05"; into=ns2_snoop_rules.csv
    # shellcheck disable=SC2046
    g++ -O1 -shared -fPIC -w -fpermissive -DUSE_INTERP_RESULT $(find "$NS2" -name '*.h' -printf '-I%h\n' | sort -u) \
        -I/usr/include/tcl -I/usr/include/tclcl ns2_snoop_rules.cc -o ns2_snoop_rules.so || exit 1
    trap 'rm -f ns2_snoop_rules.so' EXIT
fi
{
    echo "variant,snoop,loss,delay_ms,quantity,mean,ci95,runs"
    for delay in 5 50; do for variant in reno newreno sack; do for snoop in $agents; do for loss in $losses; do
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
} > $into
