"""`lasthop plot`, `report`, `rerun`: from the options to files, and their messages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lasthop.cli import picturing
from lasthop.cli.bars import bar
from lasthop.cli.documents import print_document
from lasthop.cli.stores import directory_of
from lasthop.cli.terminal import tell_other_engine, tell_written, terminal
from lasthop.core import safe_files as files
from lasthop.core import shipped, source
from lasthop.errors import UsageError
from lasthop.pages.picture import stored
from lasthop.study.swept import PAGE, Results

if TYPE_CHECKING:
    from lasthop.cli.commands.plot import PlotOptions

LOOK = ("xlabel", "ylabel", "title", "limit")
"""Options of a study's figure alone."""


def plot(directory: Path, options: PlotOptions) -> None:
    """Draw a figure of a study's results, of tables of probes, or of a scenario; raises UsageError."""
    if options.width not in ("one", "two"):
        raise UsageError(f"--width {options.width}: allowed: one, two")
    scenario = shipped.found(directory, "scenarios")
    if options.frame is not None:
        _plot_frames(scenario, options.out or Path(f"{scenario.stem}-frames.pdf"), options)
    elif options.clusters:
        _plot_clusters(scenario, options.out or Path(f"{scenario.stem}-clusters.html"), options)
    elif stored.is_of_probes(directory):
        _plot_probes(directory, options.out or _named(directory, options), options)
    elif scenario.is_file() and not _is_study(shipped.found(directory, "studies")):
        raise UsageError(
            f"{directory}: cannot be drawn; allowed: a study or its results, the directory that "
            "`lasthop sweep` writes; tables of probes, FILE.csv, FILE.parquet or their directory; a scenario "
            "with --frame or --clusters"
        )
    else:
        results = directory_of(directory)
        _plot_study(results, options.out or _named(results, options), options)


def _named(drawn: Path, options: PlotOptions) -> Path:
    """Return the figure that nobody has named, in the current folder: what is drawn, and the metrics asked for."""
    name = "-".join([drawn.resolve().stem, *options.y])
    return Path(f"{name.replace('/', '_')}.pdf")


def _is_study(file: Path) -> bool:
    return file.suffix == ".toml" and source.STUDY.search(source.read(file)) is not None


def _plot_study(directory: Path, out: Path, options: PlotOptions) -> None:
    if options.flow:
        raise UsageError(
            "--flow selects flows in tables of probes; for a study name the flow in --y, as in --y FLOW.goodput"
        )
    for option, given in (("--cell", options.cell), ("--set", options.changes)):
        if given:
            raise UsageError(f"{option} applies to figures of 802.16 frames only: add --frame")
    held = {}
    for condition in options.where:
        key, equals, value = condition.partition("=")
        if not equals:
            raise UsageError(f"--where {condition!r}: allowed: axis=value")
        held[key.strip()] = value.strip()
    results = Results(directory)
    tell_other_engine(results)
    with files.explained(out):
        written = results.plot(
            out,
            x=options.x,
            y=options.y or None,
            by=options.by,
            where=held,
            width=options.width,
            xlabel=options.xlabel,
            ylabel=options.ylabel,
            title=options.title,
            limit=options.limit,
            style=options.style,
        )
    tell_written(written)


def _plot_frames(file: Path, out: Path, options: PlotOptions) -> None:
    from lasthop.pages.studies import framing

    for option in ("x", "y", "by", "where", "flow", *LOOK):
        if getattr(options, option):
            raise UsageError(
                f"--{option} applies to a study's results only: leave it out with --frame"
            )
    wish = {"frames": options.frame, "cell": options.cell, "width": options.width}
    with files.explained(out):
        written = framing.plot(file, options.changes, wish, out)
    tell_written(written)


def _plot_probes(path: Path, out: Path, options: PlotOptions) -> None:
    from lasthop.pages.picture import probe_figure

    for option, given in (
        *(
            (name, getattr(options, name))
            for name in ("x", "by", "where", "ylabel", "limit", "cell")
        ),
        ("set", options.changes),
    ):
        if given:
            raise UsageError(f"--{option} does not apply to figures of probes: leave it out")
    look = probe_figure.Look(options.y, options.width, options.style, options.title, options.xlabel)
    with files.explained(out):
        written, notes = probe_figure.plot(path, options.flow, look, out)
    for note in notes:
        terminal().print(note, highlight=False, soft_wrap=True)
    tell_written(written)


def _plot_clusters(file: Path, out: Path, options: PlotOptions) -> None:
    from lasthop.pages.studies import clustering

    for option in ("x", "y", "by", "where", "flow", "cell", *LOOK):
        if getattr(options, option):
            raise UsageError(f"--{option} does not apply to figures of clusters: leave it out")
    with files.explained(out):
        written = clustering.plot(file, options.changes, out)
    tell_written(written)


def report(study: Path, out: Path | None, cell: int | None, workers: int | None) -> None:
    """Write the report of a study's results; raises UsageError."""
    scenario = shipped.found(study, "scenarios")
    if scenario.is_file() and not source.STUDY.search(source.read(scenario)):
        picturing.of_scenario(scenario, out, cell, workers)
        return
    from lasthop.pages.studies.reporting import write  # matplotlib takes a second to import

    directory = directory_of(study, or_scenario=True)
    results = Results(directory)
    tell_other_engine(results)
    page = directory / PAGE if out is None else out
    with bar("a run for its time series", terminal(stderr=True)) as told, files.explained(page):
        write(results, page, workers, cell, told)
    tell_written(page)


def rerun(figure: Path, out: Path | None, workers: int | None, *, as_json: bool) -> bool:
    """Make a figure again and say what differs; return whether nothing does."""
    from lasthop.pages.recipes.rerunning import rerun as again

    said = terminal(stderr=True)
    with bar("running it again", said) as told:
        found = again(
            figure,
            out,
            workers=workers,
            told=told,
            said=lambda note: said.print(note, highlight=False),
        )
    if as_json:
        print_document(found.as_dict())
        return found.equal
    console = terminal()
    console.print(found.recipe.command, highlight=False, soft_wrap=True, markup=False)
    for what, differences in (("numbers", found.data), ("picture", found.picture)):
        state = "differ" if differences else "the same"
        console.print(f"{what}: {state}", highlight=False)
        for line in differences:
            console.print(f"  {line}", highlight=False, soft_wrap=True, markup=False)
    if found.made is not None:
        tell_written(found.made)
    return found.equal
