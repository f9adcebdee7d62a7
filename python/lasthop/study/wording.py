"""Axes and metrics of studies in words, for figures: what a reader of a paper reads in place of a key."""

from __future__ import annotations

from collections.abc import Sequence

from lasthop.errors import UsageError
from lasthop.quantities import Named, named

#: Keys whose parts do not say what they are.
KEYS = {
    "channel.per": "packet error rate",
    "queue.packets": "queue limit in packets",
    "queue.bytes": "queue limit in bytes",
    "tcp.law": "congestion control",
    "tcp.variant": "variant of TCP",
}
NAMES = {
    "ber": "bit error rate",
    "fec": "FEC",
    "mac": "MAC",
    "mobile_ip": "Mobile IP",
    "mos": "MOS",
    "mss": "segment size",
    "per": "packet error rate",
    "phy": "PHY",
    "rtt": "RTT",
    "tcp": "TCP",
    "udp": "UDP",
    "wimax": "802.16",
    "jain": "Jain's index",
}
STATISTICS = {
    "mean": "mean {}",
    "p50": "median {}",
    "max": "largest {}",
    "min": "smallest {}",
    "sum": "total {}",
    "std": "standard deviation of {}",
    "jain": "Jain's index of {}",
    "count": "number of {}",
}
UNITS = ("_bps", "_s")

#: Factors to the units of metrics, of the units in which a limit may be given.
FACTORS = {
    "s": {"s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "min": 60.0},
    "bit/s": {
        f"{prefix}{unit}": factor
        for prefix, factor in (("", 1.0), ("k", 1e3), ("M", 1e6), ("G", 1e9))
        for unit in ("bps", "bit/s")
    },
    "1": {"%": 0.01},
}


def of_key(key: str) -> str:
    """Return an axis in words: `link.0.delay` is the delay of link 0."""
    if key in KEYS:
        return KEYS[key]
    *path, last = key.split(".")
    what = _words(last)
    if not path:
        return what
    if len(path) > 1:
        return f"{what} of {' '.join(map(_words, path))}"
    return f"{_words(path[0])} {what}"


def of_metric(name: str) -> str:
    """Return a metric in words: `voice.delay_s.p95` is the 95th percentile of delay, voice."""
    if found := named(name):
        return _joined(found.objects.split(".") if found.objects else [], in_words(found))
    *objects, last = name.split(".")
    if objects and (statistic := _statistic(last)):
        *objects, last = objects
        return _joined(objects, statistic.format(_words(last)))
    return _joined(objects, _words(last))


def headed(name: str) -> str:
    """Return a metric in words as the heading of a narrow column: the object on a line of its own."""
    found = named(name)
    if found is None:
        return name.replace(".", ".\n")
    said = found.quantity.words
    if found.part[:1] == "p" and found.part[1:].isdecimal():
        said = f"{said} {found.part[1:]} %"
    elif found.part:
        said = (_statistic(found.part) or f"{{}} ({_words(found.part)})").format(said)
    said = (_statistic(found.across) or f"{{}} {found.across}".rstrip()).format(said)
    return f"{found.objects}\n{said}" if found.objects else said


def in_words(found: Named) -> str:
    """Return the quantity of a metric in words, with what is made of several objects' numbers."""
    said = found.quantity.words
    if found.part:
        said = (_statistic(found.part) or f"{{}} ({_words(found.part)})").format(said)
    return (_statistic(found.across) or "{}").format(said)


def _joined(objects: Sequence[str], said: str) -> str:
    return f"{said}, {' '.join(objects)}" if objects else said


def titled(name: str, unit: str) -> str:
    """Return a metric in words with the unit in which it is shown."""
    return f"{of_metric(name)} ({unit})" if unit not in ("", "1") else of_metric(name)


def limit_of(text: str, unit: str) -> float:
    """Return a limit such as ``50ms`` in a metric's own unit; raises UsageError."""
    stripped = text.strip()
    number = stripped.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZµ/% ")
    suffix = stripped[len(number) :].strip()
    factors = FACTORS.get(unit, {})
    try:
        return float(number) * ({"": 1.0} | factors)[suffix]
    except (KeyError, ValueError):
        known = ", ".join(factors) or "none"
        raise UsageError(
            f"--limit {text!r}: allowed: a number with a unit of the metric ({known})"
        ) from None


def _statistic(part: str) -> str | None:
    if part in STATISTICS:
        return STATISTICS[part]
    if part[:1] == "p" and part[1:].isdecimal():
        return f"{part[1:]}th percentile of {{}}"
    return None


def _words(part: str) -> str:
    for unit in UNITS:
        part = part.removesuffix(unit)
    return NAMES.get(part, part.replace("_", " "))
