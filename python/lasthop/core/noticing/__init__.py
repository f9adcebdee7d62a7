"""Findings about the results of a run: a line each with its number, the reason why it matters and advice."""

from __future__ import annotations

from lasthop.core.noticing.finding import Finding as Finding
from lasthop.core.noticing.finding import noticed as noticed
