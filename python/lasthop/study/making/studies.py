"""`lasthop new study NAME`: a commented study over a scenario."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from lasthop.core import idle, source, toml
from lasthop.core.job import Job
from lasthop.errors import UsageError
from lasthop.numbers.numerals import listed
from lasthop.study import cells, reader
from lasthop.study.making import told_of_options
from lasthop.study.making.noticed_metrics import metrics_of


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """The request.

    Attributes:
        name: Of the study.
        scenario: A file, or the name of one that comes with lasthop.
        over: Axes, each ``key=value,value``.
        metrics: What to measure; none: what people notice of the scenario's flows.
        replications: Of each cell.
    """

    name: str
    scenario: str = "two_stations"
    over: Sequence[str] = ()
    metrics: Sequence[str] = ()
    replications: int = 10


def text(asked: Wanted, folder: Path) -> str:
    """Return the study as TOML, for a file in `folder`; raises UsageError and ScenarioError."""
    flows = Job(*source.load(asked.scenario)).outline()["flows"]
    axes = [_axis(said) for said in asked.over] or [_usual_axis(asked.scenario, flows)]
    keys = [axis.split(" = ")[0] for axis in axes]
    first, said = keys[0], listed([key.strip('"') for key in keys])
    wanted = asked.metrics or metrics_of(flows)
    metrics = [toml.shown(metric) for metric in wanted]
    made = f"""# What {"does" if len(keys) == 1 else "do"} {said} change?
#
#   lasthop sweep {asked.name}.toml --quick      # three runs of each cell
#   lasthop sweep {asked.name}.toml              # continues where it was stopped
#   lasthop audit {asked.name}.toml              # verdicts on [[compare]] and [[claim]]
#   lasthop report out/{asked.name}

[study]
name = "{asked.name}"
# question = "..."                # what its page and `lasthop sweep` begin with, before the answer
{f"# answer_by = {metrics[0]}":<33} # by default what people notice first: calls, pages, goodput
scenario = {toml.shown(_seen_from(folder, asked.scenario))}
# set = ["duration=20 s"]         # changes in every cell
seed = 1                          # the same random numbers in every cell
replications = {asked.replications}
{f"metrics = [{', '.join(metrics)}]":<33} # `lasthop list quantities` prints all

[axes]                            # every combination of the values is a cell
{chr(10).join(axes)}

# [precision]                     # instead of replications: run until the mean is this precise
# metric = {metrics[0]}
# relative = 0.02

{_compared(keys, metrics)}
# [[claim]]                       # a claim of yours, which is judged: docs/guides/verdicts.md
# id = "C1"
# text = "..."
# metric = {metrics[0]}
# holds = {{ above = {{ a = {{ {first} = ... }}, b = {{ {first} = ... }} }} }}
"""
    file = str(folder / f"{asked.name}.toml")
    with told_of_options(made, file, OPTIONS, "--over"):
        cells.cells(reader.parse(made, file))
    return made


def _compared(axes: Sequence[str], metrics: Sequence[str]) -> str:
    """Return a comparison of the values of each axis by each metric: the answer is sought along those compared."""
    note = "# compares all values; the verdicts hold together with 95 % confidence"
    return "\n".join(
        f"[[compare]]{' ' * 23 + note if not number else ''}\naxis = {axis}\nmetric = {metric}\n"
        for number, (axis, metric) in enumerate(product(axes, metrics))
    )


#: The options by the keys of a study that they write; those of [axes] are written by --over.
OPTIONS = {name: f"--{name}" for name in ("scenario", "replications", "metric")}
OPTIONS["metrics"] = "--metric"


def _usual_axis(scenario: str, flows: Sequence[Mapping[str, Any]]) -> str:
    """Return an axis of variants, or of limits of queues where no flow is of TCP.

    It reaches what it names: the first that has a table of its own, where some have.
    """
    key, values = "queue.packets", "[10, 50, 200]"
    if any(flow["transport"] == "tcp" for flow in flows):
        key, values = "tcp.variant", '["newreno", "cubic", "bbr"]'
    own = idle.reaching(source.load(scenario)[0], key)
    return f'"{own[0] if own else key}" = {values}'


def _axis(said: str) -> str:
    """Turn ``tcp.variant=reno,cubic`` into a line of TOML; raises UsageError."""
    key, equals, values = said.partition("=")
    found = [value.strip() for value in values.split(",")]
    if not equals or not key.strip() or not all(found):
        raise UsageError(
            f"--over {said!r}: an axis is key=value,value, such as tcp.variant=reno,cubic"
        )
    shown = (
        v if re.fullmatch(r"-?[0-9]+(\.[0-9]+)?|true|false", v) else toml.shown(v) for v in found
    )
    return f"{toml.shown(key.strip())} = [{', '.join(shown)}]"


def _seen_from(folder: Path, scenario: str) -> str:
    if not Path(scenario).exists():
        return scenario  # one of ours; else the reader says best what is wrong with it
    return Path(os.path.relpath(scenario, folder)).as_posix()
