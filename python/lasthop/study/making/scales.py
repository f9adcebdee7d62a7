"""What suits a network where nothing else is asked."""

from __future__ import annotations

from typing import NamedTuple

#: The PHYs whose stations have access categories and aggregates.
MODERN = ("802.11n", "802.11ac", "802.11ax")


class Scale(NamedTuple):
    """What suits how fast a network is, where nothing else is asked: its link, queues and length of a run."""

    rate: str
    queue: int
    duration: str


def scale_of(kind: str, phy: str) -> Scale:
    """Return the scale of a network.

    A link that is slower than an access point of today would be all that is seen, and so would a queue shorter
    than an aggregate; 1,000 packets are what Linux gives an interface.
    """
    if kind == "wifi" and phy in MODERN:
        return Scale("1 Gbps", 1000, "10 s")
    return Scale("10 Mbps" if kind == "wire" else "100 Mbps", 50, "60 s")
