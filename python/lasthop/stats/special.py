"""scipy.special, imported when one of its functions is first called: its import takes longer than a short run.

What asks for no interval, as one run does, goes without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scipy.special import bdtr, betainc, betaincinv, gammaincinv, ndtri, stdtr, stdtrit
else:

    def __getattr__(name):
        from scipy import special

        return getattr(special, name)


__all__ = ["bdtr", "betainc", "betaincinv", "gammaincinv", "ndtri", "stdtr", "stdtrit"]
