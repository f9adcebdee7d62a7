"""Claims whose text says more than they test: warnings, since they can be judged all the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lasthop.errors import UsageError
from lasthop.numbers.numerals import listed
from lasthop.study.checking.placing import problem_of
from lasthop.study.checking.problem import Problem
from lasthop.study.claims.claim_format import Claim
from lasthop.study.claims.untested_numbers import untested


def warnings(claims: Sequence[Claim], file: str, text: str) -> list[Problem]:
    """Return a warning for each claim whose text has numbers that its test lacks."""
    found = []
    for claim in claims:
        if numbers := untested(claim):
            said = f"claim {claim.id}: the text mentions {listed(numbers)}, which its test does not use"
            said += ": test it, or explain it in `note`"
            error = UsageError(said, code="untested-number", file=file, path=claim.path)
            found.append(replace(problem_of(error, file, text), is_warning=True))
    return found
