"""`lasthop bench`: measures the speed."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from lasthop.cli import completing
from lasthop.cli.options import Json


def command(
    name: Annotated[str | None, Parameter(completer=completing.workloads)] = None,
    /,
    *,
    json_: Json = False,
) -> None:
    """Measure the speed of lasthop on this machine.

    It runs fixed workloads, and prints packets and events for each second of processor time.

    Parameters
    ----------
    name:
        Run only this workload, or the workloads of this group: wired, dcf, cells, medium, laws,
        study.
    json_:
        Print one JSON document.
    """
    from lasthop.cli import bench_output

    bench_output.show(name, as_json=json_)
