"""`lasthop.measured`, as users import it; its home is `lasthop.data.measured`."""

from lasthop.data.measured import *  # noqa: F403 (the public name of it)
