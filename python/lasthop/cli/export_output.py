"""`lasthop export`: a run in the format of another tool."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.markup import escape

from lasthop.cli.bars import bar
from lasthop.cli.terminal import refuse_no_directory, terminal
from lasthop.core import api, safe_files
from lasthop.core.engine import check_probes
from lasthop.core.jobs import refuse_strange_numbers
from lasthop.data import exports
from lasthop.errors import UsageError

if TYPE_CHECKING:
    from lasthop.cli.commands.export import ExportOptions


def export(name: str, scenario: Path, options: ExportOptions) -> None:
    """Run a scenario once and write it in the format `name`; raises LasthopError."""
    out, seed, changes = options.out, options.seed, options.changes
    form = exports.format_of(name)
    refuse_strange_numbers(seed, 1, None, "--")
    refuse_no_directory(out.parent)
    if out.is_dir():
        raise UsageError(f"--out {out}: is a directory; a file is expected")
    step_s = check_probes(list(form.probes), options.every)
    api.check(scenario, overrides=changes)  # before a progress bar is drawn
    with bar("simulating", terminal(stderr=True)) as fraction:
        run = api.run(
            scenario,
            seed=seed,
            overrides=changes,
            fraction=fraction,
            probes=form.probes,
            probe_every_s=step_s if "flows" in form.probes else None,
        )
    selection = exports.Selection(tuple(options.flow), step_s or 1.0)
    with safe_files.explained(out):
        safe_files.write(out, lambda file: exports.export(run, name, file, selection))
    console = terminal()
    console.print(f"{form.about}: {escape(str(out))}", soft_wrap=True)
    if name.startswith("ns2"):
        nodes = ", ".join(f"{place} {node}" for place, node in enumerate(exports.ns2.nodes(run)))
        console.print(f"nodes: {escape(nodes)}", soft_wrap=True)
