"""The source of values of settings: a protocol; `lasthop.study.advice.local` has the simulator."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Setting = Mapping[str, Any]
"""Changes to a scenario, by dotted key."""


class Evaluator(Protocol):
    """Gives measures of settings: simulates them, or looks them up, or makes them up."""

    def values(
        self,
        settings: Sequence[Setting],
        names: Sequence[str],
        replications: Sequence[int],
        finished: Callable[[int], None] | None = None,
    ) -> Mapping[str, Array]:
        """Return by measure an array (settings, replications); NaN where a run has no value.

        The same replication of two settings shares its random numbers. `finished` gets the number of runs
        that this call has done.
        """
