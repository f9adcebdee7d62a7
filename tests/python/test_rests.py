"""The sentences about what a verdict rests on, from the verdicts of an audit."""

from __future__ import annotations

import pytest

from lasthop.study.claims.outcomes import Verdict
from lasthop.study.papers.rests import Tried, rests_on, sentence

H, N, P, M, U, X = Verdict


def tried(*said: Verdict, flips: bool = False) -> list[Tried]:
    return [Tried("code", f"{n}", word, flips) for n, word in enumerate(said, 1)]


@pytest.mark.parametrize(
    ("verdict", "base", "expected"),
    [
        (H, H, "The audit's shorter runs say “holds” too"),
        (
            N,
            M,
            "With our choices the audit's fewer and shorter runs say “holds in part at most”, which does not "
            "contradict “does not hold”",
        ),
        (
            P,
            H,
            "The study says “holds in part”, and with our choices the audit's fewer and shorter runs say “holds”",
        ),
        (
            U,
            H,
            "The study says “undecided”, and with our choices the audit's fewer and shorter runs say “holds”",
        ),
        (H, U, "With our choices the audit's shorter runs leave the claim undecided"),
        (U, U, "With our choices the audit's shorter runs leave the claim undecided too"),
        (H, X, "The audit's shorter runs do not have all that the claim is about"),
    ],
)
def test_the_audit_is_set_beside_the_study(verdict: Verdict, base: Verdict, expected: str) -> None:
    assert sentence(verdict, base, tried(X)).startswith(expected)


@pytest.mark.parametrize(
    ("base", "others", "expected"),
    [
        (H, (H,), "The one alternative that can matter says the same"),
        (H, (H, H), "Neither of the two alternatives that can matter changes that"),
        (H, (U,), "The one alternative that can matter leaves it undecided"),
        (U, (U, U), "Both alternatives that can matter leave it undecided"),
        (
            H,
            (H, H, U, X),
            "Of the 4 alternatives that can matter 2 say the same, 1 leaves it undecided and 1 lacks settings "
            "that it needs",
        ),
        (
            H,
            (H, N),
            "Of the 2 alternatives that can matter 1 says the same and 1 says “does not hold” (“2” (code)); "
            "those that say otherwise may do so by chance",
        ),
        (
            M,
            (M, P, N),
            "Of the 3 alternatives that can matter 1 says the same, 1 says “does not hold” and 1 says “holds in "
            "part”",
        ),
        (
            U,
            (U, P),
            "Of the 2 alternatives that can matter 1 leaves it undecided and 1 says “holds in part”; those that "
            "decide it may do so by chance",
        ),
    ],
)
def test_what_is_not_shown_is_counted_by_word(
    base: Verdict, others: tuple[Verdict, ...], expected: str
) -> None:
    """No alternative that says something else is counted among those that leave a claim undecided."""
    assert sentence(base, base, tried(*others)).partition(". ")[2] == expected


def test_what_is_shown_to_move_is_named() -> None:
    moves = [*tried(N, P, flips=True), *tried(H)]
    assert sentence(H, H, moves) == (
        "The audit's shorter runs say “holds” too; it does not hold with “1” (code), and holds in part with “2” "
        "(code). The one other alternative that can matter says the same"
    )
    assert sentence(U, U, tried(N, flips=True)) == (
        "With our choices the audit's shorter runs leave the claim undecided too; it does not hold with “1” (code)"
    )
    assert sentence(P, P, tried(M, flips=True)) == (
        "The audit's shorter runs say “holds in part” too; parts of it turn with “1” (code)"
    )


def test_an_alternative_that_cannot_matter_is_not_counted() -> None:
    row = {"item": "who", "name": "x", "verdicts": {"P": "holds"}, "idle": ["P"], "flipped": []}
    row["decided"] = []
    claims = [{"id": "P", "verdict": "holds"}]

    def said(audited: dict[str, str], **more: object) -> dict[str, str]:
        return rests_on(claims, {"claims": audited, "variations": [{**row, **more}]})

    assert said({"P": "holds"}) == {"P": "No alternative that was tried can matter to it"}
    assert "The one alternative" in said({"P": "holds"}, idle=[])["P"]
    assert said({}) == {"P": "The audit has none of its settings"}
