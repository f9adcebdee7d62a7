"""`lasthop list`: lists what is available."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from lasthop.cli import completing
from lasthop.cli.options import Json
from lasthop.cli.table_files import with_tables


@with_tables
def command(
    kind: Annotated[str | None, Parameter(completer=completing.kinds)] = None,
    /,
    *,
    json_: Json = False,
) -> None:
    """List all that has a name: scenarios, TCPs, papers, ...

    Parameters
    ----------
    kind:
        List only this kind, by its heading in the full list: ``lasthop list probes``.
    json_:
        Print one JSON document.
    """
    from lasthop.cli import list_output

    list_output.show(kind, as_json=json_)
