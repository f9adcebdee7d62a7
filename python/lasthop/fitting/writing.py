"""The scenario of a fitted path."""

from __future__ import annotations

from lasthop.fitting.fit import Fit
from lasthop.fitting.losses import Parameter
from lasthop.fitting.paths import HOST_BPS

GUESS = 50
"""Packets of a queue that was never full, at least."""


UDP_HEADERS = 28
"""Bytes of IP and UDP."""


def scenario(found: Fit) -> str:
    """Return a scenario in which the path is as it was found, with the intervals as comments."""
    path, model = found.path, found.losses
    lines = [
        f"# A path fitted to {', '.join(found.files)} ({found.flow}, {found.packets:,} packets)",
        "# by `lasthop fit`. Intervals are 95 %.",
        *(f"# {note}" for note in found.notes),
        "",
        'name = "fitted"',
        f'duration = "{max(found.seconds, 1):.4g} s"',
        "",
        "[[link]]                       # the host's own, fast: captures stand here",
        'ends = ["sender", "router"]',
        f'rate = "{HOST_BPS / 1e9:g} Gbps"',
        "",
        "[[link]]                       # the path",
        'ends = ["router", "receiver"]',
        _rate(found),
        f'delay = "{1e3 * path.delay.value:.6g} ms"{_interval(path.delay, 1e3, "ms")}',
        _queue(found),
        *_losses(found),
        "",
    ]
    if model.model != "none":
        lines.insert(-1, 'loss_direction = "forward"')
    if found.transport == "tcp":
        lines += ["[tcp]", 'variant = "linux-cubic"          # not known from a capture', ""]
    lines += ["[[flow]]", 'name = "flow"', 'from = "sender"', 'to = "receiver"']
    if found.transport == "udp":
        payload = max(round(found.packet_bytes) - UDP_HEADERS, 1)
        rate = 8 * payload * found.packets / found.seconds
        lines.append(
            f'app = {{ kind = "cbr", rate = "{rate / 1e3:.6g} kbps", payload = "{payload} B" }}'
        )
    return "\n".join(lines) + "\n"


def _rate(found: Fit) -> str:
    path = found.path
    if path.is_bound:
        return f'rate = "{path.rate / 1e6:.6g} Mbps"          # at least: the flow never filled it'
    return (
        f'rate = "{path.rate / 1e6:.7g} Mbps"  # {path.low / 1e6:.6g} to {path.high / 1e6:.6g} Mbps'
    )


def _interval(x: Parameter, scale: float, unit: str) -> str:
    return f"  # {scale * x.low:.5g} to {scale * x.high:.5g} {unit}"


def _queue(found: Fit) -> str:
    path = found.path
    if path.queue is not None:
        return f'queue = "{path.queue} packets"  # {int(path.dropped.sum())} packets were dropped at such a wait'
    return f'queue = "{max(GUESS, 2 * path.waited)} packets"           # never seen full: a guess'


def _losses(found: Fit) -> list[str]:
    model = found.losses
    if model.model == "none":
        return []
    if model.model == "bernoulli":
        share = model.share
        return [f"loss = {share.value:.6g}{_interval(share, 1, '')}".rstrip()]
    good, bad = model.parameters["mean_good_s"], model.parameters["mean_bad_s"]
    keys = [f'mean_good = "{1e3 * good.value:.5g} ms"', f'mean_bad = "{1e3 * bad.value:.5g} ms"']
    keys += [
        f"{name} = {model.parameters[name].value:.5g}"
        for name in ("loss_good", "loss_bad")
        if name in model.parameters
    ]
    told = (
        f"# Good times of {1e3 * good.low:.4g} to {1e3 * good.high:.4g} ms, bad ones of "
        f"{1e3 * bad.low:.4g} to {1e3 * bad.high:.4g} ms."
    )
    return [told, f"bursts = {{ {', '.join(keys)} }}"]
