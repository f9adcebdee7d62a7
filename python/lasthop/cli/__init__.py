"""The command line: `lasthop run`, `reproduce`, `conformance`, `list`, `schema`, `bench`."""

from __future__ import annotations

import sys

from lasthop.errors import LasthopError


def main() -> None:
    """Run the command that was asked for; end with 0, 1 (a case failed), 2 (a wrong request) or 130 (Ctrl-C)."""
    from lasthop.cli.commands import app

    try:
        app()
    except LasthopError as error:
        print(error, file=sys.stderr)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        # Whoever read us has enough (`lasthop list | head`). Leave no complaint at exit.
        sys.stderr.close()
        sys.exit(0)
