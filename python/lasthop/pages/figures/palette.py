"""Colours of light and dark pages, for figures and for reports."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Palette:
    """Colours of a light or a dark page."""

    name: str
    ink: str
    faint: str
    paper: str
    series: tuple[str, ...]


LIGHT = Palette(
    name="light",
    ink="#1f2328",
    faint="#d0d7de",
    paper="#ffffff",
    series=("#0072b2", "#d55e00", "#009e73", "#9a5f8c", "#b8860b", "#56b4e9"),
)
DARK = Palette(
    name="dark",
    ink="#d7dce2",
    faint="#3a424c",
    paper="#14181d",
    series=("#56b4e9", "#f0913a", "#2bbf97", "#d99ac5", "#e6c229", "#9ad0f5"),
)
