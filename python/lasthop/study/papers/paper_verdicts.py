"""Verdicts on a paper's claims, and on its own printed tables in the same settings."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from lasthop.study import claims
from lasthop.study.claims import Claim, JudgedClaim, Table
from lasthop.study.papers import nearness
from lasthop.study.papers.folder import Paper


def judgeable(paper: Paper, made: Mapping[str, Table]) -> list[Claim]:
    """Return the claims of which all measures are there."""
    return [claim for claim in paper.claims if set(claim.metrics()) <= made.keys()]


def judge(paper: Paper, made: Mapping[str, Table]) -> list[dict[str, Any]]:
    """Return the verdicts as documents."""
    return documents(paper, claims.judge_claims(judgeable(paper, made), made))


def documents(paper: Paper, judged: Sequence[JudgedClaim]) -> list[dict[str, Any]]:
    """Return judged claims as documents."""
    own = nearness.as_tables(paper)
    ranks = {table.measure for table in paper.tables if table.kind == "ranks"}
    return [document(each, own, ranks) for each in judged]


def document(
    judged: JudgedClaim, own: Mapping[str, Table], ranks: Collection[str]
) -> dict[str, Any]:
    """Return a judged claim, with the printed ratio of each setting and how many support each part.

    A ratio of `ranks` is none of what they rank.
    """
    found = judged.as_dict()
    settings = claims.judge_printed(judged.claim, own)
    values = {measure: table for measure, table in own.items() if measure not in ranks}
    by_label = {
        (each.part, each.label): each for each in claims.judge_printed(judged.claim, values)
    }
    for part in found["parts"]:
        there = [each for each in settings if each.part == part["name"]]
        part["printed"] = {
            "of": len(there),
            "agree": sum(each.outcome is claims.Outcome.SHOWN for each in there),
        }
        for each in part["details"]:
            match = by_label.get((part["name"], each["label"]))
            same = () if match is None else match.leaves()
            ratios = [
                leaf.ratio for leaf in same if leaf.label.partition("; ")[0] == each["compared"]
            ]
            each["printed"] = ratios[0] if ratios else None
    return found


def verdicts(judged: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the words by claim."""
    return {each["id"]: each["verdict"] for each in judged}
