"""Linux's own TCP over links that the engine simulated: `linux-*` against kernel 6.12.

The kernel ran in virtual time over links of the same model, so that the link is no difference: what
remains is the sender and the receiver. A variant is named and nothing else, but for the window, since
the kernel's receive buffer was set. Means are over [10 s, 60 s] of the connection, weighted by time;
what was sent again counts from its begin.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from lasthop.numbers.stats import t_quantile
from lasthop_validation import oracles
from lasthop_validation.judging import Case
from lasthop_validation.wired import known_variants

GOODPUT_BOUND = 0.03
LOSSY_GOODPUT_BOUND = 0.08
"""With random losses the same seed is another pattern for another sender."""
MEAN_BOUND = 0.05
RESENT_BOUND = 0.3
REPLICATIONS = 40
"""Replications of random cases: at least ten times those of the reference, so that its own scatter
dominates."""
BEGIN, END = 10.0, 60.0

WIRE = """
name = "{name}"
duration = "{end} s"

[[link]]
ends = ["server", "client"]
rate = "10 Mbps"
delay = "20 ms"
queue = {{ packets = {queue} }}
loss = {loss}
loss_direction = "forward"
"""

CELL = """
name = "{name}"
duration = "{end} s"

[[link]]
ends = ["server", "ap"]
rate = "100 Mbps"
delay = "10 ms"
queue = {{ packets = 1000 }}

[[cell]]
name = "cell"
access_point = "ap"
stations = 2

[phy]
standard = "802.11b"
rate = "11 Mbps"
control_rate = "2 Mbps"

[queue]
packets = {queue}
"""

FLOW = """
[[flow]]
name = "{name}"
from = "{source}"
to = "{sink}"
transport = "tcp"
app = "bulk"
[flow.tcp]
variant = "linux-{law}"
window = "2500000 B"
"""

WAYS = {"down": ("server", "sta1"), "up": ("sta2", "server")}


@dataclass(frozen=True)
class Reference:
    """A flow of one configuration: its metrics, a list of one number a seed."""

    scenario: str
    law: str
    queue: int
    loss: float
    flow: str
    metrics: Mapping[str, list[float]]

    @property
    def chance(self) -> bool:
        """Return whether seeds are different patterns of losses or of access, or BBR draws its phase."""
        return self.loss > 0 or self.scenario.startswith("cell") or "bbr" in self.laws

    @property
    def laws(self) -> list[str]:
        """Return the laws of all flows of a wire, in their order."""
        return self.scenario.split("_")[2:] or [self.law]

    @property
    def name(self) -> str:
        """Return the row's name."""
        lossy = f", loss {self.loss:g}" if self.loss > 0 else ""
        flow = "" if self.flow == "f" else f", {self.flow}"
        return f"{self.scenario}, {self.law}, queue {self.queue}{lossy}{flow}"


KEYS = ("scenario", "law", "queue", "loss", "flow")


def references() -> list[Reference]:
    """Return the flows of the table, a number for each seed; none where it is not on this machine."""
    found: dict[tuple[str, ...], list[oracles.Row]] = {}
    for row in oracles.table("kernel/metrics.csv") or []:
        found.setdefault(tuple(row[name] for name in KEYS), []).append(row)
    return oracles.each(found.values(), _reference)


def _reference(rows: list[oracles.Row]) -> list[Reference]:
    row = rows[0]
    laws = row["scenario"].split("_")[2:] or [row["law"]]
    linux = {name.removeprefix("linux-"): name for name in known_variants()}
    for law in laws:
        if law not in linux:
            raise row.wrong("law", f"there is no variant linux-{law}")
    known = ("wired", "wired_loss", "wired_2flows", "cell")
    family = "_".join(row["scenario"].split("_")[:2])
    if family not in known:
        raise row.wrong("scenario", f"not compared; known: {', '.join(known)}")
    metrics: dict[str, list[float]] = {}
    for each in rows:
        metrics.setdefault(each["metric"], []).append(each.number("value"))
    queue, loss = row.whole("queue", least=1), row.number("loss")
    return [Reference(row["scenario"], row["law"], queue, loss, row["flow"], metrics)]


