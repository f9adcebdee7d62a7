"""`lasthop.law`, as users import it; its home is `lasthop.core.law`."""

from lasthop.core.law import *  # noqa: F403 (the public name of it)
