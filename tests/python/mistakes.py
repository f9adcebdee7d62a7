"""The mistakes that `lasthop check` finds in a text."""

from __future__ import annotations

from pathlib import Path

from lasthop.study import checking


def found(tmp_path: Path, text: str) -> list[tuple[int | None, int | None, str]]:
    """Return line, column and code of each."""
    file = tmp_path / "x.toml"
    file.write_text(text)
    return [(p.line, p.column, p.code) for p in checking.check(file).problems]
