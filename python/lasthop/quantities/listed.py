"""The list of what a run measures: the one place from which names, units and words come."""

from __future__ import annotations

from dataclasses import dataclass

#: What is known of delays and times.
TIMES = ("mean", "p50", "p95", "p99", "max")
SPACINGS = ("mean", "std", "p95")
SPLIT = ("queueing", "access", "retries", "transmission", "wire", "handoff")


@dataclass(frozen=True)
class Quantity:
    """A quantity of a run.

    Attributes:
        name: Its path in a row of `lasthop run --json`, from the row on: ``delay_s``.
        unit: ``bit/s``, ``s``, ``B``, ``packets``, ``1`` for a share or an index, empty for other counts.
        words: What people call it.
        of: The kinds of objects that have it, see `lasthop.metrics`.
        parts: Of times that are null where nothing arrived, what is known of them: ``delay_s.p95``. A map of
            counts by reason has parts that the core names.
    """

    name: str
    unit: str
    words: str
    of: tuple[str, ...]
    parts: tuple[str, ...] = ()


#: Endings of names and the units that they say.
ENDINGS = {"_bps": "bit/s", "_s": "s", "_bytes": "B", "_share": "1"}


def _of(kinds: str, *rows: tuple[str, ...]) -> tuple[Quantity, ...]:
    """Make the quantities of some kinds of objects: name, words, and the unit where its ending does not say it."""
    return tuple(
        Quantity(n, _unit(n, *unit), words, tuple(kinds.split())) for n, words, *unit in rows
    )


def _times(kinds: str, parts: tuple[str, ...], *rows: tuple[str, str]) -> tuple[Quantity, ...]:
    return tuple(Quantity(n, "s", words, tuple(kinds.split()), parts) for n, words in rows)


def _unit(name: str, stated: str = "") -> str:
    last = name.rsplit(".", 1)[-1]
    return stated or next((unit for end, unit in ENDINGS.items() if last.endswith(end)), "")


P, ONE = "packets", "1"

