"""Thresholds of findings that other code uses too, as the rules have them (crates/noticing)."""

from __future__ import annotations

from lasthop import _core

_SHARED = dict(_core.noticing_thresholds())

LOST = _SHARED["LOST"]
"""Share lost, of packets with a known outcome, above which a delay of survivors flatters and a voice codec
fails."""

DISSATISFIED = 3.1
"""MOS: below R = 60, 3.1, nearly all users are dissatisfied (ITU-T G.107, Annex B)."""

MOST = int(_SHARED["MOST"])
"""Lines are shown: more would be a list that nobody reads."""
