"""Logs of ``ss -ti`` with a time before each sample, as a loop of ``date +%s.%N; ss -tin`` writes them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise

import numpy as np

from lasthop.data.measured.model import Flow, Measured, Series, known
from lasthop.data.measured.walking import fail
from lasthop.numbers.numerals import counted

TIME = re.compile(r"(?:#\s*)?(?:time\s*[:=]\s*)?(\S+(?: \d\d:\d\d\S*)?)\s*", re.IGNORECASE)
SOCKET = re.compile(r"(?:[A-Z][A-Z0-9-]+\s+)?\d+\s+\d+\s+(\S+:\d+)\s+(\S+:\d+)(.*)")
NUMBER = r"(\d+(?:\.\d+)?)"
FIELDS = {
    "rtt": re.compile(rf"\brtt:{NUMBER}/"),
    "minrtt": re.compile(rf"\bminrtt:{NUMBER}"),
    "cwnd": re.compile(rf"\bcwnd:{NUMBER}"),
    "acked": re.compile(r"\bbytes_acked:(\d+)"),
    "again": re.compile(r"\bretrans:\d+/(\d+)"),
    "rate": re.compile(rf"\bdelivery_rate {NUMBER}([KMG]?)bps"),
}
SCALE = {"": 1.0, "K": 1e3, "M": 1e6, "G": 1e9}
LEAST_SHARE = 0.01
"""Of the bytes of the busiest connection: one with fewer, such as a test's own control, is left out."""


@dataclass
class _Samples:
    """The samples of a connection, by field: (time, value)."""

    first: float = 0.0
    last: float = 0.0
    of: dict[str, list[tuple[float, float]]] = field(default_factory=dict)

    def take(self, at: float, said: str) -> None:
        for name, pattern in FIELDS.items():
            if found := pattern.search(said):
                scale = SCALE[found[2]] if name == "rate" else 1.0
                self.of.setdefault(name, []).append((at, float(found[1]) * scale))

    def growth(self, name: str) -> float:
        """Return how much a counter grew from the first sample to the last; one that is not shown is zero."""
        points = self.of.get(name, [])
        if not points:
            return 0.0
        counted_from = points[0][1] if points[0][0] == self.first else 0.0
        return max(points[-1][1] - counted_from, 0.0)


def is_one(text: str) -> bool:
    """Return whether a text looks like ss's."""
    return any(SOCKET.match(line) for line in text.splitlines()) or (
        "cwnd:" in text and "rto:" in text
    )


def read(text: str, file: str) -> Measured:
    """Read a log; raises MeasuredError."""
    found, times = _samples(text, file)
    if len(times) < 2:
        fail(file, f"has {len(times)} sample; two or more are needed for a rate")
    if any(b <= a for a, b in pairwise(times)):
        fail(file, "has times that do not rise")
    largest = max((each.growth("acked") for each in found.values()), default=0.0)
    kept = {
        name: each
        for name, each in found.items()
        if each.last > each.first and each.growth("acked") >= max(1.0, LEAST_SHARE * largest)
    }
    if not kept:
        fail(file, "has no connection whose bytes_acked grows from a sample to a later one")
    left = len(found) - len(kept)
    told = f"{counted(left, 'connection')} with under 1 % of the bytes left out."
    return Measured(
        file,
        "ss -ti",
        times[-1] - times[0],
        tuple(_flow(name, each, times[0]) for name, each in kept.items()),
        max(float(np.median(np.diff(times))), 1e-3),
        (told,) if left else (),
    )


def _samples(text: str, file: str) -> tuple[dict[str, _Samples], list[float]]:
    found: dict[str, _Samples] = {}
    times: list[float] = []
    now: _Samples | None = None
    for number, line in enumerate(text.splitlines(), 1):
        words = line.strip()
        if not words or words.startswith(("State", "Recv-Q", "Netid")):
            continue
        if socket := SOCKET.match(words):
            if not times:
                fail(
                    f"{file}:{number}",
                    "a sample without a time before it; write one with `date +%s.%N` before each `ss -tin`",
                )
            at = times[-1]
            now = found.setdefault(f"{socket[1]}>{socket[2]}", _Samples(first=at))
            now.last = at
            now.take(at, socket[3])
        elif now is not None and ":" in words and "rto:" in words:
            now.take(times[-1], words)
        elif (at_ := _time(words)) is not None:
            times.append(at_)
            now = None
        elif not line[0].isspace():
            fail(f"{file}:{number}", "is neither a time nor a line of ss -ti")
    return found, times


def _time(words: str) -> float | None:
    """Return a time of day or of an epoch, s; None where it is none."""
    if not (found := TIME.fullmatch(words)):
        return None
    text = found[1].replace(",", ".")
    if re.fullmatch(r"\d{1,12}(?:\.\d+)?", text):
        return float(text)
    try:
        if re.fullmatch(r"\d\d:\d\d:\d\d(?:\.\d+)?", text):
            hours, minutes, seconds = text.split(":")
            return 3600 * int(hours) + 60 * int(minutes) + float(seconds)
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def _flow(name: str, samples: _Samples, begin: float) -> Flow:
    seconds = samples.last - samples.first

    def series(field_: str, scale: float) -> Series:
        return Series.of([(at - begin, value * scale) for at, value in samples.of.get(field_, [])])

    srtt, cwnd, rate = series("rtt", 1e-3), series("cwnd", 1.0), series("rate", 1.0)
    least = [value for _, value in samples.of.get("minrtt", [])]
    values = {
        "goodput_bps": 8 * samples.growth("acked") / seconds,
        "retransmits_per_s": samples.growth("again") / seconds,
        "rtt_s.min": min(least) / 1e3 if least else None,
        "srtt_s.mean": srtt.mean(),
        "cwnd_segments.mean": cwnd.mean(),
        "delivery_rate_bps": rate.mean(),
    }
    drawn = {
        "goodput_bps": _goodput(samples.of.get("acked", []), begin),
        "srtt_s.mean": srtt,
        "cwnd_segments.mean": cwnd,
    }
    return Flow(name, "tcp", known(values), drawn)


def _goodput(acked: list[tuple[float, float]], begin: float) -> Series:
    pairs = pairwise(acked)
    return Series.of([(t - begin, 8 * (b - a) / (t - s)) for (s, a), (t, b) in pairs if t > s])
