"""Questions of a lesson, with answers that its runs give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lasthop.study.axes import Value
from lasthop.study.rows import Row
from lasthop.study.swept import Results

#: How far a ratio that a student reads off the charts may be from that of the runs: two ticks of most charts.
NEAR = 0.15


def answered(
    results: Results, said: Sequence[Mapping[str, Any]], words: Mapping[str, Sequence[str]]
) -> list[dict[str, Any]]:
    """Return each question with its answer, from the results of the lesson's study.

    A question about the setting with the most or least of a metric has `choices` and the places of those that are
    `right`: the best, and whatever its runs cannot tell from it. A question about a ratio has its value as `right`
    and the bounds `from` and `to` of what counts as right. Both have `because`, the numbers behind the answer.
    `words` has the words for the values of each axis, in their order.
    """
    return [
        _ratio(results, each) if "ratio" in each else _which(results, each, words) for each in said
    ]


def _which(
    results: Results, said: Mapping[str, Any], words: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    """Return a question about the value of the one axis that `at` leaves open."""
    (key,) = set(results.keys) - set(said["at"])
    sign, metric = (1, said["most"]) if "most" in said else (-1, said["least"])
    values: list[Value] = list(dict.fromkeys(row.settings[key] for row in results.rows))
    rows = [results.find({**said["at"], key: value}) for value in values]
    means = [_mean(results, metric, row) for row in rows]
    best = max(means, key=lambda mean: sign * mean[0])
    right = [n for n, (mean, half) in enumerate(means) if sign * (best[0] - mean) <= best[1] + half]
    numbers = [
        f"{word}: {results.shown(metric, row)}" for word, row in zip(words[key], rows, strict=True)
    ]
    unit = _unit(results, metric)
    return {
        "ask": said["ask"],
        "choices": list(words[key]),
        "right": right,
        "because": f"{'; '.join(numbers)}{unit}",
    }


def _ratio(results: Results, said: Mapping[str, Any]) -> dict[str, Any]:
    """Return a question about a metric in one setting by that in another."""
    metric = said["ratio"]
    rows = [results.find(said[end]) for end in ("at", "to")]
    (above, _), (below, _) = (_mean(results, metric, row) for row in rows)
    right = above / below
    first, second = (results.shown(metric, row) for row in rows)
    return {
        "ask": said["ask"],
        "right": float(f"{right:.3g}"),
        "from": right * (1 - NEAR),
        "to": right * (1 + NEAR),
        "because": f"{first} by {second}{_unit(results, metric)}",
    }


def _mean(results: Results, metric: str, row: Row) -> tuple[float, float]:
    """Return a mean and half its interval; nothing is random where there is no interval."""
    known = results.estimate(metric, row)
    if known is None:
        raise ValueError(f"{metric} has no value at {row.settings}")
    return known.mean, known.ci95 or 0.0


def _unit(results: Results, metric: str) -> str:
    unit = results.shown_unit(metric)
    return "" if unit in ("", "1") else f" {unit}"
