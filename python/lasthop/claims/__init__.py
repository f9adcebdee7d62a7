"""Claims as code: words of papers with thresholds fixed before any run, judged by intervals.

A claim is a set of statements, one for each cell that it speaks of. Each is *shown*, *denied* (its
negation is shown) or *open*, by intervals; together they make a verdict:

- **holds**: every statement is shown;
- **contradicted**: at least one is denied and none is shown;
- **mixed**: some are shown and some are denied;
- **cannot tell**: anything else, such as some shown and the others open.

The intervals of one claim are simultaneous at 95 % (Bonferroni, over all its comparisons of
cells that were run), paired by replication (see `lasthop.stats`). `words.toml` has the thresholds;
`vocabulary` what the words make of a table; `reading` the form in TOML; `verdicts` compares settings
without a claim, `ranking` puts them in order.
"""

from lasthop.claims.comparing import (
    Comparison,
    Judged,
    evidence,
    judge_all,
    judge_points,
)
from lasthop.claims.judging import JudgedClaim, judge_claim, judge_claims, judge_printed
from lasthop.claims.majority import Majority, judge_majority
from lasthop.claims.outcomes import Outcome, Verdict, verdict
from lasthop.claims.reading import Claim, read_claims
from lasthop.claims.tables import Table
from lasthop.claims.words import ABOVE, LEAST_EVENTS, STARVED

__all__ = [
    "ABOVE",
    "LEAST_EVENTS",
    "STARVED",
    "Claim",
    "Comparison",
    "Judged",
    "JudgedClaim",
    "Majority",
    "Outcome",
    "Table",
    "Verdict",
    "evidence",
    "judge_all",
    "judge_claim",
    "judge_claims",
    "judge_majority",
    "judge_points",
    "judge_printed",
    "read_claims",
    "verdict",
]
