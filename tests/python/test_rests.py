"""The sentence about what a verdict rests on, from the verdicts of an audit."""

from __future__ import annotations

from lasthop.study.papers.rests import Tried, rests_on, sentence


def test_what_a_verdict_rests_on() -> None:
    other = Tried("who", "the cell", "does not hold")
    unsure = Tried("code", "(7, 5)", "undecided")
    assert sentence("holds", "undecided", [other, unsure]) == (
        "With our choices the claim holds; it does not hold with “the cell” (who)"
    )
    assert sentence("holds", "holds", [unsure]) == (
        "With the one alternative that can matter the audit's shorter runs leave the claim undecided, so that "
        "they cannot tell what the verdict rests on"
    )
    alike = Tried("who", "each station", "holds")
    assert sentence("holds", "holds", [alike, unsure]) == (
        "None of the 2 alternatives that can matter changes the verdict “holds”; "
        "1 leaves it undecided in the audit's shorter runs"
    )
    assert sentence("undecided", "undecided", [other]) == (
        "With our choices the audit's shorter runs leave the claim undecided too; "
        "it does not hold with “the cell” (who)"
    )
    assert sentence("undecided", "not run", [unsure]) == (
        "The audit's shorter runs do not have all that the claim is about"
    )


def test_a_study_and_an_audit_that_disagree_are_not_told_as_one() -> None:
    """No sentence claims that a claim holds with our choices where the study finds it partly so."""
    alike = Tried("who", "the cell", "holds")
    other = Tried("code", "(7, 5)", "does not hold")
    unsure = Tried("who", "each station", "undecided")
    begins = (
        "The study says “holds in part”, and with our choices the audit's fewer and shorter runs say "
        "“holds”. In these runs "
    )
    assert [
        sentence("holds in part", "holds", tried) for tried in ([alike], [alike, unsure], [unsure])
    ] == [
        f"{begins}the one alternative that can matter does not change that",
        f"{begins}none of the 2 alternatives that can matter changes that; 1 leaves it undecided",
        f"{begins}the one alternative leaves it undecided",
    ]
    assert sentence("holds in part", "holds", [alike, other, unsure]) == (
        f"{begins}it does not hold with “(7, 5)” (code)"
    )
    half = Tried("code", "(9, 7)", "holds in part", flips=False)
    assert sentence("holds in part at most", "holds in part at most", [half]) == (
        "The one alternative that can matter does not change the verdict “holds in part at most”"
    )
    assert sentence("does not hold", "holds in part at most", [half]) == (
        "With our choices the audit's fewer and shorter runs say “holds in part at most”, which does not "
        "contradict “does not hold”. In these runs the one alternative that can matter does not change that"
    )
    assert sentence("undecided", "holds", [alike]).startswith(
        "The study says “undecided”, and with our"
    )


def test_an_alternative_that_cannot_matter_is_not_counted() -> None:
    row = {"item": "who", "name": "x", "verdicts": {"P": "holds"}, "idle": ["P"], "flipped": []}
    row["decided"] = []
    claims = [{"id": "P", "verdict": "holds"}]
    assert rests_on(claims, {"claims": {"P": "holds"}, "variations": [row]}) == {}
    found = rests_on(claims, {"claims": {"P": "holds"}, "variations": [{**row, "idle": []}]})
    assert "The one alternative" in found["P"]
