"""A congestion control by the criteria of RFC 9743 (BCP 133): what holds, what does not, what is undecided.

- `criteria`: the tables of criteria, `tables/`: sections, scenarios, measures, rules;
- `casting`: the law, its reference, the incumbent; `trial`: the runs; `dossier`: verdicts.
"""

from __future__ import annotations

from lasthop.study.evaluating.dossier import Dossier
from lasthop.study.evaluating.trial import evaluate

__all__ = ["Dossier", "evaluate"]
