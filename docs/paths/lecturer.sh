# A lecturer: a page to hand out, and the runs behind it.
set -eu
lasthop list lessons
lasthop demo hidden --no-open
lasthop demo bufferbloat --no-open
