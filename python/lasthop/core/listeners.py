"""Listeners of those who wait for runs: the fraction done, counts, the stage, and messages."""

from __future__ import annotations

from collections.abc import Callable

Fraction = Callable[[float], None]
"""Told how much is done, 0 to 1."""

Count = Callable[[int, int], None]
"""Told how many are done, of how many."""

Stage = Callable[[int, int, str], None]
"""Told how many are done, of about how many, and what is at work."""

Said = Callable[[str], None]
"""Told what a user should know."""
