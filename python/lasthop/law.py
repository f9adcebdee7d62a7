"""`lasthop.law`, as users import it; its home is `lasthop.core.python_law`."""

from lasthop.core.python_law import *  # noqa: F403 (the public name of it)
