"""Writes into the guide why `auto` misses what it misses, found by runs under the conditions it was learned from.

    lasthop sweep auto && python tools/explain_auto.py

It needs scikit-learn (`pip install scikit-learn`), which the project does not depend on: what trees make of the
true path, and of what endpoints measured, is compared with the rules. `docs/reference/auto.json` keeps what it
found. The block of the guide is written as `tools/renew_auto.py` does.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.ensemble import ExtraTreesRegressor
from sklearn.model_selection import GroupKFold

import marked_blocks
import renew_auto
from lasthop.core import safe_files
from lasthop.core.metrics.leaves import Array
from lasthop.numbers import stats
from lasthop.study.goals import Goal
from lasthop.study.rules import UNITS, Rule, Rules
from lasthop.study.rules import Condition as Bound
from lasthop.study.scores import Condition, Scores
from lasthop.study.swept import Results
from lasthop.study.trials import Trials

SIZES = (150, 600, 2400)
"""Numbers of conditions that trees learn from."""
LATER = ("queueing_delay", "queueless_loss", "rounds")
"""Quantities without which trees learn once more: what they are worth."""
FOLDS = 10

Places = npt.NDArray[np.intp]


def main() -> None:
    """Keep what is found of the study under a directory, and write the guide."""
    out = marked_blocks.directory(__doc__, "sweep")
    kept = renew_auto.read()
    kept[renew_auto.WHY] = found(Results(out / "auto"))
    safe_files.write_text(renew_auto.KEPT, json.dumps(kept, indent=1) + "\n")
    text = renew_auto.GUIDE.read_text("utf-8")
    safe_files.write_text(renew_auto.GUIDE, renew_auto.filled(text, kept))


def found(results: Results) -> dict[str, Any]:
    """Return mean regrets by goodput, per cent with intervals, of what picks among the policy's variants."""
    if not results.complete:
        raise ValueError(f"{results.path}: not complete")
    scores = Scores.of(results, Goal.of(results, "goodput"))
    policy = rules_of(tomllib.loads(renew_auto.POLICY.read_text("utf-8")))
    team = list(dict.fromkeys([policy.default, *(rule.variant for rule in policy.rules)]))
    places = [scores.variants.index(variant) for variant in team]
    regrets, shares = scores.regrets()[:, places], 1 - scores.upper()[:, places]
    least = int(regrets.mean(axis=0).argmin())
    path, order = true_path(scores.conditions), np.arange(len(regrets))
    return {
        "policy": renew_auto.policy(),
        "team": team,
        "conditions": len(order),
        "fixed variant": team[least],
        "fixed": interval(regrets[:, least]),
        "best": interval(scores.regret_of_best(places)),
        "true path": {
            str(size): interval(regrets[order, picked(path, shares, order, size)])
            for size in sizes(len(order))
        },
        **of_runs(Trials(results, scores, team), policy, regrets, shares),
    }


def of_runs(trials: Trials, policy: Rules, regrets: Array, shares: Array) -> dict[str, Any]:
    """Return what the policy's measurements say, and what it loses when it runs.

    Its runs are compared with runs of the fixed variants of the same random numbers, none of the study's.
    """
    team = list(dict.fromkeys([policy.default, *(rule.variant for rule in policy.rules)]))
    alone = [[each.share for each in trials.play(Rules(variant).inline())] for variant in team]
    ran = trials.play(policy.inline())
    examples = [(place, e) for place, trial in enumerate(ran) for e in trial.examples]
    group = np.array([place for place, _ in examples])
    total = np.bincount(group, [e.weight for _, e in examples], len(ran))
    weights = np.array([e.weight for _, e in examples]) / total[group]
    known = np.array([[e.known.get(quantity, -1.0) for quantity in UNITS] for _, e in examples])
    rules = np.array([team.index(policy.pick(e.known)) for _, e in examples])

    def mean(of: Array) -> Array:
        """Return the mean over what was measured in each condition, where anything was."""
        means: Array = np.bincount(group, weights * of, len(ran)).astype(float)
        return means[total > 0]

    foretold = mean(np.array(alone)[rules, group])
    few = known[:, [quantity not in LATER for quantity in UNITS]]
    most = sizes(len(ran))[-1]
    return {
        "less measured": interval(mean(regrets[group, picked(few, shares[group], group, most)])),
        "measured": {
            str(size): interval(mean(regrets[group, picked(known, shares[group], group, size)]))
            for size in sizes(len(ran))
        },
        "rules": interval(mean(regrets[group, rules])),
        "running": interval(foretold - np.array([trial.share for trial in ran])[total > 0]),
    }


def sizes(conditions: int) -> list[int]:
    """Return from how many conditions trees can learn that leave a fold out."""
    return [size for size in SIZES if size <= conditions * (1 - 1 / FOLDS)]


def picked(known: Array, shares: Array, condition: Places, size: int) -> Places:
    """Return what trees pick for each example that learned from `size` other conditions, or all there are."""
    picks: Places = np.zeros(len(known), dtype=np.intp)
    numbers = np.random.default_rng(1)
    for inside, outside in GroupKFold(FOLDS).split(known, groups=condition):
        few = numbers.permutation(np.unique(condition[inside]))[:size]
        own = inside[np.isin(condition[inside], few)]
        trees = ExtraTreesRegressor(
            100, min_samples_leaf=4 if len(own) <= size else 20, max_features=0.5, random_state=1
        )
        trees.fit(known[own], shares[own] - shares[own].mean(axis=1, keepdims=True))
        picks[outside] = trees.predict(known[outside]).argmax(axis=1)
    return picks


def true_path(conditions: Sequence[Condition]) -> Array:
    """Return the settings of conditions as numbers: a column for a quantity, one for each value of a choice."""
    columns = []
    for key, first in conditions[0]:
        values = [dict(condition)[key] for condition in conditions]
        if isinstance(first, str) and not re.fullmatch(r"[0-9.e-]+ (ms|kB|Mbps)", first):
            columns += [[float(value == each) for value in values] for each in sorted(set(values))]
        else:
            columns.append([float(str(value).split()[0]) for value in values])
    return np.array(columns).T


def rules_of(document: Mapping[str, Any]) -> Rules:
    """Return the rules of a policy's file."""
    return Rules(
        document["default"],
        tuple(
            Rule(tuple(bound_of(*bound) for bound in rule["when"].items()), rule["use"], "")
            for rule in document.get("rule", [])
        ),
    )


def bound_of(key: str, value: str | float) -> Bound:
    """Return a bound as it is written in a policy."""
    quantity, side = key.rsplit("_", 1)
    factor, _ = UNITS[quantity]
    return Bound(quantity, side, float(str(value).split()[0]) / factor)


def interval(values: Array) -> list[float]:
    """Return the mean over conditions in per cent, with its interval (95 %)."""
    known = stats.mean_interval((100 * values).tolist())
    return [round(x, 1) for x in (float(100 * values.mean()), known.low, known.high)]


if __name__ == "__main__":
    main()
