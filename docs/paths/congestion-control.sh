# The author of a congestion control: a law, its checks, where it wins, and a dossier for reviewers.
set -eu
lasthop new law Mine
lasthop conformance law mine.py:Mine
lasthop run dumbbell --law mine.py:Mine --seed 1
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
lasthop duel mine.py:Mine cubic --over conditions.toml --tables duel.tex
lasthop duel vegas cubic --over wired --replications 1 --no-share
lasthop evaluate reno --replications 2

# In Rust, at the speed of lasthop's own laws.
lasthop new law Fast --rust
if command -v cargo > cargo.txt; then
  (cd fast && cargo build --release --offline)
  lasthop run dumbbell --law "$(ls fast/target/release/*fast.* | grep -E '(so|dylib|dll)$')" --seed 1
else
  echo "there is no cargo to build it with"
fi
