"""Tables of probes as a figure or a page: a panel for each quantity, a colour for each flow."""

from __future__ import annotations

import json
import tempfile
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lasthop.core import safe_files, shapes
from lasthop.core.command_lines import typed
from lasthop.core.engine import version
from lasthop.core.listeners import Fraction
from lasthop.core.panels import panels
from lasthop.errors import UsageError, offered
from lasthop.extras import needed
from lasthop.pages import report
from lasthop.pages.figures import palette
from lasthop.pages.picture import grids, stored
from lasthop.pages.picture.column_figure import NAMES
from lasthop.pages.picture.stored import DRAWN, Columns, Stored
from lasthop.pages.recipes import keeping
from lasthop.pages.recipes.recipe import TEXTS, Recipe, recipe

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ENDINGS = (".pdf", ".png", ".svg", ".html")

PANEL_INCHES = 1.45
"""Height of a panel."""

MOST = 6
"""The most lines of a column's panel: each has a colour that the eye can tell from the others."""

LEGEND_POINTS = 9.5
"""Height of a line of a legend, points: it is between a panel and its title, where it hides nothing."""

ABOVE: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (-0.01, 0.97), "borderaxespad": 0.1}

LETTERS = {"one": 44, "two": 96}
"""Letters of a panel's heading that fit into a line, by the width of the figure."""

UNITS = {"_s": ("ms", 1e3), "_bps": ("kbit/s", 1e-3), "_bytes": ("bytes", 1.0)}
"""Units of columns, by the end of their names."""


SHAPE = shapes.fields(
    {
        "name": shapes.text,
        "is_folder": shapes.flag,
        "tables": shapes.anything,
        "flows": TEXTS,
        "look": shapes.fields(
            {
                "columns": TEXTS,
                **dict.fromkeys(("width", "style"), shapes.text),
                **dict.fromkeys(("title", "xlabel"), shapes.maybe(shapes.text)),
            }
        ),
    }
)
"""The form of a recipe of such a picture; its tables are checked separately."""


@dataclass(frozen=True)
class Look:
    """The look of a picture.

    Attributes:
        columns: Columns that are drawn, a panel each; none: what tells most of such tables.
        width: Of ``one`` column of a paper or of ``two``.
        style: ``plain`` or ``paper``.
        title, xlabel: In place of those by default.
    """

    columns: Sequence[str] = ()
    width: str = "one"
    style: str = "plain"
    title: str | None = None
    xlabel: str | None = None


def plot(path: Path, flows: Sequence[str], look: Look, out: Path) -> tuple[Path, Sequence[str]]:
    """Draw a table or a directory of tables, of flows those that match; return the file and notes for its reader.

    Raises UsageError.
    """
    inputs = {
        "name": path.name,
        "is_folder": path.is_dir(),
        "tables": keeping.keep(stored.tables_in(path)),
        "flows": list(flows),
        "look": {**asdict(look), "columns": list(look.columns)},
    }
    found = stored.read(path, flows)
    return _write(inputs, found, out), found.notes


def again(recipe_: Recipe, folder: Path, workers: int | None, told: Fraction) -> Path:
    """Draw the tables in the recipe again."""
    held = recipe_.inputs
    with tempfile.TemporaryDirectory(prefix="lasthop-") as place:
        tables = Path(place) / Path(held["name"]).name if held["is_folder"] else Path(place)
        tables.mkdir(exist_ok=True)
        made = keeping.put(held["tables"], tables)
        found = stored.read(tables if held["is_folder"] else made[0], held["flows"])
    told(1.0)
    return _write(held, found, folder / Path(recipe_.file).name)


def _write(inputs: Mapping[str, Any], found: Stored, out: Path) -> Path:
    """Write the picture to a file of the kind that its ending says."""
    safe_files.refuse_ending(out, ENDINGS)
    look = Look(**inputs["look"])
    series = _series(found, look.columns)
    title = found.title if look.title is None else look.title
    made = recipe("probes", _command(inputs, look, out.name), inputs, series)
    if out.suffix == ".html":
        return report.save(_page(series, title), out, made)
    needed("matplotlib")
    from lasthop.pages.figures import style

    style.refuse_unknown(look.style)

    def sheet(colours: palette.Palette) -> Figure:
        return _figure(series, title, look, colours)

    return style.Sheet(sheet, look=look.style).save(out, made)


def _command(inputs: Mapping[str, Any], look: Look, out: str) -> str:
    options: dict[str, Any] = {"--width": look.width, "--style": look.style, "--y": look.columns}
    options |= {"--flow": inputs["flows"], "--title": look.title, "--xlabel": look.xlabel}
    return typed(["lasthop", "plot", inputs["name"]], options | {"--out": out})


def _series(found: Stored, columns: Sequence[str]) -> dict[str, Any]:
    """Return `times`, `charts`, `marks` and `notes`, as of a page about a run."""
    tables = found.tables
    ends = [max(table["time_s"]) for table in tables.values() if table["time_s"]]
    if not ends or max(ends) <= 0:
        raise UsageError(f"{found.title}: nothing to draw: there is no row after time 0")
    document = {
        "duration_s": float(max(ends)),
        "measured_s": float(max(ends)),
        "flows": _flows(tables.values()),
        "probes": {name: _drawn(name, tables[name]) for name in DRAWN if name in tables},
    }
    if columns:
        series = _panels(document | {"probes": {}})
        charts = [_chart_of(tables.values(), name, np.array(series["times"])) for name in columns]
        return series | {"charts": charts, "notes": list(found.notes)}
    left = [name for name in tables if name not in DRAWN]
    if not document["probes"]:
        there = ", ".join(_numeric(tables.values())) or "none of numbers"
        raise UsageError(
            f"the probe {left[0]} has no picture of its own: name columns of it by --y; there are: {there}. "
            "`lasthop run FILE --report run.html` draws the use of the medium, delays and causes"
        )
    series = _panels(document)
    notes = [*found.notes, *series["notes"]]
    if left:
        notes.append(f"Not drawn without --y: {', '.join(left)}.")
    return series | {"notes": notes}


