# A lecturer: a page to hand out, the runs behind it, and a page to play with.
set -eu
lasthop list lessons
lasthop demo hidden --no-open
lasthop demo bufferbloat --no-open
lasthop playground two_stations --no-open || echo "exit $?: a checkout makes the page first, by make playground"
