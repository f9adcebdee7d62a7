"""How to run: the one form in which options go from a caller down to the compiled module."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lasthop.core.captures import Captures
from lasthop.core.listeners import Count, Fraction
from lasthop.core.noticing.limits import Told
from lasthop.core.python_law import LawFactory

Overrides = Mapping[str, object] | Iterable[str] | str
"""Changes to a scenario: ``{"tcp.variant": "tahoe"}`` ``["tcp.variant=tahoe"]`` or one of them."""


@dataclass(frozen=True, kw_only=True)
class Running:
    """Options of a run.

    Attributes:
        seed: The root of all random numbers; by default the scenario's own.
        replications: How many independent runs of this seed.
        overrides: Changes to the scenario, by dotted key.
        workers: How many threads; by default one for each core. One without a run of its own helps a large run
            whose parts do not meet. Results do not depend on it.
        fraction: Told how much of all simulated time is done, 0 to 1, ten times a second.
        laws: Laws in Python by the names that `tcp.law` may say: ``{"mine": MyLaw}``. Slower, and on one thread.
        law: The one of `laws` that every TCP flow uses where the scenario names none of them.
        pcap: A directory for captures: a pcapng file for each interface (``server-eth0``, ``sta1-wlan0``) and for
            each channel (``air-cell``); with several replications, a directory for each. They change no result.
        pcap_only: Capture these interfaces only: patterns such as ``sta1-*``.
        pcap_snap: The largest number of bytes kept of each packet; by default all.
        limited: Told what limited each flow of the first replication, which then takes a half more time to run.
        page: Told the panels of a page about the first replication (`lasthop.core.panels`), which then takes
            two to three times as long; no probes are then kept.
    """

    seed: int | None = None
    replications: int = 1
    overrides: Overrides = ()
    workers: int | None = None
    fraction: Fraction | None = None
    laws: Mapping[str, LawFactory] | None = None
    law: str | None = None
    pcap: str | Path | None = None
    pcap_only: Sequence[str] = ()
    pcap_snap: int | None = None
    limited: Told | None = None
    page: Callable[[dict[str, Any]], None] | None = None

    @property
    def captures(self) -> Captures | None:
        """The captures to write."""
        if self.pcap is None:
            return None
        return Captures(Path(self.pcap), tuple(_names(self.pcap_only)), self.pcap_snap)

    def probed(self) -> tuple[list[str], str | None]:
        """Return the probes, and their step with its unit; None: every change."""
        return [], None

    def panel_steps(self) -> int | None:
        """Return over how many steps the panels of a page are wanted beside results, if they are."""
        return None

    def only_first(self) -> bool:
        """Return whether probes and panels are those of the first job alone."""
        return False

    def finished(self, done: int, of: int) -> None:
        """Report that `done` of all runs have finished."""


@dataclass(frozen=True, kw_only=True)
class Watching(Running):
    """Options of a run whose documents are kept, with its probes.

    Attributes:
        progress: Told (finished, all) as runs finish.
        probes: Which time series to keep: ``tcp`` (state of the senders), ``cuts`` (window cuts and their
            causes), ``queue`` (packets waiting), ``flows`` (rates, losses and delays by step), ``frames`` (what
            each symbol of 802.16 frames is for), ``packets`` (each packet, sent, received or lost, and where its
            time went), and others that `lasthop list probes` names. They change no result.
        probe_every_s: Keep at most one row of a flow or queue in each step of this length (s), its last
            state, or the first frames of a cell; by default every change, and each second for ``flows``.
        panels: Have in each document the panels of a page (`lasthop.core.panels`), over this number of steps, in
            place of its probes, whose tables are then never written as text.
        first_only: Probes and panels are of the first job only.
    """

    progress: Count | None = None
    probes: Sequence[str] = ()
    probe_every_s: float | None = None
    panels: int | None = None
    first_only: bool = False

    def probed(self) -> tuple[list[str], str | None]:
        """Return the probes, and their step with its unit; None: every change."""
        step = None if self.probe_every_s is None else f"{float(self.probe_every_s)!r} s"
        return _names(self.probes), step

    def panel_steps(self) -> int | None:
        """Return over how many steps the panels of a page are wanted beside results, if they are."""
        return self.panels

    def only_first(self) -> bool:
        """Return whether probes and panels are those of the first job alone."""
        return self.first_only

    def finished(self, done: int, of: int) -> None:
        """Report that `done` of all runs have finished."""
        if self.progress is not None:
            self.progress(done, of)


def _names(names: Sequence[str]) -> list[str]:
    """Give names as a list; one name alone is a list of one, not of its letters."""
    return [names] if isinstance(names, str) else list(names)
