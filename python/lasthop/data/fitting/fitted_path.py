"""A path fitted to a capture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lasthop.data.fitting import goodness, losses, observing, paths
from lasthop.data.fitting.goodness import Goodness
from lasthop.data.fitting.losses import LEAST_LOSSES, Losses, Parameter

VARIES = 0.1
"""A rate whose trains scatter by more than this part is not one rate."""

FEW_BURSTS = 10

LEAST_QUEUE = 2

SUITS = {
    "codel": "Packets were dropped when CoDel with its default parameters would drop them (RFC 8289). It may be "
    "FQ-CoDel, which a single flow cannot tell from CoDel.",
    "pie": "Packets were dropped when PIE with its default parameters would drop them (RFC 8033).",
    "red": "Packets were dropped as RED drops them, by the mean length of the queue; its parameters are the best "
    "of a coarse grid.",
}
"""Notes about a discipline that fits the drops."""


@dataclass(frozen=True)
class Fit:
    """The result of a fit.

    Attributes:
        files: The captures.
        flow, transport: The flow that was looked at, the busiest.
        packets, lost, unknown: Packets with data that were sent, that were lost, and whose fate is not known.
        packet_bytes: Network-layer bytes of a packet with data, the median.
        path: Rate, delay, queue. Its packets are of this flow: they wait for those of others too.
        losses: Of those that the queue did not drop.
        goodness: Whether that model fits; None where there are too few losses to say.
        notes: What a reader should know, a sentence each.
    """

    files: tuple[str, ...]
    flow: str
    transport: str
    seconds: float
    packets: int
    lost: int
    unknown: int
    packet_bytes: float
    path: paths.Path
    losses: Losses
    goodness: Goodness | None
    notes: tuple[str, ...]

    @property
    def fits(self) -> bool:
        """Return whether the model is not rejected."""
        return self.goodness is None or self.goodness.fits

    def as_dict(self) -> dict[str, Any]:
        """Return all numbers, ready for JSON."""

        def row(x: Parameter) -> dict[str, float]:
            return {"value": x.value, "low": x.low, "high": x.high}

        path, queue, trains = self.path, self.path.queue, self.path.trains
        rate: dict[str, Any] = {"value": path.rate.value, "is_lower_bound": trains.is_bound}
        if not trains.is_bound:
            rate |= {"low": path.rate.low, "high": path.rate.high, "variation": trains.variation}
        return {
            "files": list(self.files),
            "flow": self.flow,
            "transport": self.transport,
            "seconds": self.seconds,
            "packets": self.packets,
            "lost": self.lost,
            "unknown": self.unknown,
            "packet_bytes": self.packet_bytes,
            "rate_bps": rate,
            "share_bps": trains.value if trains.link else None,
            "delay_s": row(path.delay),
            "queue_packets": queue.length,
            "queue_drops": int(queue.dropped.sum()),
            "discipline": path.discipline
            and {"name": path.discipline.name, **path.discipline.parameters},
            "is_separated": path.is_separated,
            "losses": {
                "model": self.losses.model,
                "share": row(self.losses.share),
                **{name: row(x) for name, x in self.losses.parameters.items()},
            },
            "goodness_p": None if self.goodness is None else self.goodness.p,
            "fits": self.fits,
            "notes": list(self.notes),
        }


def fit(*files: str | Path) -> Fit:
    """Fit a path to the capture of a sender, or to those of both ends; raises LasthopError."""
    seen = observing.observe([Path(file) for file in files])
    path = paths.find(seen)
    at, lost = paths.at_bottleneck(seen, path)
    model = losses.estimate(at, lost)
    judged = goodness.judge(model, at, lost) if lost.sum() >= LEAST_LOSSES else None
    return Fit(
        tuple(map(str, files)),
        seen.flow,
        seen.transport,
        seen.seconds,
        len(seen.at),
        int((seen.fate == 0).sum()),
        int((seen.fate == -1).sum()),
        float(np.median(seen.size)),
        path,
        model,
        judged,
        tuple(_told(seen, path, model, judged, int(lost.sum()))),
    )


def _told(
    seen: observing.Observed, path: paths.Path, model: Losses, judged: Goodness | None, lost: int
) -> Iterator[str]:
    yield from _told_of_path(path)
    if 0 < lost < LEAST_LOSSES:
        yield f"{lost} losses are too few to tell bursts from chance ({LEAST_LOSSES} or more are needed)."
    if judged is not None and not judged.fits:
        yield f"The model of losses does not fit: run lengths as far from it have a probability of {judged.p:.3f}."
    if model.model == "gilbert_elliott" and seen.seconds:
        bursts = seen.seconds / (model.state("mean_good_s") + model.state("mean_bad_s"))
        if bursts < FEW_BURSTS:
            yield f"Only about {max(bursts, 1):.0f} bursts were seen, so their intervals are wide."
    if not seen.has_answers and float(np.min(seen.trips)) < 0:
        yield "Packets arrive before they were sent, so the clocks of the captures differ."


def _told_of_path(path: paths.Path) -> Iterator[str]:
    trains, queue = path.trains, path.queue
    if trains.is_bound:
        yield "The flow never filled the path: its rate is a lower bound, and the scenario's is a guess."
    elif trains.link:
        yield (
            f"This flow got {trains.value / 1e6:.4g} Mbit/s while its packets waited, but packets that followed "
            f"each other directly passed at {trains.link.value / 1e6:.4g} Mbit/s. Either other traffic shares a "
            "link of that rate: so the scenario has it, with a constant stream of the difference, as the capture "
            "does not show what the traffic is. Or the path has a radio, whose gaps differ: then there is no "
            "other traffic, and the rate is what this flow got."
        )
    elif trains.variation > VARIES:
        yield (
            f"The rate of trains of packets varies by {100 * trains.variation:.0f} %: it is not one rate, as of a "
            "wire, but for instance that of a radio, or this flow's share of a faster link; not separated."
        )
    elif not trains.is_one:
        yield (
            "Packets that waited left the bottleneck at uneven distances. Other traffic may share it; the rate is "
            "then this flow's share of a faster link; not separated."
        )
    if queue.length is None and not trains.is_bound:
        yield f"The queue is never seen full; {queue.waited} packets waited at most."
    if path.discipline is not None:
        yield SUITS[path.discipline.name]
    elif not path.is_separated:
        yield (
            f"{int(queue.dropped.sum())} losses come where packets wait, so they are not random. An AQM or other "
            "traffic may be behind them; not separated. The scenario has no random loss for them, but a queue as "
            f"long as they typically found it, {max(queue.typical, LEAST_QUEUE)} packets."
        )
