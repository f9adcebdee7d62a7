"""Findings about the results of a run, and what limited its flows: sentences with the numbers that show them."""

from __future__ import annotations

from lasthop.core.noticing.finding import Finding as Finding
from lasthop.core.noticing.finding import noticed as noticed
from lasthop.core.noticing.limits import Limit as Limit
