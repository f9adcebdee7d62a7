# The author of a congestion control: a law, its checks, and where it wins.
set -eu
lasthop new law Mine
lasthop conformance law mine.py:Mine
lasthop run dumbbell --law mine.py:Mine
cat > conditions.toml <<'END'
[study]
name = "conditions"
scenario = "dumbbell"
set = ["duration=25 s"]
replications = 3
metrics = ["goodput_bps"]

[axes]
link.0.delay = ["5 ms", "40 ms"]
END
lasthop duel mine.py:Mine cubic --over conditions.toml
