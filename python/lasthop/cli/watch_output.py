"""`lasthop run --watch`: runs again whenever the scenario is saved, and shows what differs from the run before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lasthop.cli import noticing, picturing, run_output
from lasthop.cli.bars import bar
from lasthop.cli.complaints import complain
from lasthop.cli.saves import Saves
from lasthop.cli.terminal import Terminal, tell_written, terminal
from lasthop.core import altered, api, idle, safe_files, shipped
from lasthop.core.how import Watching
from lasthop.core.job import Job
from lasthop.core.listeners import Fraction
from lasthop.core.noticing import Limit
from lasthop.errors import LasthopError, UsageError
from lasthop.numbers import stats
from lasthop.numbers.numerals import listed
from lasthop.pages.picture.since import Since

if TYPE_CHECKING:
    from lasthop.cli.commands.run import RunOptions

OTHERS = {
    "as_json": "--json",
    "probe": "--probe",
    "probe_every": "--probe-every",
    "out": "--out",
    "pcap": "--pcap",
    "pcap_only": "--pcap-only",
    "pcap_snap": "--pcap-snap",
    "laws": "--law",
}
"""Options that do not go with `--watch`: it is for eyes, and it reads scenarios again, but no code."""


class OvertakenError(Exception):
    """A file was saved while a run was under way."""


def watch(scenario: str, options: RunOptions) -> None:
    """Run and print at once and after each save, until Ctrl-C; a wrong request raises LasthopError."""
    for name, option in OTHERS.items():
        if getattr(options, name):
            raise UsageError(f"{option} does not go with --watch; run it once without --watch")
    how = run_output.running(scenario, options)
    path = shipped.found(scenario, "scenarios")
    page = options.report and picturing.named(options.report, path)
    rounds = _Rounds(path, how, page, options.chart)
    try:
        with announced(page):
            rounds.go()
    except KeyboardInterrupt:
        return


@contextmanager
def announced(page: Path | None) -> Iterator[None]:
    """Have browsers reload the page, if there is one, within the block."""
    if page is None:
        yield
        return
    from lasthop.pages.picture import reloading

    with reloading.announced(page):
        yield


@dataclass
class _Rounds:
    """The runs of a scenario that is watched.

    Attributes:
        path: The scenario's file.
        how: How it is run.
        page: Where its page goes, if there is one.
        charts: Whether its flows are drawn in the terminal.
        shown: The resolved document and the summary that were shown last, if any were.
        saved: The files that were saved since.
    """

    path: Path
    how: Watching
    page: Path | None
    charts: bool
    shown: tuple[str, dict[str, Any]] | None = None
    saved: list[str] = field(default_factory=list)
    saves: Saves = field(default_factory=Saves)

    def go(self) -> None:
        """Run after each save; returns only where nobody reads what is printed and no page is written."""
        self.saves.add([self.path])
        first = True
        while True:
            console = terminal()  # as wide as it is now
            try:
                self._round(console)
            except OvertakenError:
                pass
            except LasthopError as error:
                if first and not self.path.is_file():
                    raise
                complain(str(error))
            if first:
                complain(f"watching {self.path}; Ctrl-C ends")
            first = False
            if console.quiet and self.page is None:
                return
            self.saved += map(str, self.saves.wait())

    def _round(self, console: Terminal) -> None:
        """Run once, print and draw; raises OvertakenError, LasthopError."""
        job = self._read()
        for said in idle.changes(job):
            complain(said)
        document = job.resolved()
        summary, answer, panels = self._measured(job)
        before = None
        if self.shown is not None:
            before = Since(self.shown[1], self._said(document))
            console.print(f"\n{before.said}", highlight=False, markup=False, soft_wrap=True)
        noticing.answer(console, answer, self.how.replications)
        run_output.show(console, summary, self.how.replications, job, before)
        self.shown, self.saved = (document, summary), []
        if self.charts:
            picturing.chart(job, self.how)
        if self.page is not None:
            self._draw(job, summary, panels, before, self.page)

    def _read(self) -> Job:
        """Read the scenario, and watch the files that it names."""
        job = api.job_of(self.path, self.how)
        if self.saves.add(self.path.parent / name for name, _, _ in job.files):
            # What was not watched when it was read may have changed since.
            job = api.job_of(self.path, self.how)
        return job

    def _said(self, document: str) -> str:
        assert self.shown is not None
        keys = altered.altered(self.shown[0], document)
        return f"{listed([*dict.fromkeys(self.saved)])} saved: {altered.sentence(keys)}"

    def _measured(self, job: Job) -> tuple[dict[str, Any], list[Limit], list[picturing.Panels]]:
        """Return the summary, what limited the flows, and the panels of the page, if there is one."""
        answer: list[Limit] = []
        panels: list[picturing.Panels] = []
        with self._bar("simulating") as told:
            page = panels.append if self.page else None
            how = replace(self.how, fraction=told, limited=answer.extend, page=page)
            if how.replications == 1:
                return api.kept(job, how).summary, answer, panels
            summary = stats.Summary()
            api.reduced(summary, job, how)
            return summary.document(), answer, panels

    def _draw(
        self,
        job: Job,
        summary: dict[str, Any],
        panels: list[picturing.Panels],
        before: Since | None,
        page: Path,
    ) -> None:
        from lasthop.pages.picture.run_page import write

        with safe_files.explained(page):
            write(job, summary, page, before=before, panels=panels[0], reloads=True)
        if before is None:
            tell_written(page)

    @contextmanager
    def _bar(self, what: str) -> Iterator[Fraction]:
        """Show a bar; the function that moves it ends the run where a file was saved."""

        def moved(done: float) -> None:
            if self.saves.changed():
                raise OvertakenError
            move(done)

        with bar(what, terminal(stderr=True)) as move:
            yield moved
