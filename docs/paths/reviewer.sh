# A reviewer: does a published claim hold, and what does it rest on?
set -eu
lasthop list papers
lasthop reproduce petrovic2003 --quick --no-audit --table 1 --tables table.md
lasthop new paper jun2003
lasthop reproduce ./jun2003 --quick