def scenario(ref: Reference) -> str:
    """Return the scenario of a row, with all its flows."""
    if ref.scenario.startswith("cell"):
        flows = [(name, *way, ref.law) for name, way in WAYS.items()]
        text = CELL
    else:
        laws = ref.laws
        names = ["f"] if len(laws) == 1 else [f"f{i}" for i in range(len(laws))]
        flows = [(name, "server", "client", law) for name, law in zip(names, laws, strict=True)]
        text = WIRE
    text = text.format(name=ref.scenario, end=f"{END:g}", queue=ref.queue, loss=ref.loss)
    return text + "".join(
        FLOW.format(name=name, source=source, sink=sink, law=law)
        for name, source, sink, law in flows
    )


@dataclass(frozen=True)
class Goodput:
    """The goodput of the receiver's application in [10 s, 60 s], kbit/s."""

    flow: str

    def __call__(self, run: Mapping[str, Any]) -> float:
        """Return the goodput."""
        rows = run["probes"]["flows"]
        bits, since = 0.0, 0.0
        for time, flow, rate in zip(rows["time_s"], rows["flow"], rows["goodput_bps"], strict=True):
            if flow == self.flow:
                bits += rate * max(0.0, time - max(since, BEGIN))
                since = time
        return bits / (END - BEGIN) / 1000


@dataclass(frozen=True)
class Mean:
    """The time average of a sender's column over [10 s, 60 s]."""

    flow: str
    column: str
    scale: float = 1.0

    def __call__(self, run: Mapping[str, Any]) -> float:
        """Return the mean."""
        rows = run["probes"]["tcp"]
        times = zip(rows["time_s"], rows["flow"], rows[self.column], strict=True)
        own = [(time, value or 0.0) for time, flow, value in times if flow == self.flow]
        area, since, last = 0.0, 0.0, 0.0
        for time, value in (*own, (END, 0.0)):
            area += last * max(0.0, time - max(since, BEGIN))
            since, last = time, value
        return self.scale * area / (END - BEGIN)


@dataclass(frozen=True)
class Resent:
    """The segments sent again from the begin on."""

    flow: str

    def __call__(self, run: Mapping[str, Any]) -> float:
        """Return their number."""
        (found,) = [flow for flow in run["flows"] if flow["name"] == self.flow]
        return float(found["retransmits"])


def _cases(ref: Reference) -> list[Case]:
    group = f"{'random loss' if ref.loss > 0 else ref.scenario.split('_')[0]}"
    first = Case(
        f"{group}: goodput",
        ref.name,
        scenario(ref),
        Goodput(ref.flow),
        0.0,
        LOSSY_GOODPUT_BOUND if ref.loss > 0 else GOODPUT_BOUND,
        "the same sender over the same link; with random losses another pattern of them",
        replications=REPLICATIONS if ref.chance else 1,
        probes=("tcp", "flows"),
    )
    window = replace(
        first,
        group=f"{group}: mean window",
        measure=Mean(ref.flow, "snd_cwnd"),
        bound=MEAN_BOUND,
    )
    srtt = replace(window, group=f"{group}: mean srtt", measure=Mean(ref.flow, "srtt_s", 1000.0))
    resent = replace(
        window, group=f"{group}: sent again", measure=Resent(ref.flow), bound=RESENT_BOUND
    )
    return [
        _against(first, ref, "goodput_kbps"),
        _against(window, ref, "mean_cwnd_segments"),
        _against(srtt, ref, "mean_srtt_ms"),
        _against(resent, ref, "retransmitted_segments"),
    ]


def _against(case: Case, ref: Reference, metric: str) -> Case:
    values = ref.metrics[metric]
    mean = sum(values) / len(values)
    none = mean == 0
    return replace(
        case,
        name=f"{case.name}: {case.group.split(': ')[1]}",
        reference=mean,
        reference_ci95=_half_width(values) if ref.chance else 0.0,
        absolute=none,
        bound=2.0 if none else case.bound,
    )


def _half_width(values: list[float]) -> float:
    """Return the half width of the mean's 95 % interval."""
    n = len(values)
    if n < 2:
        return 0.0
    mean = sum(values) / n
    deviation = (sum((value - mean) ** 2 for value in values) / (n - 1)) ** 0.5
    return float(t_quantile(0.95, n - 1) * deviation / n**0.5)


def cases(quick: bool) -> list[Case]:
    """Return the cases of every flow of the table; quick: of every sixth."""
    return [case for ref in references()[:: 6 if quick else 1] for case in _cases(ref)]
