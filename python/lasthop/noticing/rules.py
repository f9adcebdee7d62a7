"""The rules: each looks at a summary of runs and says at most one thing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lasthop.noticing import thresholds as at
from lasthop.noticing.finding import Finding, known, number, others

Summary = Mapping[str, Any]
Rule = Callable[[Summary], Finding | None]


def survivors(summary: Summary) -> Finding | None:
    """Delays of what arrived where much does not arrive."""
    found = [(part, flow) for flow in summary["flows"] if (part := _lost(flow)) >= at.LOST]
    found = [each for each in found if number(each[1], "delay_s", "mean") > 0]
    if not found:
        return None
    part, flow = max(found, key=lambda each: each[0])
    mean = 1e3 * number(flow, "delay_s", "mean")
    return Finding(
        "survivors",
        f"The delay of {flow['name']}, {mean:.3g} ms, is that of the packets that arrived: "
        f"{100 * part:.0f} % are lost." + others(len(found), "flow"),
        "A delay of survivors falls as losses rise, so settings must not be compared by it alone.",
        "Look at losses, goodput, or the unusable share of a call beside it.",
    )


def starved(summary: Summary) -> Finding | None:
    """A bulk TCP flow that gets next to nothing."""
    bulk = [f for f in summary["flows"] if f["transport"] == "tcp" and "objects" not in f]
    bulk = [flow for flow in bulk if known(flow, "active_goodput_bps")]
    rates = [number(flow, "active_goodput_bps") for flow in bulk]
    if len(bulk) < 2 or not sum(rates):
        return None
    fair = sum(rates) / len(rates)
    poor = [(r, f["name"]) for r, f in zip(rates, bulk, strict=True) if r < at.STARVED * fair]
    if not poor:
        return None
    rate, name = min(poor)
    return Finding(
        "starved",
        f"The flow {name} is starved: {rate / 1e3:.3g} kbit/s where an equal share would be {fair / 1e3:,.0f}."
        + others(len(poor), "flow"),
        "The sum of all goodputs hides this.",
        "Look at its losses and timeouts by cause, and try a queue that treats flows apart (fq_codel).",
    )


def full_queue(summary: Summary) -> Finding | None:
    """A queue that stands full."""
    rows = [row for row in summary["queues"] if number(row, "max_packets") >= at.LONG]
    full = [
        row for row in rows if number(row, "mean_packets") >= at.FULL * number(row, "max_packets")
    ]
    if not full:
        return None
    worst = max(full, key=lambda row: number(row, "mean_packets"))
    mean, most = number(worst, "mean_packets"), number(worst, "max_packets")
    return Finding(
        "full-queue",
        f"The queue {worst['name']} is full nearly all the time: on average {mean:.3g} of at most "
        f"{most:.3g} packets wait." + others(len(full), "queue"),
        "Every packet waits for all those before it, and a shorter queue would carry as much.",
        "Try a smaller queue, an AQM (codel, pie), or a law that keeps queues short.",
    )


def bottleneck(summary: Summary) -> Finding | None:
    """One queue that drops far more than all others."""
    rows = sorted(summary["queues"], key=lambda row: -number(row, "drops"))
    if len(rows) < 2:
        return None
    first, second = number(rows[0], "drops"), number(rows[1], "drops")
    offered = number(rows[0], "offered")
    if not offered or first < at.DROPPED * offered or first < at.BOTTLENECK * max(second, 1.0):
        return None
    return Finding(
        "bottleneck",
        f"The queue {rows[0]['name']} is the bottleneck: it drops {100 * first / offered:.3g} % of what "
        f"it is offered, the next one {100 * second / max(number(rows[1], 'offered'), 1.0):.3g} %.",
        "Changes to other queues and links may make little difference.",
        "Change this queue, or what feeds it; an access point contends like one station for the traffic of all.",
    )


def playout(summary: Summary) -> Finding | None:
    """A poor call whose packets come: too late to be played, or played with a long delay."""
    calls = [flow for flow in summary["flows"] if known(flow, "mos") and "late" in flow]
    poor = [flow for flow in calls if number(flow, "mos") < at.SATISFIED]
    poor = [flow for flow in poor if _count_lost(flow) < at.PLAYED * number(flow, "packets_sent")]
    if not poor:
        return None
    worst = min(poor, key=lambda flow: number(flow, "mos"))
    sent = max(number(worst, "packets_sent"), 1.0)
    late, lost = 100 * number(worst, "late") / sent, 100 * _count_lost(worst) / sent
    return Finding(
        "playout",
        f"The call {worst['name']} has a MOS of {number(worst, 'mos'):.2f} because of its playout "
        f"deadline of {1e3 * number(worst, 'deadline_s'):.0f} ms: {lost:.3g} % of its packets are lost and "
        f"{late:.3g} % come too late to be played." + others(len(poor), "call"),
        "A sooner deadline makes more packets late, a later one adds to the delay from mouth to ear; "
        "the MOS counts both.",
        "Set the app's deadline to what the phone in question uses, and say which it is.",
    )


def no_warmup(summary: Summary) -> Finding | None:
    """Bulk TCP whose start is counted."""
    if number(summary, "measured_s") < number(summary, "duration_s"):
        return None
    bulk = [f for f in summary["flows"] if f["transport"] == "tcp" and "objects" not in f]
    if not bulk:
        return None
    return Finding(
        "no-warm-up",
        f"There is no warm-up: the slow start of {bulk[0]['name']} is within the "
        f"{number(summary, 'measured_s'):g} s that are measured." + others(len(bulk), "flow"),
        "Its rate and the losses at its end belong to the start and not to what lasts.",
        'Set warmup = "5 s" or more, unless the start is what you ask about.',
    )


def short_tail(summary: Summary) -> Finding | None:
    """A 95th percentile of few packets."""
    need = round(at.TAIL / 0.05)
    short = [f for f in summary["flows"] if 0 < number(f, "packets_delivered") < need]
    short = [flow for flow in short if number(flow, "delay_s", "p95") > 0]
    if not short:
        return None
    least = min(short, key=lambda flow: number(flow, "packets_delivered"))
    count = number(least, "packets_delivered")
    return Finding(
        "short-tail",
        f"The 95th percentile of {least['name']}'s delay rests on {max(round(0.05 * count), 1)} "
        f"of {count:.0f} packets." + others(len(short), "flow"),
        "So few say little about a tail.",
        "Simulate longer, or use --replications and read the interval.",
    )


def hidden_stations(summary: Summary) -> Finding | None:
    """Stations that do not hear each other."""
    found = [(number(s, "hidden") / number(s, "attempts"), s) for s in _sending(summary)]
    found = [each for each in found if each[0] >= at.HIDDEN]
    if not found:
        return None
    part, station = max(found, key=lambda each: each[0])
    return Finding(
        "hidden-stations",
        f"Of the attempts of {station['name']} {100 * part:.0f} % fail because of a station that it does not hear."
        + others(len(found), "station"),
        "Carrier sense cannot prevent this, and the backoff after it helps only in part.",
        "Try RTS/CTS (mac.rts=always), shorter frames, or other places.",
    )


def noisy_channel(summary: Summary) -> Finding | None:
    """Many attempts that the channel spoils."""
    found = [(number(s, "channel_errors") / number(s, "attempts"), s) for s in _sending(summary)]
    found = [each for each in found if each[0] >= at.NOISY]
    if not found:
        return None
    part, station = max(found, key=lambda each: each[0])
    return Finding(
        "noisy-channel",
        f"The channel spoils {100 * part:.0f} % of the attempts of {station['name']}."
        + others(len(found), "station"),
        "Retries hide the losses from the flows, and take the air from everybody.",
        "Try a lower bit rate, rate control, shorter frames, or a better place.",
    )


def busy_medium(summary: Summary) -> Finding | None:
    """A medium that has no room."""
    busy = {s["cell"]: number(s, "cell_busy_share") for s in summary["stations"]}
    full = {cell: share for cell, share in busy.items() if share >= at.BUSY}
    if not full:
        return None
    cell, share = max(full.items(), key=lambda each: each[1])
    return Finding(
        "busy-medium",
        f"The medium of {cell} is busy {100 * share:.1f} % of the time."
        + others(len(full), "cell"),
        "Whatever one station gains another loses.",
        "Look at who holds it (--report) before changing queues or laws.",
    )


RULES: tuple[Rule, ...] = (
    survivors,
    starved,
    hidden_stations,
    playout,
    full_queue,
    bottleneck,
    noisy_channel,
    busy_medium,
    no_warmup,
    short_tail,
)
"""In the order in which they are told: first what makes a conclusion wrong."""


def noticed(summary: Summary) -> list[Finding]:
    """Return what is odd about a run or several, the most important first, at most :data:`thresholds.MOST`."""
    found = (rule(summary) for rule in RULES)
    return [each for each in found if each is not None][: at.MOST]


def _sending(summary: Summary) -> list[Mapping[str, Any]]:
    """Return stations whose attempts are enough for a share."""
    return [s for s in summary["stations"] if number(s, "attempts") >= 100]


def _count_lost(flow: Mapping[str, Any]) -> float:
    return sum(number(flow["packets_lost"], reason) for reason in flow["packets_lost"])


def _lost(flow: Mapping[str, Any]) -> float:
    """Return which part of what came to its end was lost."""
    ended = _count_lost(flow) + number(flow, "packets_delivered")
    return _count_lost(flow) / ended if ended else 0.0
