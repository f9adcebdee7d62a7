"""Frames on the air, by radiotap: for each sender their number, retries, rates and durations.

Facts: radiotap.org; IEEE 802.11-2020 clause 9.2 (frames), 15 and 16 (DSSS), 17 and 18 (OFDM), 19 (HT).
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass, field

from lasthop.data.measured.container import Packet
from lasthop.data.measured.headers import RADIOTAP, behind_llc
from lasthop.data.measured.model import Flow, known

FLAGS, RATE, CHANNEL, MCS = 1, 2, 3, 19
SHORT_PREAMBLE, HAS_FCS, PADDED, BAD_FCS = 0x02, 0x10, 0x20, 0x40
SIZES = {
    0: (8, 8), 1: (1, 1), 2: (1, 1), 3: (2, 4), 4: (2, 2), 5: (1, 1), 6: (1, 1), 7: (2, 2), 8: (2, 2), 9: (2, 2),
    10: (1, 1), 11: (1, 1), 12: (1, 1), 13: (1, 1), 14: (2, 2), 15: (2, 2), 16: (1, 1), 17: (1, 1), 18: (4, 8),
    19: (1, 3),
}  # fmt: skip
"""Alignment and size of radiotap's fields, by their bits, up to the last that is read."""

DSSS = {1e6, 2e6, 5.5e6, 11e6}
BITS_OF_HT = (26, 52, 78, 104, 156, 208, 234, 260)
"""Data bits in an OFDM symbol of 20 MHz, by MCS modulo 8 (802.11-2020, 19.5)."""

REMEMBERED = 4096
LEAST_FRAMES = 10


@dataclass(frozen=True)
class _Heard:
    """The radiotap header of a frame; `rate` in bit/s, None where it is unknown."""

    length: int
    flags: int = 0
    rate: float | None = None
    is_ht: bool = False
    streams: int = 1


@dataclass
class _Station:
    """Totals of a transmitter: data frames, retries among them, the sum of their rates, air time."""

    frames: int = 0
    retries: int = 0
    rated: int = 0
    rates: float = 0.0
    air_s: float = 0.0
    untimed: int = 0


@dataclass
class Air:
    """The data frames of a capture, by transmitter."""

    stations: dict[bytes, _Station] = field(default_factory=dict)
    _last: dict[bytes, int] = field(default_factory=dict)
    _passed: dict[bytes, None] = field(default_factory=dict)

    def take(self, packet: Packet) -> int | None:
        """Count a frame; return where an IP header begins that has not passed before, else None."""
        _, link, data, size = packet
        heard = _radiotap(data) if link == RADIOTAP else _Heard(0)
        if heard is None:
            return None
        at = heard.length
        if at + 24 > len(data) or heard.flags & BAD_FCS or data[at] & 0x0C != 0x08:
            return None
        sender, is_retry = data[at + 10 : at + 16], bool(data[at + 1] & 0x08)
        sequence = struct.unpack_from("<H", data, at + 22)[0]
        bytes_ = size - at + (0 if heard.flags & HAS_FCS or link != RADIOTAP else 4)
        self._count(sender, heard, bytes_, is_retry)
        if is_retry and self._last.get(sender) == sequence:
            return None
        self._last[sender] = sequence
        return self._fresh(data, _payload(data, at, heard.flags))

    def _count(self, sender: bytes, heard: _Heard, size: int, is_retry: bool) -> None:
        station = self.stations.setdefault(sender, _Station())
        station.frames += 1
        station.retries += is_retry
        if heard.rate is None:
            station.untimed += 1
            return
        station.rated += 1
        station.rates += heard.rate
        station.air_s += duration(heard, size)

    def _fresh(self, data: bytes, begin: int | None) -> int | None:
        """Return `begin` unless this IP packet has passed: an access point sends again what it has received."""
        if begin is None:
            return None
        key = data[begin : begin + 8] + data[begin + 12 : begin + 44]
        if key in self._passed:
            return None
        if len(self._passed) >= REMEMBERED:
            del self._passed[next(iter(self._passed))]
        self._passed[key] = None
        return begin

    def flows(self, seconds: float) -> list[Flow]:
        """Return the stations as flows of transport ``station``."""
        found = []
        for address, each in self.stations.items():
            if each.frames < LEAST_FRAMES:
                continue
            values = {
                "frames_per_s": each.frames / seconds,
                "retry_share": each.retries / each.frames,
                "mean_rate_bps": each.rates / each.rated if each.rated else None,
                "airtime_share": each.air_s / seconds if not each.untimed else None,
            }
            found.append(Flow(address.hex(":"), "station", known(values)))
        return found


def _radiotap(data: bytes) -> _Heard | None:
    """Read a radiotap header; None where it is none."""
    if len(data) < 8 or data[0] != 0:
        return None
    length = struct.unpack_from("<H", data, 2)[0]
    words, at = [struct.unpack_from("<I", data, 4)[0]], 8
    while words[-1] >> 31:
        if at + 4 > min(length, len(data)):
            return None
        words.append(struct.unpack_from("<I", data, at)[0])
        at += 4
    if length < at or length > len(data):
        return None
    there: dict[int, bytes] = {}
    for bit, (aligned, size) in SIZES.items():
        if words[0] >> bit & 1:
            at += -at % aligned
            there[bit] = data[at : at + size]
            at += size
    if at > length:
        return None
    flags = there[FLAGS][0] if FLAGS in there else 0
    if RATE in there and there[RATE][0]:
        return _Heard(length, flags, 5e5 * there[RATE][0])
    return _ht(length, flags, there[MCS]) if MCS in there else _Heard(length, flags)


def _ht(length: int, flags: int, mcs: bytes) -> _Heard:
    """Return the rate of an 802.11n frame (802.11-2020, 19.5)."""
    has, how, index = mcs
    if not has & 0x02 or index > 31:
        return _Heard(length, flags)
    is_wide, is_short = how & 3 == 1, bool(how & 4)
    bits = BITS_OF_HT[index % 8] * (index // 8 + 1) * (108 / 52 if is_wide else 1.0)
    return _Heard(length, flags, bits / (3.6e-6 if is_short else 4e-6), True, index // 8 + 1)


def duration(heard: _Heard, size: int) -> float:
    """Return how long a frame of `size` bytes is on the air with its preamble, s; its rate is known."""
    rate, bits = heard.rate or 1.0, 8 * size
    if heard.is_ht:  # mixed format: 802.11-2020, 19.3.2
        return 32e-6 + 4e-6 * heard.streams + 4e-6 * math.ceil((22 + bits) / (rate * 4e-6))
    if rate in DSSS:
        return (96e-6 if heard.flags & SHORT_PREAMBLE else 192e-6) + bits / rate
    return 20e-6 + 4e-6 * math.ceil((22 + bits) / (rate * 4e-6))


def _payload(data: bytes, at: int, flags: int) -> int | None:
    """Return where the IP header begins in a data frame; None where there is none, or it is encrypted."""
    kind, control = data[at] >> 4, data[at + 1]
    if kind & 0x4 or control & 0x40:
        return None
    header = 24 + (6 if control & 3 == 3 else 0)
    if kind & 0x8:
        header += 2 + (4 if control & 0x80 else 0)
    if flags & PADDED:
        header += -header % 4
    return behind_llc(data, at + header)
