"""`lasthop rerun`: makes a figure again and compares it."""

from __future__ import annotations

import sys
from pathlib import Path

from lasthop.cli.options import Json, MaybeWhole
from lasthop.cli.terminal import refuse_no_directory


def command(
    figure: Path,
    /,
    *,
    out: Path | None = None,
    workers: MaybeWhole = None,
    json_: Json = False,
) -> None:
    """Make a figure or page again, and compare the two.

    Example: lasthop rerun pareto.png

    Figures and pages contain the recipe for this.

    The command ends with 1 when anything differs, be it a number in its last bit or a pixel.

    Parameters
    ----------
    figure:
        A PNG, PDF, SVG or HTML file that lasthop has written.
    out:
        A directory for the new file. By default the new file is removed after the comparison.
    workers:
        How many runs go in parallel. The default is one for each core.
    json_:
        Print one JSON document.
    """
    from lasthop.cli import figure_output

    if out is not None:
        refuse_no_directory(out)
    if not figure_output.rerun(figure, out, workers, as_json=json_):
        sys.exit(1)
