"""`lasthop.table`, as users import it; its home is `lasthop.numbers.table`."""

from lasthop.numbers.table import *  # noqa: F403 (the public name of it)
