"""The scenario of a fitted path."""

from __future__ import annotations

from lasthop.data.fitting.fitted_path import LEAST_QUEUE, Fit
from lasthop.data.fitting.losses import Parameter
from lasthop.data.fitting.rates import HOST_BPS

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
        *_host("sender", "the host's own fast link, where captures are taken"),
        *(_host("others", "of the traffic that shares the path") if path.trains.link else ()),
        "[[link]]                       # the path",
        'ends = ["router", "receiver"]',
        _rate(found),
        f'delay = "{1e3 * path.delay.value:.6g} ms"{_interval(path.delay, 1e3, "ms")}',
        _queue(found),
        *_losses(found),
        *(['loss_direction = "forward"'] if model.model != "none" else ()),
        "",
    ]
    if found.transport == "tcp":
        lines += ["[tcp]", 'variant = "linux-cubic"          # not known from a capture', ""]
    lines += ["[[flow]]", 'name = "flow"', 'from = "sender"', 'to = "receiver"']
    if found.transport == "udp":
        lines.append(_stream(found, 8 * found.packet_bytes * found.packets / found.seconds))
    if path.trains.link:
        lines += [
            "",
            "[[flow]]                       # a constant stream, since only its mean is known",
        ]
        lines += ['name = "others"', 'from = "others"', 'to = "receiver"']
        lines.append(_stream(found, path.trains.link.value - path.trains.value))
    return "\n".join(lines) + "\n"


def _host(name: str, what: str) -> list[str]:
    ends = f'ends = ["{name}", "router"]'
    return [
        f"[[link]]                       # {what}",
        ends,
        f'rate = "{HOST_BPS / 1e9:g} Gbps"',
        "",
    ]


def _stream(found: Fit, rate: float) -> str:
    """Return a stream of packets as large as those of the flow, at a rate in bit/s of the network layer."""
    payload = max(round(found.packet_bytes) - UDP_HEADERS, 1)
    own = rate * payload / (payload + UDP_HEADERS)
    return f'app = {{ kind = "cbr", rate = "{own / 1e3:.6g} kbps", payload = "{payload} B" }}'


def _rate(found: Fit) -> str:
    trains, rate = found.path.trains, found.path.rate
    if trains.is_bound:
        return f'rate = "{rate.value / 1e6:.6g} Mbps"          # at least: the flow never filled it'
    return f'rate = "{rate.value / 1e6:.7g} Mbps"  # {rate.low / 1e6:.6g} to {rate.high / 1e6:.6g} Mbps'


def _interval(x: Parameter, scale: float, unit: str) -> str:
    return f"  # {scale * x.low:.5g} to {scale * x.high:.5g} {unit}"


def _queue(found: Fit) -> str:
    path, queue = found.path, found.path.queue
    drops = int(queue.dropped.sum())
    guess = max(GUESS, 2 * queue.waited)
    if path.discipline is not None:
        said = f'packets = {queue.length or guess}, discipline = "{path.discipline.name}"'
        for key, value in path.discipline.parameters.items():
            said += f", {key} = {value:g}"
        return f"queue = {{ {said} }}  # {drops} packets were dropped"
    if not path.is_separated:
        typical = max(queue.typical, LEAST_QUEUE)
        return f"queue = {_length(found, typical)}  # {drops} packets were lost at such a wait or about it"
    if queue.length is not None:
        return (
            f"queue = {_length(found, queue.length)}  # {drops} packets were dropped at such a wait"
        )
    return f"queue = {_length(found, guess)}           # never seen full: a guess"


def _length(found: Fit, packets: int) -> str:
    """Return a queue for `length` packets of the flow, and for those of others between them."""
    trains = found.path.trains
    if trains.link is None:
        return f'"{packets} packets"'
    return f'"{packets * found.packet_bytes * trains.link.value / trains.value:.0f} B"'


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
