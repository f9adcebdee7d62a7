"""A TCP against others over many conditions: wins, paired effects, where it wins, and how they share a path.

- `contest`: the contestants, and the two studies that are run; `verdict`: verdicts, averages, where, shares;
- `drawing`, `paging`: the map and the page.
"""

from __future__ import annotations

from lasthop.study.dueling.contest import Contest, duel
from lasthop.study.dueling.verdict import Duel

__all__ = ["Contest", "Duel", "duel"]
