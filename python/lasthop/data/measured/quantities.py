"""The quantities that measured and simulated flows are compared in, each with its words and its unit."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Quantity:
    """A quantity; a value times `scale` is in `unit`, printed with `digits` digits after the point."""

    words: str
    unit: str
    scale: float
    digits: int

    @property
    def label(self) -> str:
        """Name and unit, as an axis has them."""
        return f"{self.words} ({self.unit})" if self.unit else self.words

    def shown(self, value: float) -> str:
        """Write a value in the unit."""
        return f"{value * self.scale:,.{self.digits}f}"


QUANTITIES: dict[str, Quantity] = {
    "goodput_bps": Quantity("goodput", "kbit/s", 1e-3, 1),
    "throughput_bps": Quantity("throughput", "kbit/s", 1e-3, 1),
    "loss": Quantity("loss", "%", 1e2, 3),
    "retransmits_per_s": Quantity("retransmissions", "1/s", 1.0, 2),
    "rtt_s.mean": Quantity("round trip, mean", "ms", 1e3, 2),
    "rtt_s.p95": Quantity("round trip, 95 %", "ms", 1e3, 2),
    "rtt_s.min": Quantity("round trip, least", "ms", 1e3, 2),
    "srtt_s.mean": Quantity("smoothed round trip, mean", "ms", 1e3, 2),
    "srtt_s.max": Quantity("smoothed round trip, largest", "ms", 1e3, 2),
    "srtt_s.min": Quantity("smoothed round trip, least", "ms", 1e3, 2),
    "cwnd_segments.mean": Quantity("congestion window, mean", "segments", 1.0, 1),
    "delivery_rate_bps": Quantity("delivery rate, mean", "kbit/s", 1e-3, 1),
    "delay_s.mean": Quantity("one-way delay, mean", "ms", 1e3, 2),
    "jitter_s": Quantity("jitter", "ms", 1e3, 3),
    "retry_share": Quantity("data frames that are retries", "%", 1e2, 2),
    "mean_rate_bps": Quantity("data rate of frames, mean", "Mbit/s", 1e-6, 2),
    "airtime_share": Quantity("airtime", "%", 1e2, 2),
    "frames_per_s": Quantity("data frames", "1/s", 1.0, 1),
}
"""By key, in the order in which tables have them."""

DRAWN = ("goodput_bps", "rtt_s.mean", "srtt_s.mean", "cwnd_segments.mean", "loss", "delay_s.mean")
"""Those that are drawn over time, where a file has them."""
