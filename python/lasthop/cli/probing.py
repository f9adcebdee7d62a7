"""`lasthop run --probe`: what was asked for, and where its table goes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import IO

from rich.markup import escape

from lasthop.cli.terminal import refuse_no_directory, terminal
from lasthop.core import api, parquet, safe_files
from lasthop.core.engine import check_probes, version
from lasthop.errors import UsageError
from lasthop.numbers.numerals import counted
from lasthop.numbers.table import Table, csv

#: The files that a table can be written to, by their ending; what ends with neither is a directory.
ENDINGS = (".csv", ".parquet")


@dataclass(frozen=True, slots=True)
class ProbeOptions:
    """The probes of a run.

    Attributes:
        probes: Their names.
        step: The time, with its unit, in which a flow or queue has one row at most; None: every change.
        out: The directory that gets a CSV table of each, or the file for the table of a single one.
    """

    probes: tuple[str, ...] = ()
    step: str | None = None
    out: Path | None = None

    @property
    def step_s(self) -> float | None:
        """The step in seconds."""
        return check_probes([], self.step)

    def check(self) -> None:
        """Raise UsageError where the wish cannot be met, before anything runs."""
        check_probes(list(self.probes), self.step)
        if self.step is not None and not self.probes:
            raise UsageError(
                "--probe-every sets the interval of a probe: add --probe, such as --probe tcp"
            )
        if self.out is None:
            return
        if not self.probes:
            raise UsageError("--out is for the tables of probes: add --probe, such as --probe tcp")
        if self._is_file:
            if len(set(self.probes)) != 1:
                raise UsageError(
                    f"--out {self.out}: a file holds the table of one --probe, not of "
                    f"{len(set(self.probes))}; give a directory for all"
                )
            if self.out.is_dir():
                raise UsageError(f"--out {self.out}: is a directory")
        elif self.out.suffix and not self.out.is_dir():
            raise UsageError(f"--out {self.out}: must be a directory or end with .csv or .parquet")
        refuse_no_directory(self.out.parent if self._is_file else self.out)

    @property
    def _is_file(self) -> bool:
        return self.out is not None and self.out.suffix in ENDINGS

    def write(self, result: api.Run, *, quiet: bool) -> None:
        """Write the table where it shall go; say so, or how to get it, unless `quiet`."""
        console = terminal()
        console.quiet = quiet
        for name, table in result.probes.items() if self.probes else ():
            rows = f"probe {name}: {counted(table.num_rows, 'row')}"
            if self.out is None:
                console.print(f"{rows}; save them with --out DIR, --out FILE.parquet or --json")
                continue
            path = self.out if self._is_file else self.out / f"{name}.csv"
            _write(path, table.with_metadata(self._recipe(result)))
            console.print(f"{rows} in {escape(str(path))}", soft_wrap=True)

    def _recipe(self, result: api.Run) -> dict[str, str]:
        """Tell how the table was made."""
        return {
            "scenario": str(result.documents[0]["scenario"]),
            "seed": str(result.seed),
            "replications": str(result.replications),
            "probe_every": self.step or "every change",
            "lasthop": version(),
        }


def _write(path: Path, table: Table) -> None:
    def fill(file: IO[bytes]) -> None:
        if path.suffix == ".csv":
            csv.write(table, file)
        else:
            file.write(parquet.written(table))

    try:
        safe_files.write(path, fill)
    except OSError as error:
        why = error.strerror or str(error)
        raise UsageError(f"--out {path}: cannot be written: {why}") from None
