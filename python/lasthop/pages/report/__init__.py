"""Reports: one HTML file that needs no network, for wide and narrow screens, light and dark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2
from markupsafe import Markup

from lasthop.core import safe_files
from lasthop.numbers.numerals import plain
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
    """A figure in a report: what draws it for a paper, what it shows in words, and its plain SVG for a page.

    The SVG serves all widths and both themes; the template's macro `figure` takes it.
    """

    draw: style.Draw
    caption: str
    inline: Callable[[], dict[str, Any]]

    @cached_property
    def light(self) -> style.Sheet:
        """The picture for paper."""
        from lasthop.pages.figures import style  # a page by itself goes without matplotlib

        return style.Sheet(self.draw)


def of_curves(
    chart: Chart, caption: str, width: str = "two", *, from_zero: bool = True, name: str = "figure"
) -> Figure:
    """Return a figure of curves: plain SVG in a page, matplotlib's where it is a file."""

    def draw(palette: Palette) -> Any:
        from lasthop.pages.figures.curves import curves

        return curves(chart, width, palette, from_zero=from_zero)

    def inline() -> dict[str, Any]:
        return curve_svg.figure(chart, caption, name, from_zero=from_zero)

    return Figure(draw, caption, inline)


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
        **{name: f"{name}.js" for name in ("traced", "series", "air", "causes")},
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
    env.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    env.filters["plain"] = plain
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
