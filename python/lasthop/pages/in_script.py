"""JSON within the script element of a page."""

from __future__ import annotations

import json


def in_script(document: object) -> str:
    """Return a document as JSON that cannot end the script element that it stands in."""
    return safe_in_script(json.dumps(document, separators=(",", ":")))


def safe_in_script(text: str) -> str:
    """Return JSON that cannot end its element: within a script nothing is an entity, so "<" is escaped."""
    return text.replace("<", "\\u003c")
