"""`lasthop plot`, `report`, `rerun`: from the options to files, and what is said of them."""

from __future__ import annotations

from pathlib import Path

from lasthop import shipped, source
from lasthop import store as files
from lasthop.cli import picturing
from lasthop.cli.drawing import PlotOptions
from lasthop.cli.progress import bar
from lasthop.cli.terminal import tell_other_engine, terminal
from lasthop.errors import UsageError
from lasthop.picture import stored
from lasthop.study.results import Results

LOOK = ("xlabel", "ylabel", "title", "limit")
"""Options of a study's figure alone."""


def plot(directory: Path, options: PlotOptions) -> None:
    """Draw a figure of a study's results; raises UsageError."""
    out, width = options.out, options.width
    if width not in ("one", "two"):
        raise UsageError(f"--width {width}: allowed: one, two")
    if options.frame is not None:
        _plot_frames(shipped.found(directory, "scenarios"), options)
        return
    if options.clusters:
        _plot_clusters(shipped.found(directory, "scenarios"), options)
        return
    if stored.is_of_probes(directory):
        _plot_probes(directory, options)
        return
    if directory.is_file():
        raise UsageError(
            f"{directory}: nothing to draw as it is; allowed: results, the directory that `lasthop sweep` writes; "
            "tables of probes, FILE.csv, FILE.parquet or their directory; a scenario with --frame or --clusters"
        )
    if options.flow:
        raise UsageError(
            "--flow is of the tables of probes: of a study --y FLOW.goodput names the flow"
        )
    for option, given in (("--cell", options.cell), ("--set", options.changes)):
        if given:
            raise UsageError(f"{option} is of a scenario's frames: add --frame")
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
            width=width,
            xlabel=options.xlabel,
            ylabel=options.ylabel,
            title=options.title,
            limit=options.limit,
            style=options.style,
        )
    terminal().print(f"wrote {written}", highlight=False, soft_wrap=True)


def _plot_frames(file: Path, options: PlotOptions) -> None:
    from lasthop.study import framing

    for option in ("x", "y", "by", "where", "flow", *LOOK):
        if getattr(options, option):
            raise UsageError(f"--{option} is of a study's results: leave it out with --frame")
    wish = {"frames": options.frame, "cell": options.cell, "width": options.width}
    with files.explained(options.out):
        written = framing.plot(file, options.changes, wish, options.out)
    terminal().print(f"wrote {written}", highlight=False, soft_wrap=True)


def _plot_probes(path: Path, options: PlotOptions) -> None:
    from lasthop.picture import panels

    for option, given in (
        *(
            (name, getattr(options, name))
            for name in ("x", "by", "where", "ylabel", "limit", "cell")
        ),
        ("set", options.changes),
    ):
        if given:
            raise UsageError(f"--{option} is no part of a picture of probes: leave it out")
    look = panels.Look(options.y, options.width, options.style, options.title, options.xlabel)
    found = stored.read(path, options.flow)
    with files.explained(options.out):
        written = panels.draw(found, options.out, look)
    for note in found.notes:
        terminal().print(note, highlight=False, soft_wrap=True)
    terminal().print(f"wrote {written}", highlight=False, soft_wrap=True)


def _plot_clusters(file: Path, options: PlotOptions) -> None:
    from lasthop.study import clustering

    for option in ("x", "y", "by", "where", "flow", "cell", *LOOK):
        if getattr(options, option):
            raise UsageError(f"--{option} is no part of a scenario's clusters: leave it out")
    with files.explained(options.out):
        written = clustering.plot(file, options.changes, options.out)
    terminal().print(f"wrote {written}", highlight=False, soft_wrap=True)


def report(study: Path, out: Path | None, cell: int | None, threads: int | None) -> None:
    """Write the report of a study's results; raises UsageError."""
    study = study if study.exists() else shipped.found(study, "scenarios")
    if study.is_file() and not source.STUDY.search(source.read(study)):
        picturing.of_scenario(study, out, cell, threads)
        return
    from lasthop.study.reporting import PAGE, write  # matplotlib takes a second to import

    directory = study if study.is_dir() else _directory_of(study)
    results = Results(directory)
    tell_other_engine(results)
    page = directory / PAGE if out is None else out
    with bar("a run for its time series", terminal(stderr=True)) as told, files.explained(page):
        write(results, page, threads, cell, told)
    terminal().print(f"wrote {page}", highlight=False, soft_wrap=True)


def _directory_of(study: Path) -> Path:
    from lasthop.study.reader import read

    if not study.exists():
        raise UsageError(
            f"{study}: no such file; a directory of results or a study file is expected"
        )
    directory = Path("out") / read(study).name
    if not directory.is_dir():
        raise UsageError(f"{directory}: no results yet: lasthop sweep {study}")
    return directory


def rerun(figure: Path, out: Path | None, threads: int | None, *, as_json: bool) -> bool:
    """Make a figure again and say what differs; return whether nothing does."""
    from lasthop.recipes.rerunning import rerun as again

    said = terminal(stderr=True)
    with bar("running it again", said) as told:
        found = again(
            figure,
            out,
            threads=threads,
            told=told,
            said=lambda note: said.print(note, highlight=False),
        )
    if as_json:
        from lasthop.cli.commands import print_document

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
        console.print(f"wrote {found.made}", highlight=False, soft_wrap=True)
    return found.equal
