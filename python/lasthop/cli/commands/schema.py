"""`lasthop schema`: prints the JSON Schema of scenarios."""

from __future__ import annotations

from lasthop.cli.documents import print_document


def command() -> None:
    """Print the scenario format for editors.

    Example: lasthop schema > lasthop.schema.json

    It is a JSON Schema.

    Where a file of this name lies in the folder or in one above it, a scenario that lasthop writes names it in
    its first line, and editors with taplo or tombi complete its keys.
    """
    from lasthop.core import api

    print_document(api.schema())
