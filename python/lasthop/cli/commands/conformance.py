"""`lasthop conformance`: runs test cases of other projects, and checks laws."""

from __future__ import annotations

import sys
from pathlib import Path

from cyclopts import App

from lasthop.cli.options import Json

command = App(name="conformance", help_epilogue="", help_format="markdown")


@command.default
def conformance_files(*files: Path, json_: Json = False) -> None:
    """Run other projects' test cases on lasthop's TCP.

    Example: lasthop conformance ../shared/oracles/vectors/packetdrill_google.json

    A case differs when its result is another one for a stated reason. The command ends with 1 when
    a case fails. It needs a checkout of lasthop and cargo; ``lasthop conformance law`` needs
    neither.

    Parameters
    ----------
    files:
        JSON files of cases, recognised by their names or by their contents.
    json_:
        Print one JSON document.
    """
    from lasthop.core import checkout

    conforming = checkout.module("conforming", "lasthop conformance FILE")
    if not conforming.show(files, as_json=json_):
        sys.exit(1)


@command.command(name="law")
def conformance_law(law: str, /, *, json_: Json = False) -> None:
    """Check that a congestion control of yours behaves.

    Example: lasthop conformance law my_law.py:MyLaw

    The checks are those that lasthop's own laws pass. The command ends with 1 when a check fails.

    Parameters
    ----------
    law:
        FILE.py:CLASS.
    json_:
        Print one JSON document.
    """
    from lasthop.cli import law_output

    if not law_output.show(law, as_json=json_):
        sys.exit(1)
