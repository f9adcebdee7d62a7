"""A path fitted to a capture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lasthop.fitting import goodness, losses, observing, paths
from lasthop.fitting.goodness import Goodness
from lasthop.fitting.losses import LEAST_LOSSES, Losses, Parameter

VARIES = 0.1
"""A rate whose trains scatter by more than this part is not one rate."""

FEW_BURSTS = 10


@dataclass(frozen=True)
class Fit:
    """What was found.

    Attributes:
        files: The captures.
        flow, transport: The flow that was looked at, the busiest.
        packets, lost, unknown: Packets with data that were sent, that were lost, and whose fate is not known.
        packet_bytes: Network-layer bytes of a packet with data, the median.
        path: Rate, delay, queue.
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
        """Whether nothing refutes the model."""
        return self.goodness is None or self.goodness.fits

    def as_dict(self) -> dict[str, Any]:
        """Return all numbers, ready for JSON."""

        def row(x: Parameter) -> dict[str, float]:
            return {"value": x.value, "low": x.low, "high": x.high}

        path = self.path
        rate: dict[str, Any] = {"value": path.rate, "is_lower_bound": path.is_bound}
        if not path.is_bound:
            rate |= {"low": path.low, "high": path.high, "variation": path.variation}
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
            "delay_s": row(path.delay),
            "queue_packets": path.queue,
            "queue_drops": int(path.dropped.sum()),
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
) -> Sequence[str]:
    told = []
    if path.is_bound:
        told.append(
            "The flow never filled the path: its rate is a lower bound, and the scenario's is a guess."
        )
    elif path.variation > VARIES:
        told.append(
            f"The rate of trains of packets varies by {100 * path.variation:.0f} %: it is not one rate, as of a "
            "wire, but for instance that of a radio or of a shared link."
        )
    if path.queue is None and not path.is_bound:
        told.append(f"The queue is never seen full; {path.waited} packets waited at most.")
    if 0 < lost < LEAST_LOSSES:
        told.append(
            f"{lost} losses are too few to tell bursts from chance ({LEAST_LOSSES} or more are needed)."
        )
    if judged is not None and not judged.fits:
        told.append(
            f"The model of losses does not fit: run lengths as far from it have a probability of {judged.p:.3f}."
        )
    if model.model == "gilbert_elliott" and seen.seconds:
        bursts = seen.seconds / (model.state("mean_good_s") + model.state("mean_bad_s"))
        if bursts < FEW_BURSTS:
            told.append(
                f"Only about {max(bursts, 1):.0f} bursts were seen: their intervals are wide."
            )
    if not seen.has_answers and float(np.min(seen.trips)) < 0:
        told.append("Packets arrive before they were sent: the clocks of the captures differ.")
    return told
