"""Axes, settings and metrics of studies in words: what a reader of a paper reads in place of a key."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lasthop.core.command_lines import argument
from lasthop.core.quantities import Named, bare, named
from lasthop.core.quantities.phrasing import of_part, of_several, short, statistic
from lasthop.core.quantities.units import UNITS
from lasthop.errors import UsageError

#: Keys whose parts do not say what they are.
KEYS = {
    "association.hysteresis_db": "hysteresis of roaming (dB)",
    "association.roam_below": "signal below which a station roams",
    "channel.per": "packet error rate",
    "mac.rts": "RTS/CTS",
    "phy.mcs": "MCS index",
    "queue.packets": "queue limit in packets",
    "queue.bytes": "queue limit in bytes",
    "qos.aql_low": "low limit of AQL",
    "qos.aql_threshold": "threshold of AQL",
    "tcp.law": "congestion control",
    "tcp.variant": "variant of TCP",
}
NAMES = {
    "ber": "bit error rate",
    "fec": "FEC",
    "mac": "MAC",
    "mobile_ip": "Mobile IP",
    "mss": "segment size",
    "per": "packet error rate",
    "phy": "PHY",
    "rts": "RTS/CTS",
    "rtt": "RTT",
    "tcp": "TCP",
    "udp": "UDP",
    "wimax": "802.16",
}

SETTINGS = {
    "channel.per": "packet error rate {}",
    "phy.mcs": "MCS {}",
    "queue.bytes": "queue of {} bytes",
    "queue.packets": "queue of {} packets",
    "stations": "{} stations",
}
"""Settings whose number does not stand behind the last part of the key, by its two last parts or the last."""

HEADING = 14
"""Letters of a line of a heading."""

VALUES = {
    "True": "on",
    "true": "on",
    "False": "off",
    "false": "off",
    **{
        name: name.upper()
        for name in ("bbr", "bic", "dctcp", "ledbat", "lp", "pie", "red", "cake", "cubic")
    },
    "bbr3": "BBRv3",
    "codel": "CoDel",
    "drop_tail": "drop tail",
    "dualpi2": "DualPI2",
    "fq_codel": "FQ-CoDel",
    "highspeed": "HighSpeed TCP",
    "htcp": "H-TCP",
    "mac80211": "mac80211",
    "newreno": "NewReno",
    "rack": "RACK",
    "sack": "SACK",
    "yeah": "YeAH",
    **{
        name: name.capitalize()
        for name in (
            "biad",
            "hybla",
            "illinois",
            "prague",
            "reno",
            "scalable",
            "tahoe",
            "vegas",
            "veno",
            "westwood",
            "westwood+",
        )
    },
}
"""Names of laws, variants and queues as their authors write them."""

SMALL = ("mac80211",)
"""Names that begin with a small letter at the beginning of a sentence too."""


def written(value: Any) -> str:
    """Write a value of an axis as TOML has it: a number without an exponent, 0.00001; true, not True."""
    if isinstance(value, bool):
        return str(value).lower()
    plain = isinstance(value, float) and 1e-9 < abs(value) < 1e9
    return np.format_float_positional(value, trim="-") if plain else str(value)


def of_value(value: Any) -> str:
    """Return a value in words: `fq_codel` is FQ-CoDel, `linux-cubic` Linux CUBIC, and `true` on."""
    text = written(value)
    return _name(text) or text


def of_law(name: str) -> str:
    """Return a law or variant in words.

    A user's law may have for a name what these words are of another: a class Reno beside `reno` is "Reno (own)".
    """
    said = of_value(name)
    return f"{said} (own)" if said == name and name in VALUES.values() else said


def _name(text: str) -> str | None:
    if text in VALUES:
        return VALUES[text]
    kind, _, rest = text.partition("-")
    if kind in ("linux", "linux26") and rest in VALUES:
        return f"{'Linux' if kind == 'linux' else 'Linux 2.6'} {VALUES[rest]}"
    return None


def of_setting(key: str, value: Any) -> str:
    """Return a value with what it is of: "queue of 50 packets", "FEC off"; a name is enough, as CUBIC."""
    text, path = written(value), key.split(".")
    form = SETTINGS.get(".".join(path[-2:]), SETTINGS.get(path[-1]))
    if form and text[:1].isdigit():
        if not re.fullmatch(r"[\d.]+", text) and not form.endswith("}"):
            form = form.rpartition(" ")[0]  # the value has its unit
        return form.format(text).removesuffix("s" if text == "1" else "")
    if text in ("True", "False", "true", "false") or not (name := _name(text)):
        return f"{_subject(key)} {of_value(value)}"
    return name


def of_cell(setting: Mapping[str, Any]) -> str:
    """Return the settings of a cell, which is the scenario itself where it has none."""
    return of_settings(setting) or "the scenario"


def of_settings(setting: Mapping[str, Any], forms: Mapping[str, str] | None = None) -> str:
    """Return the values of several axes with what they are of; `forms` has by axis how a value is written.

    Where two axes would read alike each says whose it is: "CUBIC of flow a, Reno of flow b".
    """
    forms = forms or {}
    alike = Counter(_subject(key) for key in setting if key not in forms)
    return ", ".join(
        forms[key].format(written(value))
        if key in forms
        else of_setting(key, value) + (_whose(key) if alike[_subject(key)] > 1 else "")
        for key, value in setting.items()
    )


def _subject(key: str) -> str:
    """Return what a switch switches, or a number counts: `fec.enabled` is FEC."""
    *path, last = key.split(".")
    return _words(path[-1] if path and last == "enabled" else last)


def _whose(key: str) -> str:
    path = key.split(".")[:-1]
    if len(path) > 2:
        path = path[:2]
    return f" of {' '.join(map(_words, path))}" if path else ""


def of_key(key: str) -> str:
    """Return an axis in words: `link.0.delay` is the delay of link 0."""
    if key in KEYS:
        return KEYS[key]
    *path, last = key.split(".")
    what = _words(last)
    if not path:
        return what
    if last == "enabled":
        return of_key(".".join(path))
    if path[-1] == "queue" and last == "discipline":
        return "queue discipline"
    if len(path) > 2 and (tail := f"{path[-1]}.{last}") in KEYS:
        return f"{KEYS[tail]}, {' '.join(map(_words, path[:-1]))}"
    if len(path) > 1:
        return f"{what} of {' '.join(map(_words, path))}"
    return f"{_words(path[0])} {what}"


def of_metric(name: str) -> str:
    """Return a metric in words: `voice.delay_s.p95` is the 95th percentile of delay, voice."""
    if found := named(name):
        return _joined(found.objects.split(".") if found.objects else [], in_words(found))
    *objects, last = name.split(".")
    if objects and (said := statistic(last)):
        *objects, last = objects
        return _joined(objects, said.format(_words(last)))
    return _joined(objects, _words(last))


def of_missing(names: Sequence[str]) -> str:
    """Say whose values are missing: "call has no 95th percentile of delay"."""
    return " and ".join(map(_missing, names))


def _missing(name: str) -> str:
    if not (found := named(name)):
        return f"{name} has no value"
    return f"{found.objects or 'the scenario'} has no {in_words(found)}"


def of_measure(name: str, metric: str) -> str:
    """Return a paper's measure of a metric ("": of none) in words.

    The quantity is that of the metric, which belongs to what the paper calls it: "goodput, ftp".
    """
    *objects, last = name.split(".")
    found = named(metric) if objects and metric else None
    return _joined(objects, in_words(found) if found else _words(last))


def of_comparison(name: str) -> str:
    """Return a comparison in words: `goodput_bps by queue.discipline` is "goodput, by queue discipline"."""
    metric, _, axis = name.partition(" by ")
    return f"{of_metric(metric)}, by {of_key(axis)}"


def headed_axis(key: str, room: int = HEADING) -> str:
    """Return an axis in words as the heading of a narrow column."""
    return textwrap.fill(of_key(key), room, break_long_words=False, break_on_hyphens=False)


def headed(name: str) -> str:
    """Return a metric in words as the heading of a narrow column: the object on a line of its own."""
    found = named(name)
    if found is None:
        return name.replace(".", ".\n")
    said = of_several(found.across, short(found.quantity, found.part))
    return f"{found.objects.replace('.', ' ')}\n{said}" if found.objects else said


def in_words(found: Named) -> str:
    """Return the quantity of a metric in words, with what is made of several objects' numbers."""
    said = of_part(found.quantity, found.part)
    return of_several(found.across, said) if statistic(found.across) else said


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
    factors = {written: factor for written, (of, factor) in UNITS.items() if written and of == unit}
    try:
        return float(number) * ({"": 1.0} | factors)[suffix]
    except (KeyError, ValueError):
        known = ", ".join(factors) or "none"
        raise UsageError(
            f"{argument('--limit')} {text!r}: allowed: a number with a unit of the metric ({known})"
        ) from None


def _words(part: str) -> str:
    part = bare(part)
    return NAMES.get(part, part.replace("_", " "))
