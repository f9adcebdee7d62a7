# A Wi-Fi engineer's question: which queue and how long for a call beside downloads in my cell?
set -eu
lasthop new wifi office --stations 6 --phy 802.11g --downloads cubic --calls 1 --loss 2% --duration '10 s'
lasthop run office.toml
lasthop new study queues --scenario office.toml --over queue.discipline=drop_tail,fq_codel --over queue.packets=20,100 --metric download-*.goodput_bps --metric call-1-down.delay_s.p95 --replications 3
lasthop sweep queues.toml --tables queues.png
lasthop audit queues.toml --summary verdicts.md
lasthop report out/queues
