"""The look of every figure: colours, fonts, sizes, for light and dark pages, and how to save.

Colours are those of Okabe and Ito (2008), told apart by people with any of the common colour
deficiencies; markers and dashes repeat what colours say, for print without colour.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from lasthop.core import safe_files
from lasthop.core.command_lines import argument
from lasthop.errors import UsageError, offered
from lasthop.pages.figures.palette import DARK, LIGHT, Palette
from lasthop.pages.recipes.embedding import embed
from lasthop.pages.recipes.recipe import Recipe

COLUMN_INCHES = 3.5
"""Width of one column of a paper; a page is two and a gap."""
PAGE_INCHES = 7.16
MARKERS = ("o", "s", "^", "D", "v", "P")


Draw = Callable[[Palette], Figure]
"""Draws a figure for a palette."""


def _settings(palette: Palette) -> dict[str, Any]:
    return {
        "font.family": "DejaVu Sans",  # comes with matplotlib: the same everywhere
        "font.size": 8,
        "axes.titlesize": 8.5,
        "axes.titleweight": "bold",
        "axes.titlelocation": "left",
        "axes.labelsize": 8,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.linewidth": 0.7,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.linewidth": 0.5,
        "lines.linewidth": 1.4,
        "lines.markersize": 4,
        "legend.frameon": False,
        "legend.fontsize": 7.5,
        "xtick.labelsize": 7.5,
        "ytick.labelsize": 7.5,
        "errorbar.capsize": 2,
        "text.color": palette.ink,
        "axes.labelcolor": palette.ink,
        "axes.edgecolor": palette.ink,
        "axes.facecolor": palette.paper,
        "figure.facecolor": palette.paper,
        "savefig.facecolor": palette.paper,
        "xtick.color": palette.ink,
        "ytick.color": palette.ink,
        "grid.color": palette.faint,
        "svg.hashsalt": "lasthop",  # the same data give the same bytes
        "pdf.fonttype": 42,  # text stays text, as publishers ask
    }


LOOKS: dict[str, dict[str, Any]] = {
    "plain": {},
    "paper": {  # both come with matplotlib; set as Times is, the font of most journals
        "font.family": "STIXGeneral",
        "mathtext.fontset": "stix",
        "font.size": 9,
        "axes.titleweight": "normal",
        "axes.titlelocation": "center",
        "axes.linewidth": 0.5,
        "axes.spines.top": True,
        "axes.spines.right": True,
        "axes.grid": False,
        "xtick.direction": "in",
        "ytick.direction": "in",
        "lines.linewidth": 1.0,
    },
}
"""Styles of figures."""


def refuse_unknown(look: str) -> None:
    """Raise UsageError where figures have no such look."""
    if look not in LOOKS:
        raise UsageError(
            f"{argument('--style')} {look}: unknown{offered(look, LOOKS, word='allowed')}"
        )


@contextmanager
def styled(palette: Palette, look: str = "plain") -> Iterator[None]:
    """Apply the style within a block."""
    settings: Any = _settings(palette) | LOOKS[look]  # the stubs list every key as a literal
    with mpl.rc_context(settings):
        yield


NO_DATE: dict[str, dict[str, Any]] = {
    "png": {"Software": None},
    "pdf": {"CreationDate": None},
    "svg": {"Date": None},
}


class Sheet:
    """A figure drawn for a palette and laid out, once for all files that are made of it."""

    def __init__(self, draw: Draw, palette: Palette = LIGHT, *, look: str = "plain") -> None:
        """Draw."""
        self._palette, self._look = palette, look
        with styled(palette, look):
            self.figure = draw(palette)
            layout = self.figure.get_layout_engine()
            if layout is not None:
                layout.execute(self.figure)
                self.figure.set_layout_engine(None)  # "none" has each file drawn twice

    def render(self, kind: str) -> bytes:
        """Return the bytes of a file: `kind` is png, pdf or svg. No date inside."""
        with styled(self._palette, self._look):
            buffer = io.BytesIO()
            self.figure.savefig(buffer, format=kind, dpi=200, metadata=NO_DATE[kind])
            return buffer.getvalue()

    def save(self, path: Path, recipe: Recipe | None = None) -> Path:
        """Write a file of the kind that its ending says.

        With a recipe (`lasthop.pages.recipes`) in it, `lasthop rerun` can make it again and compare.
        """
        kind = path.suffix[1:]
        content = self.render(kind)
        if recipe is not None:
            content = embed(content, kind, recipe.of(path))
        return safe_files.write_bytes(path, content)

    def save_for_paper(self, path: Path, recipe: Recipe | None = None) -> list[Path]:
        """Write `path` with the endings .png and .pdf; return both."""
        return [self.save(path.with_name(f"{path.name}.{kind}"), recipe) for kind in ("png", "pdf")]


def themed(svg: bytes) -> bytes:
    """Return an SVG file drawn for a light page such that it has a dark page's colours on one: a file for both."""
    light, dark = (_colours(palette) for palette in (LIGHT, DARK))
    names = {colour: b"var(--c%d)" % place for place, colour in enumerate(light)}

    def rules(colours: list[bytes]) -> bytes:
        return b";".join(b"--c%d:%s" % each for each in enumerate(colours))

    sheet = b"<style>svg{%s}@media(prefers-color-scheme:dark){svg{%s}}</style>"
    coloured = re.sub(rb"#[0-9a-f]{6}", lambda found: names.get(found[0], found[0]), svg)
    return re.sub(
        rb"(<svg[^>]*>)",
        lambda found: found[1] + sheet % (rules(light), rules(dark)),
        coloured,
        count=1,
    )


def _colours(palette: Palette) -> list[bytes]:
    return [each.encode() for each in (palette.ink, palette.faint, palette.paper, *palette.series)]
