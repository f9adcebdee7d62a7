"""`lasthop export`: writes a run in the format of another tool."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cyclopts import Parameter

from lasthop.cli.options import Many, MaybeWhole, Set


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ExportOptions:
    """The options of `lasthop export`.

    Parameters
    ----------
    out:
        The file to write.
    changes:
        Change the scenario: key=value with a dotted key, such as tcp.variant=tahoe.
    seed:
        The seed of all random numbers. The default is the scenario's own.
    flow:
        Export only flows whose names match, such as 'up*'. Can be repeated. iperf3 takes TCP or
        UDP, not both.
    every:
        The length of an interval of iperf3 and flent.
    """

    out: Path
    changes: Set = ()
    seed: MaybeWhole = None
    flow: Many = ()
    every: str = "1 s"


def command(form: str, scenario: Path, /, *, options: ExportOptions) -> None:
    """Write a run in the format of another tool.

    Example: lasthop export iperf3 dumbbell --out dumbbell.json

    Example: lasthop export flent dumbbell --every 200ms --out dumbbell.flent.gz

    The scenario runs once.

    docs/guides/exports.md describes the fields and their units.

    Parameters
    ----------
    form:
        iperf3 (its JSON), flent (.flent.gz), mahimahi (trace of a link), ns2 (old wireless trace) or ns2-new
        (new wireless trace).
    scenario:
        A TOML file, or the name of a scenario that `lasthop list scenarios` prints.
    """
    from lasthop.cli import export_output

    export_output.export(form, scenario, options)
