"""Compact letters: settings that share one cannot be distinguished from each other."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def letters(ordered: Sequence[str], differ: Collection[tuple[str, str]]) -> dict[str, str]:
    """Return the letters of each name, in the order given, such that two share one if they do not differ.

    The insert-and-absorb algorithm of Piepho (2004): begin with one group of all; each pair that
    differs splits every group that holds both; groups inside others go.
    """
    groups = [frozenset(ordered)]
    for a, b in differ:
        split: list[frozenset[str]] = []
        for group in groups:
            split += [group - {a}, group - {b}] if {a, b} <= group else [group]
        unique = list(dict.fromkeys(split))
        groups = [g for g in unique if not any(g < other for other in unique)]
    place = {name: n for n, name in enumerate(ordered)}
    groups.sort(key=lambda group: sorted(place[name] for name in group))
    return {
        name: "".join(_letter(n) for n, group in enumerate(groups) if name in group)
        for name in ordered
    }


def _letter(n: int) -> str:
    """Return a, b, ..., z, then a1, b1, ...: as many as there are groups."""
    return chr(ord("a") + n % 26) + (str(n // 26) if n >= 26 else "")
