"""`lasthop schema`: prints the JSON Schema of scenarios."""

from __future__ import annotations

from lasthop.cli.documents import print_document


def command() -> None:
    """Print the JSON Schema of the scenario format, for editors."""
    from lasthop.core import api

    print_document(api.schema())
