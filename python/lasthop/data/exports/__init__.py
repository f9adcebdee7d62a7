"""A run in the formats of other tools: iperf3, Flent, Mahimahi, ns-2's wireless traces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import IO

from lasthop.core import api
from lasthop.data.exports import flent_data, iperf3_json, mahimahi, ns2
from lasthop.data.exports.selection import Selection
from lasthop.errors import UsageError, offered

__all__ = ["FORMATS", "Format", "Selection", "export", "format_of"]


@dataclass(frozen=True)
class Format:
    """A format of another tool.

    Attributes:
        about: What it is.
        probes: What a run needs for it.
        write: Writes a run of one replication to a file that is open for bytes.
    """

    about: str
    probes: tuple[str, ...]
    write: Callable[[api.Run, Selection, IO[bytes]], None]


FORMATS = {
    "iperf3": Format("iperf3 -J: one JSON document with intervals", ("flows", "tcp"), iperf3_json.write),
    "flent": Format("Flent's data file, version 4 (.flent.gz)", ("flows", "tcp"), flent_data.write),
    "mahimahi": Format("Mahimahi's trace of a link, from what came", ("packets",), mahimahi.write),
    "ns2": Format("ns-2's wireless trace, old format, agent level", ("packets",), ns2.write_old),
    "ns2-new": Format("ns-2's wireless trace, new format, agent level", ("packets",), ns2.write_new),
}  # fmt: skip


def format_of(name: str) -> Format:
    """Return a format by its name; raises UsageError where there is none."""
    if name not in FORMATS:
        raise UsageError(f"no format {name!r}{offered(name, FORMATS)}")
    return FORMATS[name]


def export(run: api.Run, name: str, file: IO[bytes], selection: Selection | None = None) -> None:
    """Write a run of one replication in the format `name`; it must have had the format's probes.

    Raises:
        UsageError: There is no such format, a probe was off, there are several replications, or
            the flows that are wanted do not fit the format.
    """
    format_ = format_of(name)
    if run.replications != 1:
        raise UsageError(f"format {name} takes one run, not {run.replications} replications")
    for probe in format_.probes:
        if probe not in (run.documents[0].get("probes") or {}):
            raise UsageError(f"format {name} needs probes={list(format_.probes)!r}")
    format_.write(run, selection or Selection(), file)
