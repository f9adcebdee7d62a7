"""`lasthop.stats`, as users import it; its home is `lasthop.numbers.stats`."""

from lasthop.numbers.stats import *  # noqa: F403 (the public name of it)