def _panels(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the time charts of a document with probes."""
    series: dict[str, Any] = panels(json.dumps(document))["series"]
    return series


def _drawn(probe: str, table: Columns) -> Columns:
    """Return the columns of a table that panels show, and those that they are known by."""
    return {key: table[key] for key in ("time_s", *NAMES, *DRAWN[probe]) if key in table}


def _flows(tables: Any) -> list[dict[str, Any]]:
    """Return the flows of tables in the order of their first rows, with a goodput by which they are ranked."""
    found: dict[str, float] = {}
    for table in tables:
        for name, rows in grids.groups(table.get("flow", ())):
            found.setdefault(name, 0.0)
            if "goodput_bps" in table:
                found[name] = float(np.nanmean(grids.column(table["goodput_bps"], rows)))
            elif table.get("snd_una") and not found[name]:
                found[name] = float(np.nanmax(grids.column(table["snd_una"], rows)))
    return [{"name": name, "goodput_bps": goodput} for name, goodput in found.items()]


def _numeric(tables: Any) -> dict[str, Columns]:
    """Return the table of each column of numbers that belong to somebody."""
    found: dict[str, Columns] = {}
    for table in tables:
        if not any(name in table for name in NAMES):
            continue
        for key, values in table.items():
            is_number = any(isinstance(v, int | float) and not isinstance(v, bool) for v in values)
            if is_number and key not in ("time_s", "replication", *NAMES):
                found.setdefault(key, table)
    return found


def _chart_of(tables: Any, name: str, times: Any) -> dict[str, Any]:
    """Return the chart of a column: a line for each flow, queue or station, those with most of it."""
    numeric = _numeric(tables)
    if name not in numeric:
        there = ", ".join(numeric) or "none"
        raise UsageError(f"--y {name}: no such column of numbers{offered(name, numeric, there)}")
    table = numeric[name]
    key = next(each for each in NAMES if each in table)
    unit, factor = next((u for end, u in UNITS.items() if name.endswith(end)), ("", 1.0))
    lines = []
    for whose, rows in grids.groups(table[key]):
        at, values = grids.column(table["time_s"], rows), grids.column(table[name], rows)
        grid = factor * grids.held(at, values, times)
        if not np.isnan(grid).all():
            lines.append((float(np.nanmean(grid)), whose, grid))
    shown = {whose for _, whose, _ in sorted(lines, key=lambda each: -each[0])[:MOST]}
    own = [(whose, grid) for _, whose, grid in lines if whose in shown]
    title = name.removesuffix("_s").removesuffix("_bps").removesuffix("_bytes").replace("_", " ")
    if len(lines) > len(own):
        title += f", the largest {MOST} of {len(lines)}"
    made = [
        {"name": whose, "values": grids.plain(grid), "dash": False, "colour": i}
        for i, (whose, grid) in enumerate(own)
    ]
    return {"title": title, "unit": unit, "lines": made}


def _page(series: dict[str, Any], title: str) -> str:
    return report.render(
        "probes.html.j2",
        version=version(),
        name=title,
        series=series,
        colours={p.name: p.series for p in (palette.LIGHT, palette.DARK)},
        uplot=report.uplot(),
    )


def _figure(series: dict[str, Any], title: str, look: Look, colours: palette.Palette) -> Figure:
    from lasthop.pages.figures import style

    charts = series["charts"]
    inches = style.COLUMN_INCHES if look.width == "one" else style.PAGE_INCHES
    figure: Figure = needed("matplotlib.figure").Figure(
        figsize=(inches, PANEL_INCHES * len(charts) + 0.75), layout="constrained"
    )
    grid = figure.subplots(len(charts), 1, sharex=True, squeeze=False)[:, 0]
    seen: set[tuple[str, ...]] = set()
    for axes, chart in zip(grid, charts, strict=True):
        _panel(axes, chart, series["times"], colours)
        names = tuple(line["name"] for line in chart["lines"] if not line["dash"])
        rows = 0
        if names not in seen:  # what stands above with the same colours need not be said again
            across = 2 if look.width == "one" else 4
            rows = -(-len(names) // across)
            axes.legend(fontsize=6.5, ncols=across, handlelength=1.2, **ABOVE)
        seen.add(names)
        heading = textwrap.fill(_heading(chart), LETTERS[look.width])
        axes.set_title(heading, fontsize=7.5, pad=4 + LEGEND_POINTS * rows)
    grid[-1].set_xlabel("time (s)" if look.xlabel is None else look.xlabel)
    if title:
        figure.suptitle(title, fontsize=9)
    return figure


def _panel(
    axes: Axes, chart: dict[str, Any], times: Sequence[float], colours: palette.Palette
) -> None:
    for number, line in enumerate(chart["lines"]):
        colour = colours.series[line.get("colour", number) % len(colours.series)]
        values = [np.nan if v is None else v for v in line["values"]]
        dashes = "--" if line["dash"] else "-"
        label = "_" if line["dash"] else line["name"]  # matplotlib leaves out what begins so
        axes.step(times, values, where="post", color=colour, ls=dashes, lw=0.9, label=label)
    axes.set_ylim(bottom=0)
    axes.set_xlim(0, times[-1])


def _heading(chart: dict[str, Any]) -> str:
    return f"{chart['title']} ({chart['unit']})" if chart["unit"] else str(chart["title"])
