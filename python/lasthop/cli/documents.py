"""The output of `--json`."""

from __future__ import annotations

import json
import sys
from typing import Any


def print_document(document: Any) -> None:
    """Print JSON on standard output."""
    json.dump(document, sys.stdout, indent=2, allow_nan=False)
    sys.stdout.write("\n")
