"""Verdicts on J0 to J12, and what the paper's own tables say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from lasthop import claims, stats
from lasthop.claims import Claim, Table
from lasthop.claims.judging import JudgedClaim
from lasthop.claims.statements import JudgedStatement
from lasthop.errors import UsageError
from lasthop.papers.janevski2011 import facts
from lasthop.papers.janevski2011.facts import QUEUES


def judgeable(tables: Mapping[str, Table]) -> list[Claim]:
    """Return the claims of which all tables are there."""
    return [claim for claim in facts.claims() if set(claim.metrics()) <= tables.keys()]


def judge(tables: Mapping[str, Table]) -> list[dict[str, Any]]:
    """Return the verdicts as documents."""
    return [document(each) for each in claims.judge_claims(judgeable(tables), tables)]


def document(judged: JudgedClaim) -> dict[str, Any]:
    """Return a judged claim with the support of the paper's own tables."""
    found = judged.as_dict()
    own = own_tables(judged.claim)
    return {
        "id": found["id"],
        "text": found["text"],
        "verdict": found["verdict"],
        "evidence": found["evidence"],
        "replications_needed": found["replications_needed"],
        "thresholds": {"above_ratio": claims.ABOVE, "simultaneous_confidence": stats.CONFIDENCE},
        "paper_table_supports": own["verdict"],
        "paper_table": own,
        "note": found["note"],
    }


def own_tables(claim: Claim) -> dict[str, Any]:
    """Judge by the printed numbers the parts of a claim that speak of them."""
    judged = _printed_parts(claim)
    if not judged:
        return {"verdict": "not printed", "shown": 0, "denied": 0, "parts": []}
    found = claims.evidence(judged, None)
    verdict = claims.verdict([each.outcome for each in judged])
    return {"verdict": str(verdict), **{key: found[key] for key in ("shown", "denied", "parts")}}


def _printed_parts(claim: Claim) -> Sequence[JudgedStatement]:
    parts = getattr(claim.holds, "parts", (claim.holds,))
    found: list[JudgedStatement] = []
    for part in parts:
        try:
            found += claims.judge_printed(replace(claim, holds=part), printed())
        except UsageError:
            continue  # it speaks of a cell that is not printed
    return found


def printed() -> dict[str, Table]:
    """Return tables 4 and 5 in seconds, and table 6 as places: the best is 5, the last 1."""
    paper = facts.facts().tables
    delays = {"game.delay": paper["4"], "ftp.delay": paper["5"]}
    found = {
        name: Table.of(
            name,
            [
                ({"distance": distance, "tcp": tcp, "ifq": ifq, "retries": 3}, [value / 1e3])
                for distance, tcp, *values in held["rows"]
                for ifq, value in zip(QUEUES, values, strict=True)
            ],
        )
        for name, held in delays.items()
    }
    ranks = paper["6"]
    rows = [
        ({"speed": speed, "tcp": tcp, "ifq": 50, "retries": 3}, [float(len(ranks["rows"]) - place)])
        for place, row in enumerate(ranks["rows"])
        for speed, tcp in zip(ranks["columns"], row, strict=True)
    ]
    return {**found, "indoor.goodput": Table.of("indoor.goodput", rows)}
