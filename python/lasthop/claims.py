"""`lasthop.claims`, as users import it; its home is `lasthop.study.claims`."""

from lasthop.study.claims import *  # noqa: F403 (the public name of it)
