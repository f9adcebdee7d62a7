"""A paper's derive.py: whatever goes wrong in it is said with its line."""

from __future__ import annotations

import traceback
from importlib import util
from pathlib import Path
from types import ModuleType
from typing import Any

from lasthop import regular_files
from lasthop.errors import LasthopError, UsageError
from lasthop.regular_files import UnreadableError


class Derive:
    """A derive.py, run. Raises UsageError where it cannot be."""

    def __init__(self, path: Path, name: str) -> None:
        self.path = path
        try:
            regular_files.refuse_irregular(path)
        except (UnreadableError, OSError) as error:
            said = str(getattr(error, "strerror", None) or error)
            raise UsageError(said, code="no-such-file", file=str(path)) from None
        spec = util.spec_from_file_location(f"lasthop_paper_{name}", path)
        if spec is None or spec.loader is None:
            raise UsageError("no Python file", code="no-such-file", file=str(path))
        self.module: ModuleType = util.module_from_spec(spec)
        try:
            spec.loader.exec_module(self.module)
        except (Exception, SystemExit) as error:
            raise self._wrong(error) from error

    def has(self, function: str) -> bool:
        """Return whether it has a function of this name; raises UsageError where that is no function."""
        found = getattr(self.module, function, None)
        if found is not None and not callable(found):
            said = f"{function} is not a function"
            raise UsageError(said, code="wrong-kind", file=str(self.path))
        return found is not None

    def call(self, function: str, *values: Any) -> Any:
        """Return what one of its functions makes of some values; raises UsageError where that fails."""
        try:
            return getattr(self.module, function)(*values)
        except (LasthopError, KeyboardInterrupt):
            raise
        except (Exception, SystemExit) as error:
            raise self._wrong(error, function) from error

    def _wrong(self, error: BaseException, function: str = "") -> UsageError:
        if isinstance(error, SyntaxError) and error.filename == str(self.path):
            line, what = error.lineno, f"no Python: {error.msg}"
        else:
            frames = traceback.extract_tb(error.__traceback__)
            own = [frame.lineno for frame in frames if frame.filename == str(self.path)]
            line = own[-1] if own else None
            what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        said = f"{function}: {what}" if function else what
        where = f"{self.path}:{line}" if line else str(self.path)
        place = (line, 1) if line else None
        return UsageError(said, file=str(self.path), place=place, shown=f"{where}: {said}")
