"""Measure everything and write the page."""

from __future__ import annotations

import sys
from functools import partial

from lasthop_peers import comparing, page, scaling


def main() -> None:
    """Compare, then scale, then write."""
    told = partial(print, file=sys.stderr, flush=True)
    compared = comparing.compare(told)
    drawn = list(scaling.all_curves(told))
    print(page.write(compared, drawn, scaling.memory()))


main()
