"""A measurement, or a simulation read in the same way: values and time series by flow and by station."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Series:
    """A quantity over time; NaN where there is nothing.

    Attributes:
        times: The ends of the steps, s since what is measured began.
        values: In the quantity's own unit.
    """

    times: Array
    values: Array

    @classmethod
    def of(cls, points: list[tuple[float, float | None]]) -> Series:
        """Make a series of (time, value) pairs."""
        times = np.array([time for time, _ in points], dtype=float)
        values = [np.nan if value is None else value for _, value in points]
        return cls(times, np.array(values, dtype=float))

    def mean(self) -> float | None:
        """Return the mean of the values that are there."""
        there = self.values[~np.isnan(self.values)]
        return float(there.mean()) if len(there) else None


@dataclass(frozen=True)
class Flow:
    """A flow, or with `transport` ``station`` a station of a wireless capture.

    Attributes:
        name: As the file has it, such as ``10.0.0.1:49152>10.0.0.2:5201``.
        transport: ``tcp``, ``udp`` or ``station``.
        values: By quantity (`quantities.QUANTITIES`), in its own unit; what is not known is not there.
        series: By quantity.
    """

    name: str
    transport: str
    values: Mapping[str, float]
    series: Mapping[str, Series] = field(default_factory=dict)


@dataclass(frozen=True)
class Measured:
    """The content of a file.

    Attributes:
        file: Its name, for messages.
        format: Of which tool, in words.
        seconds: How long was measured.
        flows: In the order of their beginning.
        step_s: The length of a step of the series.
        notes: What a reader should know of how it was read, a sentence each.
    """

    file: str
    format: str
    seconds: float
    flows: tuple[Flow, ...]
    step_s: float = 1.0
    notes: tuple[str, ...] = ()


def known(values: Mapping[str, float | None]) -> dict[str, float]:
    """Return the values that are there and finite."""
    return {
        key: float(value)
        for key, value in values.items()
        if value is not None and np.isfinite(value)
    }
