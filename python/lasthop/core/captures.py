"""Captures: pcapng files of what passes every interface of a run."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from lasthop.errors import UsageError

#: The least that is worth keeping of a packet: radiotap, 802.11, LLC, IP and TCP headers without options.
#: Behind the longest radiotap header, of an aggregate, they end at byte 118.
LEAST_SNAP = 96

#: As much as `tcpdump` keeps of a packet.
MOST_SNAP = 262_144


@dataclass(frozen=True, slots=True)
class Captures:
    """The captures of a run, and their place.

    Attributes:
        directory: Gets a file for each interface; with several replications, a directory for each.
        only: Patterns of interface names, such as ``sta1-*``; empty: all.
        snap: The most that is kept of a packet, bytes; None: all.
    """

    directory: Path
    only: tuple[str, ...] = ()
    snap: int | None = None

    def check(self, dashes: str = "") -> None:
        """Raise UsageError for impossible captures; `dashes` precede the names in messages."""
        if self.snap is not None and not LEAST_SNAP <= self.snap <= MOST_SNAP:
            allowed = f"from {LEAST_SNAP} to {MOST_SNAP} bytes"
            raise UsageError(f"{dashes}pcap{_joint(dashes)}snap must be {allowed}, not {self.snap}")

    def prepare(self, replications: int) -> list[str]:
        """Make the directories, one for each replication; raises UsageError where one cannot be made."""
        self.check()
        several = [self.directory / f"replication-{i}" for i in range(replications)]
        directories = several if replications > 1 else [self.directory]
        for directory in directories:
            try:
                directory.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise UsageError(f"pcap {directory}: {error.strerror}") from None
            if not os.access(directory, os.W_OK | os.X_OK):
                raise UsageError(f"pcap {directory}: cannot be written to")
        return [str(directory) for directory in directories]


def _joint(dashes: str) -> str:
    return "-" if dashes else "_"
