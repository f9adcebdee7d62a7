"""Reports: one HTML file that needs no network, for wide and narrow screens, light and dark."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2
from markupsafe import Markup

from lasthop.core import safe_files
from lasthop.numbers.numerals import number
from lasthop.pages.figures import curve_svg
from lasthop.pages.figures.chart import Chart
from lasthop.pages.figures.palette import DARK, LIGHT, Palette
from lasthop.pages.in_script import in_script
from lasthop.pages.recipes.embedding import embed
from lasthop.pages.recipes.recipe import Recipe
from lasthop.study import phrases

if TYPE_CHECKING:
    from lasthop.pages.figures import style

PACKAGE = "lasthop.pages.report"


@dataclass(frozen=True)
class Figure:
    """A figure in a report: what draws it, and what it shows in words (also for screen readers).

    `narrow` draws it for a narrow screen; None: it is scrolled there. `inline` makes plain SVG of it for a page,
    for all widths, in place of both; `draw` is then for files only.
    """

    draw: style.Draw
    caption: str
    narrow: style.Draw | None = None
    inline: Callable[[], dict[str, Any]] | None = None

    @cached_property
    def light(self) -> style.Sheet:
        """The picture for a light page, and for paper."""
        return _sheet(self.draw)

    def uris(self) -> dict[str, Any]:
        """Return what a page shows: plain SVG, or wide and narrow as data URIs, each for light and dark."""
        if self.inline is not None:
            return self.inline()
        found: dict[str, Any] = {"wide": _uri(themed(self.light.render("svg")))}
        if self.narrow is not None:
            found["narrow"] = _uri(themed(_sheet(self.narrow).render("svg")))
        return found


def of_curves(
    chart: Chart, caption: str, width: str = "two", *, from_zero: bool = True, name: str = "figure"
) -> Figure:
    """Return a figure of curves: plain SVG in a page, matplotlib's where it is a file."""

    def draw(palette: Palette) -> Any:
        from lasthop.pages.figures.curves import curves

        return curves(chart, width, palette, from_zero=from_zero)

    def inline() -> dict[str, Any]:
        return curve_svg.figure(chart, caption, name, from_zero=from_zero)

    return Figure(draw, caption, inline=inline)


def themed(svg: bytes) -> bytes:
    """Return a figure drawn for a light page such that it has a dark page's colours on one: a file for both."""
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


def _sheet(draw: style.Draw) -> style.Sheet:
    from lasthop.pages.figures import style  # a page without figures goes without matplotlib

    return style.Sheet(draw)


def _uri(svg: bytes) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(svg).decode()


def images(drawn: dict[str, Figure]) -> dict[str, dict[str, Any]]:
    """Return what a template's macro `figure` takes of each figure."""
    return {name: {"image": f.uris(), "caption": f.caption} for name, f in drawn.items()}


def percent(part: float | None) -> str:
    """Return a part as per cent with its sign and two to three digits; a question mark for None."""
    if part is None:
        return "?"
    return f"{100 * part:+,.{0 if abs(part) >= 1 else 1}f} %".replace("-", "\N{MINUS SIGN}")


def uplot() -> dict[str, str]:
    """Return what draws time series in a page: uPlot (MIT, see `uplot/LICENSE`), its style, and our use of it."""
    names = {
        "js": "uplot/uPlot.iife.min.js",
        "css": "uplot/uPlot.min.css",
        **{name: f"{name}.js" for name in ("series", "air", "causes")},
    }
    return {key: text(name) for key, name in names.items()}


@cache
def environment() -> jinja2.Environment:
    """Return the template environment of all reports; everything inserted is escaped."""
    env = jinja2.Environment(
        loader=jinja2.PackageLoader(PACKAGE, ""),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters["number"] = number
    env.filters["value_said"] = phrases.of_value
    env.filters["metric_said"] = phrases.of_metric
    env.filters["comparison_said"] = phrases.of_comparison
    env.filters["axis_said"] = phrases.of_key
    env.filters["in_script"] = lambda told: Markup(in_script(told))
    env.globals["percent"] = percent
    return env


def render(template: str, **values: Any) -> str:
    """Return a page from a template of this package; `css`, `take`, `light` and `dark` are given to it."""
    page = environment().get_template(template)
    shared = {"css": text("style.css"), "take": text("take.js"), "light": LIGHT, "dark": DARK}
    return page.render(**shared, **values)


def save(page: str, path: Path, recipe: Recipe) -> Path:
    """Write a page with its recipe in it, which `lasthop rerun` reads."""
    content = page.encode(errors="backslashreplace")  # names of files need not be UTF-8
    return safe_files.write_bytes(path, embed(content, "html", recipe.of(path)))


def text(name: str) -> str:
    """Return a file of this package, such as a script of a page."""
    return resources.files(PACKAGE).joinpath(name).read_text(encoding="utf-8")
