# A user of a cluster: the same study in shards, which any number of machines work on, then its results.
set -eu
lasthop sweep retry_and_queue --quick --set 'duration=6 s' --out shared
lasthop results shared --tables results.svg
lasthop results shared --export results.parquet
lasthop plot shared --y goodput_bps --out goodput.pdf
