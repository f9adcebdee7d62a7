"""A duel as a document: what `lasthop duel --json` prints, and what its page holds."""

from __future__ import annotations

from typing import Any

from lasthop.study.dueling.duel_answer import answer
from lasthop.study.dueling.verdict import Duel


def document(duel: Duel) -> dict[str, Any]:
    """Return all of a duel, ready for JSON: first its answer, sentence by sentence."""
    return {"answer": list(answer(duel)), **duel.as_dict()}
