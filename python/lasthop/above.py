"""Functions of higher rooms that lower ones call: the package's face, which may use all rooms, sets each.

A result draws itself, though pages are far above it; a message of any module names what may be meant, though
only the compiled core finds that. Each function imports its room when it is first called.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers know it: `typing` takes longer to import than all of this
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from typing import Any

nearest: Callable[[str, Sequence[str]], str | None]
"""`lasthop.core.engine.nearest`."""

run_page: Callable[..., Path]
"""`lasthop.pages.picture.run_page.write`."""

run_plot: Callable[..., Any]
"""`lasthop.pages.picture.column_figure.plot`."""

study_answer: Callable[..., str]
"""The sentences of `lasthop.study.answering.answer`, of the study that results are of."""

study_page: Callable[..., Path]
"""`lasthop.pages.studies.reporting.write`."""

study_plot: Callable[..., Path]
"""`lasthop.pages.studies.study_figure.plot`."""
