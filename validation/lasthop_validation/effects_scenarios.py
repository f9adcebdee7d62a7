"""The scenarios of `effects`, to be filled in."""

from __future__ import annotations

HEAD = """
name = "effect"
duration = "{duration} s"
warmup = "5 s"
"""

UPLINK = """
[[flow]]
name = "up"
from = "sta*"
to = "ap"
transport = "udp"
app = {{ kind = "saturated", payload = "{payload} B" }}
"""

ANOMALY = (
    HEAD
    + """
[medium]
reception = "thresholds"

[[cell]]
name = "cell"
access_point = "ap"
stations = {stations}
placement = "circle 5 m"

[phy]
standard = "802.11b"
rate = "11 Mbps"
control_rate = "1 Mbps"

[mac]
retry_limit = 7

[[node]]
name = "sta1"
rate = "1 Mbps"
"""
    + UPLINK
)

HIDDEN = (
    HEAD
    + """
[medium]
path_loss = "two_ray"
frequency = "914 MHz"
tx_power = "0.28183815 W"
reception = "thresholds"
rx_threshold = "3.652e-10 W"

[[cell]]
name = "cell"
access_point = "ap"
stations = 2

[phy]
standard = "802.11"
rate = "2 Mbps"
control_rate = "1 Mbps"
preamble = "long"

[mac]
rts = "{rts}"
retry_limit = 7

[[node]]
name = "ap"
position = [0, 0]

[[node]]
name = "sta1"
position = [-{apart}, 0]

[[node]]
name = "sta2"
position = [{apart}, 0]
"""
    + UPLINK
)

NEAR_AND_FAR = (
    HEAD
    + """
[medium]
path_loss = "log_distance"
exponent = 3
reception = "thresholds"
capture_db = {capture}

[[cell]]
name = "cell"
access_point = "ap"
stations = 10

[phy]
standard = "802.11b"
rate = "11 Mbps"

[[node]]
name = "ap"
position = [0, 0]

[[node]]
name = "sta*"
position = [40, 0]

[[node]]
name = "sta1"
position = [5, 0]
"""
    + UPLINK
)

TWO_WAYS = (
    HEAD
    + """
[[link]]
ends = ["server", "ap"]
rate = "100 Mbps"
delay = "1 ms"
queue = "unlimited"

[[cell]]
name = "cell"
access_point = "ap"
stations = 2
queue = {queue}

[phy]
standard = "802.11b"
rate = "11 Mbps"

[tcp]
window = "42 packets"

[[flow]]
name = "up"
from = "sta1"
to = "server"
transport = "tcp"

[[flow]]
name = "down"
from = "server"
to = "sta2"
transport = "tcp"
"""
)

ALONE = (
    HEAD
    + """
[medium]
path_loss = "log_distance"
exponent = 2.7
shadowing_db = 4
frequency = "914 MHz"
tx_power = "0.28183815 W"
reception = "{reception}"
{thresholds}

[[cell]]
name = "cell"
access_point = "ap"
stations = 1

[phy]
standard = "802.11g"
rate = "{rate} Mbps"

[mac]
retry_limit = {limit}

[[node]]
name = "ap"
position = [0, 0]

[[node]]
name = "sta1"
position = [{distance}, 0]

[[flow]]
name = "up"
from = "sta1"
to = "ap"
transport = "udp"
app = {app}
"""
)
