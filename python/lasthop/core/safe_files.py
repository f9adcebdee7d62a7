"""Writing results so that a reader never meets half a file: a temporary file, then a rename."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from lasthop.core import tidy
from lasthop.core.command_lines import argument
from lasthop.errors import LasthopError, UsageError


@contextmanager
def explained(where: Path) -> Iterator[None]:
    """Turn an error of the operating system within the block into one for the user.

    `where` is named if the error does not name a file itself.
    """
    try:
        yield
    except OSError as error:
        name = error.filename or where
        raise LasthopError(f"cannot write {name}: {error.strerror or error}") from error


def refuse_ending(path: Path, allowed: Collection[str], option: str = "--out") -> None:
    """Raise UsageError where the name of a file, given by an option or in Python by `out`, ends otherwise."""
    if path.suffix not in allowed:
        raise UsageError(
            f"{argument(option, 'out')} {path}: allowed: a name that ends in {', '.join(allowed)}"
        )


def probe(directory: Path) -> None:
    """Make `directory` and see whether a file can be written there; raises LasthopError if not."""
    with explained(directory):
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory) as file:
            file.write(b"x")  # a full disk refuses even this, if only at the flush
            file.flush()


def write(path: Path, fill: Callable[[IO[bytes]], object]) -> Path:
    """Write what `fill` puts into the open file to `path`, all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # In the same directory, since a rename is atomic only within one file system.
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:  # it names the temporary file, which nobody has asked for
        error.filename = str(path)
        raise
    try:
        with os.fdopen(handle, "wb") as file:
            fill(file)
            file.flush()
            os.fsync(file.fileno())  # or a power cut may leave the new name with nothing in it
        os.chmod(name, 0o666 & ~_umask())  # mkstemp makes files that only their owner can read
        os.replace(name, path)
    except BaseException:
        # Ctrl-C may come when the file has its name already; an error about that would take its place.
        Path(name).unlink(missing_ok=True)
        raise
    return path


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Give an empty folder that becomes `path`, which is not there, at the end: all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    making = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}."))
    try:
        yield making
        making.chmod(0o777 & ~_umask())  # mkdtemp makes folders that only their owner can enter
        making.rename(path)
    except OSError as error:
        # It names the temporary folder, which nobody has asked for.
        error.filename = str(path)
        raise
    finally:
        shutil.rmtree(making, ignore_errors=True)


def write_bytes(path: Path, content: bytes) -> Path:
    """Write `content` as it is."""
    return write(path, lambda file: file.write(content))


def write_text(path: Path, text: str) -> Path:
    """Write `text` in UTF-8."""
    return write_bytes(path, text.encode())


def write_json(path: Path, document: Any) -> Path:
    """Write a JSON document, indented, refusing NaN and infinities."""
    return write_text(path, json.dumps(document, indent=1, allow_nan=False) + "\n")


def write_parquet(path: Path, rows: Sequence[Mapping[str, Any]], recipe: Mapping[str, str]) -> Path:
    """Write rows as a Parquet table with `recipe` (how they were made) in its metadata.

    Columns are those of all rows together, see `lasthop.core.tidy.table`.
    """
    from lasthop.core import parquet

    table = tidy.table(rows).with_metadata(recipe)
    return write_bytes(path, parquet.written(table))


def flow_rows(run: Mapping[str, Any], keys: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return one tidy row for each flow of a run document, `keys` first, units in the names.

    Columns are named by `lasthop.core.tidy.flat`. All times are seconds, all rates bit/s.
    """
    context = {k: run[k] for k in ("seed", "replication", "measured_s") if k in run}
    return [{**keys, **context, **tidy.flat(flow)} for flow in run["flows"]]


def _umask() -> int:
    # There is no way to read the umask but to set it.
    mask = os.umask(0)
    os.umask(mask)
    return mask
