#!/usr/bin/env bash
# Audits $STUDY: the verdicts go into the job's summary, the badge into $BADGE.svg and $BADGE.json, counts into the outputs.
set -euo pipefail
command -v lasthop >/dev/null || python3 -m pip install --quiet "$LASTHOP"
summary="$RUNNER_TEMP/lasthop-verdicts.md"
document="$RUNNER_TEMP/lasthop-audit.json"
read -ra options <<<"${OPTIONS:-}"
lasthop audit "$STUDY" --summary "$summary" --badge "$BADGE.svg" --badge "$BADGE.json" --json "${options[@]}" >"$document"
cat "$summary" >>"$GITHUB_STEP_SUMMARY"
python3 - "$document" >>"$GITHUB_OUTPUT" <<'END'
import json, sys

with open(sys.argv[1], encoding="utf-8") as file:
    verdicts = [claim["verdict"] for claim in json.load(file)["claims"]]
print(f"claims={len(verdicts)}")
print(f"holds={verdicts.count('holds')}")
print(f"broken={sum(each.startswith(('does not hold', 'holds in part')) for each in verdicts)}")
END
echo "summary=$summary" >>"$GITHUB_OUTPUT"
