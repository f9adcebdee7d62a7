"""Claims as code: words of papers with thresholds fixed before any run, judged by intervals.

A claim has parts, each with a verdict of its own: it **holds**, it **does not hold**, it is **undecided**
(with the number of replications that would decide it), or it was **not run**; one about all settings may
also hold **in part**, or **in part at most**. The word for the claim follows from those of its parts (`outcomes`).

A part is said *in general*, of the average over all settings, by one test; or of *everywhere*: of each
setting by itself. The intervals that decide one claim are simultaneous at 95 % (Bonferroni), paired
by replication (see `lasthop.numbers.stats`); nothing is promised of several claims together.
`words.toml` has the thresholds; `vocabulary` what the words make of a table; `reading` the form
in TOML; `saying` the sentences; `verdicts` compares settings without a claim, `ranking` puts them in order.
"""

from lasthop.numbers.words import ABOVE, LEAST_EVENTS, STARVED
from lasthop.study.claims.claim_format import Claim, read_claims
from lasthop.study.claims.differences_of_means import Comparison, judge_all, judge_points
from lasthop.study.claims.judged import Judged
from lasthop.study.claims.judging import JudgedClaim, judge_claim, judge_claims, judge_printed
from lasthop.study.claims.majority import Mostly
from lasthop.study.claims.outcomes import DECIDED, Outcome, Verdict
from lasthop.study.claims.parts import JudgedPart, Share
from lasthop.study.claims.tables import Shown, Table

__all__ = [
    "ABOVE",
    "DECIDED",
    "LEAST_EVENTS",
    "STARVED",
    "Claim",
    "Comparison",
    "Judged",
    "JudgedClaim",
    "JudgedPart",
    "Mostly",
    "Outcome",
    "Share",
    "Shown",
    "Table",
    "Verdict",
    "judge_all",
    "judge_claim",
    "judge_claims",
    "judge_points",
    "judge_printed",
    "read_claims",
]
