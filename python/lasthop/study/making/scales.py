"""What suits a network where nothing else is asked."""

from __future__ import annotations

from typing import NamedTuple

#: The PHYs whose stations have access categories and aggregates.
MODERN = ("802.11n", "802.11ac", "802.11ax")


class Scale(NamedTuple):
    """What suits a network, where nothing else is asked: its link, queues, length of a run and TCP variant."""

    rate: str
    queue: int
    duration: str
    variant: str


def scale_of(kind: str, phy: str) -> Scale:
    """Return the scale of a network.

    A link that is not faster than an access point of today, 802.11ax with 1.2 Gbit/s, would lose packets of slow
    start, and a queue shorter than an aggregate would be all that is seen; 1,000 packets are what Linux gives an
    interface. The ends have Linux's TCP, as the access point has Linux's queue.
    """
    if kind == "wifi" and phy in MODERN:
        return Scale("10 Gbps", 1000, "10 s", "linux-cubic")
    return Scale("10 Mbps" if kind == "wire" else "100 Mbps", 50, "60 s", "cubic")
