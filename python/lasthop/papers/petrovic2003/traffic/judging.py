"""The verdicts on claims P5 to P8, which the study files state, and what the paper's own tables say."""

from __future__ import annotations

from typing import Any

from lasthop import claims, stats
from lasthop.claims import Claim, JudgedClaim
from lasthop.papers.petrovic2003.traffic.experiments import Experiment, printed
from lasthop.papers.sweeps import Samples


def judge(experiment: Experiment, samples: Samples) -> list[dict[str, Any]]:
    """Return the verdicts on an experiment's claims, as documents like those on P1 to P4."""
    judged = claims.judge_claims(samples.study.claims, samples.tables)
    return [document(experiment, each) for each in judged]


def document(experiment: Experiment, judged: JudgedClaim) -> dict[str, Any]:
    """Return a judged claim with the support of the paper's own table."""
    found = judged.as_dict()
    own = own_table(experiment, judged.claim)
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


def own_table(experiment: Experiment, claim: Claim) -> dict[str, Any]:
    """Judge a claim by the printed numbers."""
    judged = claims.judge_printed(claim, printed(experiment))
    found = claims.evidence(judged, None)
    verdict = claims.verdict([each.outcome for each in judged])
    return {"verdict": str(verdict), **{key: found[key] for key in ("shown", "denied", "parts")}}
