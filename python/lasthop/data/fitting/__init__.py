"""A path fitted to a capture: delay, rate, queue and losses with intervals, and the scenario that they make.

- `observing`: the fate of every packet, from a capture or one at each end;
- `paths`: delay, rate, queue; `losses`: Bernoulli and Gilbert-Elliott by likelihood; `goodness`: whether it fits;
- `writing`: the scenario.
"""

from __future__ import annotations

from lasthop.data.fitting.fitted_path import Fit, fit
from lasthop.data.fitting.goodness import DRAWS

__all__ = ["DRAWS", "Fit", "fit"]
