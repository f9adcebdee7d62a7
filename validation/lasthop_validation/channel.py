"""Frame loss on channels with states: the engine against the closed form.

One station sends a datagram now and then, far enough apart that the channel has forgotten the last
one, and tries each once; so every frame meets the channel in its stationary state.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from lasthop.numbers import stats
from lasthop_validation import theory
from lasthop_validation.judging import Case

OVERHEAD = 28 + 36
"""UDP and IP header, then MAC header, LLC/SNAP and FCS, bytes."""
PERIOD_S = 0.5
"""At least ten relaxation times (25 ms with two states, 42 ms with four) of the channel."""
SIZES = (100, 500, 1000, 1500, 2000)
"""Bytes of MAC frame. Control frames (14 and 20 B) are covered by the tests of the radio crate."""
REPLICATIONS = 100
REASON = "the closed form is exact: chance alone, which must be under 1 %"
RESOLUTION = 0.01
"""Chance must be under this (relative) for a row to say anything."""

TWO_STATES = """model = "gilbert_elliott"
mean_good = "100 ms"
mean_bad = "33.3 ms"
ber_good = 1e-6
ber_bad = 1e-2"""

MEANS_S = (0.1, 0.03, 0.01, 0.005)
BERS = (1e-6, 3e-5, 3e-4, 1e-2)
FOLLOWING = ((0, 1, 0, 0), (0.7, 0, 0.3, 0), (0, 0.5, 0, 0.5), (0, 0, 1, 0))
"""Four states of a fading signal, by state: mean sojourn, bit error rate, which state follows how often."""

FOUR_STATES = f"""model = "markov"
mean = {[f"{mean} s" for mean in MEANS_S]}
ber = {list(BERS)}
next = {[list(row) for row in FOLLOWING]}"""

SCENARIO = """
name = "channel"
duration = "5000 s"
warmup = "0 s"

[[cell]]
name = "cell"
access_point = "ap"
stations = 1

[phy]
standard = "802.11"
rate = "2 Mbps"
control_rate = "1 Mbps"
preamble = "long"

[mac]
rts = "never"
short_retry_limit = 1
long_retry_limit = 1

[channel]
{channel}
state_per = "receiver"
control_frames = false

[[flow]]
name = "spaced"
from = "sta1"
to = "ap"
transport = "udp"
app = {{ kind = "cbr", payload = "{payload} B", rate = "{rate} bps" }}
"""


def lost(run: Mapping[str, Any]) -> float:
    """Return the part of the packets that was lost."""
    (flow,) = run["flows"]
    return 1 - float(flow["packets_delivered"]) / float(flow["packets_sent"])


def cases(quick: bool) -> list[Case]:
    """Return a case for each channel and frame size."""
    rows = []
    sizes = SIZES[::2] if quick else SIZES
    # No bound but chance: the closed form is exact. So that chance calls a right engine off in one
    # of 20 comparisons only, the intervals of all rows and of their mean hold together.
    level = stats.bonferroni(2 * len(sizes) + 1)
    for channel, size in itertools.product((TWO_STATES, FOUR_STATES), sizes):
        payload = size - OVERHEAD
        text = SCENARIO.format(payload=payload, rate=payload * 8 / PERIOD_S, channel=channel)
        if channel == TWO_STATES:
            expected, states = theory.gilbert_elliott_loss(size, 2e6), ""
        else:
            expected, states = theory.chain_loss(size, 2e6, MEANS_S, BERS, FOLLOWING), ", 4 states"
        rows.append(
            Case(
                "closed form",
                f"{size} B{states}",
                text,
                lost,
                expected,
                0.0,
                REASON,
                replications=REPLICATIONS if channel == TWO_STATES else 250,
                level=level,
                resolution=RESOLUTION,
            )
        )
    return rows
