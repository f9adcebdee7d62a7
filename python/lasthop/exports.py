"""`lasthop.exports`, as users import it; its home is `lasthop.data.exports`."""

from lasthop.data.exports import *  # noqa: F403 (the public name of it)
