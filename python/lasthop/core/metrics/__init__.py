"""Measures by name: ``goodput_bps``, ``voice.loss``, ``game.delay_s.p95``, resolved against what a run gives.

A name is an object, a measure of it, and where it has one a statistic: ``voice.delay_s.p95``. Objects are flows,
stations, cells, queues and links, by name or pattern (``sta*``); a measure without an object is of all flows
together. Where a name fits objects of several kinds the kind goes first: ``station.ap.retries``.

Measures are the keys of ``lasthop run --json`` under the same names (see `numbers.quantities`), and ratios
of them. The ending that says a unit may be left out where a name is typed. Several objects become one number so:

- rates and counts are added up, ratios and mean delays are pooled (loss of all packets, mean over all packets);
- ``.sum``, ``.mean``, ``.min``, ``.max`` and ``.jain`` at the end say it otherwise, and must where nothing is
  natural, as for a percentile: ``game*.delay_s.p95.max``; ``.each`` makes a metric for each object;
- of stations that are exchangeable, ``.share1`` is the largest part of what all have together, ``.share2`` the
  next, ``.shares`` all of them; ``.starved`` is 1 where one has under a twentieth of the fair share, so that its
  mean over replications is the probability that one is starved.

A resolved metric is a few leaves of the document and a function of their columns. Replications are evaluated
together as arrays, and their documents need not be kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lasthop.core.metrics.leaves import Leaf, Metric, Metrics
from lasthop.core.metrics.naming import Finder

__all__ = ["MEANING", "Leaf", "Metric", "Metrics", "resolve", "value"]

#: Goes up when a name comes to mean another number: what is stored under the old meaning is then not used.
MEANING = 2


def resolve(names: Sequence[str], document: Mapping[str, Any]) -> Metrics:
    """Find metrics by name; `document` is any run of the scenario, of which only names and keys count.

    Raises:
        UsageError: There is no such object or measure; with the nearest name that there is.
    """
    finder = Finder(document)
    found: dict[str, Metric] = {}
    for name in names:
        for metric in finder.find(name):
            found.setdefault(metric.name, metric)
    return Metrics(tuple(found.values()))


def value(name: str, document: Mapping[str, Any]) -> float:
    """Return the value of the metric `name` in a run's document; NaN where there is none."""
    return resolve([name], document).all[0].of(document)
