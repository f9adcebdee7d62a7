"""What is odd about the results of a run: a few lines, each with its number, why it matters and what to try."""

from __future__ import annotations

from lasthop.core.noticing.finding import Finding as Finding
from lasthop.core.noticing.finding import noticed as noticed
