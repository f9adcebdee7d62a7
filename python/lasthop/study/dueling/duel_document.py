"""A duel as a document: what `lasthop duel --json` prints, and what its page holds."""

from __future__ import annotations

from typing import Any

from lasthop.study.dueling.duel_answer import answer
from lasthop.study.dueling.verdict import Duel


def document(duel: Duel) -> dict[str, Any]:
    """Return all of a duel, ready for JSON: first its answer, sentence by sentence."""
    return {
        "answer": list(answer(duel)),
        "contestants": list(duel.names),
        "conditions": duel.conditions,
        "replications": duel.replications,
        "against": [
            {
                "rival": each.rival,
                "metric": each.metric,
                "tally": each.tally,
                "average": each.average.as_dict(),
                "where": None if each.where is None else str(each.where),
                "places": [
                    {"setting": dict(p.setting), **p.compared.as_dict()} for p in each.places
                ],
            }
            for each in duel.against
        ],
        "shares": [
            {
                "rival": each.rival,
                "share": each.share,
                "low": each.interval.low,
                "high": each.interval.high,
                "replications": each.replications,
                "jain": each.jain,
                "least": {"share": each.least[0], "setting": dict(each.least[1])},
                "most": {"share": each.most[0], "setting": dict(each.most[1])},
            }
            for each in duel.shares
        ],
        "notes": list(duel.notes),
    }