QUANTITIES: tuple[Quantity, ...] = (
    *_of(
        "flow",
        ("goodput_bps", "goodput"),
        ("throughput_bps", "IP throughput"),
        ("transport_throughput_bps", "transport throughput"),
        ("active_s", "active time"),
        ("active_throughput_bps", "IP throughput while active"),
        ("active_goodput_bps", "goodput while active"),
        ("acked_goodput_bps", "acknowledged goodput"),
        ("reachable_bps", "goodput without radio losses"),
        ("efficiency", "efficiency", ONE),
        ("loss", "loss", ONE),
        ("packets_sent", "packets sent", P),
        ("packets_delivered", "packets delivered", P),
        ("packets_tunnelled", "packets tunnelled", P),
        ("packets_delayed", "packets delayed", P),
        ("acks_sent", "acknowledgements sent"),
        ("acks_lost", "acknowledgements lost"),
        ("retransmits", "retransmissions"),
        ("timeouts", "timeouts"),
        ("dup_acks", "duplicate acknowledgements"),
        ("window_cuts", "window cuts"),
        ("jitter_s", "jitter"),
        ("deadline_s", "playout deadline"),
        ("late", "late packets", P),
        ("unusable", "unusable share", ONE),
        ("r_factor", "R factor"),
        ("mos", "MOS"),
        ("pictures.sent", "pictures sent"),
        ("pictures.in_time", "pictures in time"),
        ("pictures.late", "late pictures"),
        ("pictures.broken", "broken pictures"),
        ("pictures.unusable", "unusable share of pictures", ONE),
        ("objects.finished", "finished objects"),
        ("objects.unfinished", "unfinished objects"),
        ("pages.finished", "finished pages"),
        ("pages.unfinished", "unfinished pages"),
        ("requests.retransmits", "retransmissions of requests"),
        ("requests.timeouts", "timeouts of requests"),
        ("requests.dup_acks", "duplicate acknowledgements of requests"),
        ("requests.window_cuts", "window cuts of requests"),
        ("picked", "variants picked"),
        ("measured.rtt", "smoothed round-trip time", "s"),
        ("measured.min_rtt", "smallest round-trip time", "s"),
        ("measured.delay_inflation", "delay inflation"),
        ("measured.loss", "share of segments sent again", ONE),
        ("measured.timeouts", "timeouts for each segment", ONE),
        ("measured.rate", "acknowledged rate", "bit/s"),
        ("measured.reordering", "reordering", "segments"),
        ("measured.segments", "segments measured", "segments"),
        ("measured.age", "age of what was measured", "s"),
        ("snoop.local_retransmissions", "local retransmissions"),
        ("snoop.local_timeouts", "local timeouts"),
        ("snoop.suppressed_acks", "suppressed acknowledgements"),
        ("snoop.passed_acks", "acknowledgements passed on"),
        ("snoop.wire_gaps", "gaps from the wire"),
        ("snoop.sender_repeats", "repetitions by the sender"),
        ("snoop.uncached", "packets not cached", P),
        ("snoop.marked_acks", "marked acknowledgements"),
        ("snoop.cached_mean_packets", "mean packets cached", P),
        ("snoop.cached_max_packets", "most packets cached", P),
        ("split.buffer_bytes", "buffer of the split"),
        ("split.held_mean_bytes", "mean bytes held"),
        ("split.held_max_bytes", "most bytes held"),
        ("split.undelivered_bytes", "undelivered bytes"),
        ("split.lost_bytes", "bytes lost after they were acknowledged"),
        ("split.resets", "resets"),
        ("split.moves", "moves of the split"),
        ("split.moved_bytes", "bytes moved"),
        ("split.frozen_s", "time frozen"),
    ),
    *_times("flow", TIMES, ("delay_s", "delay"), ("ack_delay_s", "delay of acknowledgements")),
    *_times("flow", ("mean", *SPLIT), ("delay_split_s", "delay")),
    *_times(
        "flow",
        SPACINGS,
        ("interarrival_s", "interarrival time"),
        ("ack_spacing_s", "spacing of acknowledgements"),
    ),
    *_times(
        "flow",
        ("mean", "request", "grant", "transmission", "elsewhere"),
        ("ack_wait_s", "wait of acknowledgements"),
    ),
    *_times("flow", TIMES, ("objects.response_time_s", "response time of objects")),
    *_times("flow", TIMES, ("pages.response_time_s", "response time of pages")),
    *_of("flow station subscriber lan_station cell", ("packets_lost", "lost packets", P)),
    *_of(
        "flow", *((f"delay_split_ns.{cause}", f"summed delay by {cause}", "ns") for cause in SPLIT)
    ),
    *_of(
        "station cell",
        ("attempts", "attempts"),
        ("successes", "successes"),
        ("retries", "retries"),
        ("retry_drops", "frames given up"),
        ("collisions", "collisions"),
        ("channel_errors", "channel errors"),
        ("hidden", "collisions with hidden stations"),
        ("out_of_range", "attempts out of range"),
        ("duplicates", "duplicates"),
        ("away", "attempts while away"),
        ("mean_rate_bps", "mean rate"),
        ("airtime_share", "airtime"),
        ("cell_busy_share", "busy share of the cell"),
        ("retry_rate", "retries of the attempts", ONE),
        ("collision_rate", "collisions of the attempts", ONE),
        ("error_rate", "channel errors of the attempts", ONE),
    ),
    *_of(
        "lan_station",
        ("attempts", "attempts"),
        ("successes", "successes"),
        ("collisions", "collisions"),
        ("deferrals", "deferrals"),
        ("given_up", "frames given up"),
        ("longest_run", "longest run"),
        ("airtime_share", "airtime"),
        ("collision_rate", "collisions of the attempts", ONE),
    ),
    *_of(
        "lan",
        ("utilisation", "utilisation", ONE),
        ("collision_share", "share of time in collisions"),
        ("collisions", "collisions"),
        ("mean_run", "mean run"),
    ),
    *_of(
        "queue",
        ("offered", "packets offered", P),
        ("drops", "drops", P),
        ("marks", "marks", P),
        ("mean_packets", "mean queue", P),
        ("max_packets", "longest queue", P),
        ("loss", "loss", ONE),
    ),
    *_of("link", ("utilisation", "utilisation", ONE), ("packets", "packets", P)),
    *_of(
        "wimax",
        ("frame_symbols", "symbols of a frame"),
        ("downlink_symbols", "symbols of the downlink"),
        ("contention_symbols", "symbols of contention"),
        ("symbol_s", "time of a symbol"),
        ("frames", "frames"),
        ("broadcast_share", "share of broadcasts"),
        ("downlink_share", "used share of the downlink"),
        ("uplink_share", "used share of the uplink"),
        ("contention_share", "used share of contention"),
    ),
    *_of(
        "subscriber",
        *(
            (f"{way}.{name}", f"{words} {way}", *unit)
            for way in ("down", "up")
            for name, words, *unit in (
                ("throughput_bps", "throughput"),
                ("packets", "packets", P),
                ("lost", "lost packets", P),
                ("resent", "packets sent again", P),
                ("bursts", "bursts"),
                ("fill", "used share of bursts", ONE),
            )
        ),
        ("entry.listening_s", "time until the maps were heard"),
        ("entry.ranging_s", "time of ranging at entry"),
        ("entry.registration_s", "time of registration"),
        ("entry.total_s", "time of entry"),
        ("entry.attempts", "attempts at entry"),
        ("requests.attempts", "bandwidth requests"),
        ("requests.success", "requests that were alone", ONE),
        ("requests.timeouts", "timeouts of requests"),
        ("requests.given_up", "requests given up"),
        ("requests.piggybacked", "piggybacked requests"),
    ),
    *_times("subscriber", TIMES, ("down.delay_s", "delay down"), ("up.delay_s", "delay up")),
    *_times(
        "subscriber",
        ("mean", "request", "grant", "transmission"),
        ("requests.wait_s", "wait for bandwidth"),
    ),
    *_of(
        "handoff",
        ("at_s", "moment of a handoff"),
        ("detection_s", "detection time of a handoff"),
        ("scan_s", "scan time of a handoff"),
        ("authentication_s", "authentication time of a handoff"),
        ("association_s", "association time of a handoff"),
        ("total_s", "time of a handoff"),
        ("gap_s", "gap of a handoff"),
        ("discovery_s", "discovery time of a handoff"),
        ("registration_s", "registration time of a handoff"),
        ("resumption_s", "resumption time of a handoff"),
        ("lost", "packets lost by a handoff", P),
        ("delayed", "packets delayed by a handoff", P),
        ("tunnelled", "packets tunnelled after a handoff", P),
    ),
    *_of(
        "run",
        ("duration_s", "simulated time"),
        ("measured_s", "measured time"),
        ("events", "events"),
        ("jain", "Jain's index", ONE),
        ("packets.made", "packets made", P),
        ("packets.delivered", "packets delivered", P),
        ("packets.dropped", "packets dropped", P),
        ("packets.in_flight", "packets in flight", P),
        ("clusters.elections", "elections"),
        ("clusters.clusters", "clusters"),
        ("clusters.heads", "cluster heads"),
        ("clusters.pairs", "pairs of nodes in reach"),
        ("clusters.head_changes", "changes of heads"),
        ("clusters.member_changes", "changes of members"),
        ("clusters.lost_at_heads", "packets lost at heads", P),
        ("mobile_ip.advertisements", "advertisements"),
        ("mobile_ip.solicitations", "solicitations"),
        ("mobile_ip.requests", "registration requests"),
        ("mobile_ip.replies", "registration replies"),
        ("mobile_ip.message_bytes", "bytes of messages"),
        ("mobile_ip.messages_lost", "messages lost"),
        ("mobile_ip.packets_tunnelled", "packets tunnelled", P),
        ("mobile_ip.tunnel_bytes", "bytes in tunnels"),
    ),
)
"""All of them. A test holds that this is all that `lasthop run --json` has, and nothing else."""
