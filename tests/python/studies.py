"""A small study for tests, and what a run of it that nothing disturbs gives."""

from pathlib import Path

import lasthop.study.sweeping
from lasthop.study.reader import parse
from lasthop.study.spec import Study

SCENARIO = """
duration = "1 s"

[[link]]
ends = ["server", "ap"]
rate = "5 Mbps"
delay = "2 ms"

[[cell]]
name = "cell"
access_point = "ap"
stations = ["phone", "laptop"]

[phy]
standard = "802.11"
rate = "2 Mbps"

[[flow]]
name = "voice"
from = "phone"
to = "server"
transport = "udp"
app = { kind = "cbr", rate = "32 kbps", payload = "200 B" }

[[flow]]
name = "bulk"
from = "server"
to = "laptop"
app = "bulk"
"""

STUDY = """
[study]
name = "small"
scenario = "small.toml"
replications = 12
metrics = ["goodput", "voice.delay.p95", "jain"]

[axes]
"mac.short_retry_limit" = [2, 7]
tcp.window = ["4 packets", "16 packets"]
"""


def written(folder: Path, text: str = STUDY) -> Path:
    """Write the study and its scenario; return the study's path."""
    (folder / "small.toml").write_text(SCENARIO)
    path = folder / "study.toml"
    path.write_text(text)
    return path


def study(folder: Path, text: str = STUDY) -> Study:
    """Return the study."""
    return parse(text, str(written(folder, text)))


class Counting(lasthop.study.sweeping.Hooks):
    """Hooks that remember what was said and how much had to be computed."""

    def __init__(self):
        self.computed = 0
        self.messages = []
        super().__init__(forecast=self._forecast, said=self.messages.append)

    def _forecast(self, seconds, cores, count, known):
        assert seconds >= 0
        assert cores >= 1
        self.computed += count
