"""`lasthop run --probe`: what was asked for, and where its table goes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pyarrow as pa
from pyarrow import csv, parquet
from rich.markup import escape

from lasthop import _core, api, store
from lasthop.cli.terminal import terminal
from lasthop.errors import UsageError

#: The files that a table can be written to, by their ending.
ENDINGS = (".parquet", ".csv")


@dataclass(frozen=True, slots=True)
class Wish:
    """Which probes a run shall have.

    Attributes:
        probes: Their names.
        step: At most one row of a flow or queue in so much time, with its unit; None: every change.
        out: The file that gets the table.
    """

    probes: tuple[str, ...] = ()
    step: str | None = None
    out: Path | None = None

    @property
    def step_s(self) -> float | None:
        """The step in seconds."""
        return _core.check_probes([], self.step)

    def check(self) -> None:
        """Raise UsageError where the wish cannot be met, before anything runs."""
        _core.check_probes(list(self.probes), self.step)
        if self.step is not None and not self.probes:
            raise UsageError("--probe-step says how often a probe writes: give --probe tcp as well")
        if self.out is None:
            return
        if len(self.probes) != 1:
            raise UsageError(f"--out takes the table of one --probe, not of {len(self.probes)}")
        if self.out.suffix not in ENDINGS:
            raise UsageError(f"--out {self.out}: must end with {' or '.join(ENDINGS)}")
        if self.out.is_dir():
            raise UsageError(f"--out {self.out}: is a directory")

    def write(self, result: api.Run, *, quiet: bool) -> None:
        """Write the table where it shall go; say so, or how to get it, unless `quiet`."""
        console = terminal()
        console.quiet = quiet
        for name, table in result.probes.items() if self.probes else ():
            rows = f"probe {name}: {table.num_rows:,} rows"
            if self.out is None:
                console.print(f"{rows}; --out FILE.csv, --out FILE.parquet or --json gives them")
                continue
            _write(self.out, table.replace_schema_metadata(self._recipe(result)))
            console.print(f"{rows} in {escape(str(self.out))}")

    def _recipe(self, result: api.Run) -> dict[str, str]:
        """Tell how the table was made."""
        return {
            "scenario": str(result.documents[0]["scenario"]),
            "seed": str(result.seed),
            "replications": str(result.replications),
            "probe_step": self.step or "every change",
            "lasthop": _core.__version__,
        }


def _write(path: Path, table: pa.Table) -> None:
    def fill(file: IO[bytes]) -> None:
        if path.suffix == ".csv":
            csv.write_csv(table, file)
        else:
            parquet.write_table(table, file, compression="zstd")

    try:
        store.write(path, fill)
    except OSError as error:
        why = error.strerror or str(error)
        raise UsageError(f"--out {path}: cannot be written: {why}") from None
