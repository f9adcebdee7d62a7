"""Which quantities people want more of, which less; of all others neither is better."""

from __future__ import annotations

import re

from lasthop.core.quantities import named

_LESS = """
loss packets_lost acks_lost lost down.lost up.lost measured.loss measured.loss_burst measured.queueing_delay
drops queue_drops limits.queue_drops packets.dropped clusters.lost_at_heads
dsdv.updates_lost mobile_ip.messages_lost split.lost_bytes split.undelivered_bytes split.resets mtcp.missed
late pictures.late pictures.broken unusable pictures.unusable objects.unfinished pages.unfinished
delay_s delay_split_s delay_split_ns ack_delay_s ack_wait_s down.delay_s up.delay_s jitter_s reordering_delay_s
limits.sender.rtt_s limits.wait_s limits.backlog_share measured.rtt measured.delay_inflation measured.rtt_spread
objects.response_time_s pages.response_time_s requests.wait_s
gap_s detection_s scan_s authentication_s association_s discovery_s registration_s resumption_s total_s delayed
entry.listening_s entry.ranging_s entry.registration_s entry.total_s
packets_delayed dsdv.packets_waited
mean_packets max_packets mean_queue
timeouts requests.timeouts measured.timeouts snoop.local_timeouts
retransmits requests.retransmits retries mpdu_retries down.resent up.resent duplicates
retry_drops expired given_up requests.given_up
collisions internal_collisions hidden out_of_range channel_errors
retry_rate collision_rate error_rate collision_share
reordered measured.reordering
"""

_MORE = """
throughput_bps goodput_bps transport_throughput_bps active_throughput_bps active_goodput_bps acked_goodput_bps
reachable_bps down.throughput_bps up.throughput_bps measured.rate
packets_delivered packets.delivered acknowledged successes requests.success
objects.finished pages.finished pictures.in_time
efficiency utilisation jain mos r_factor
"""

LESS = frozenset(_LESS.split())
"""Names of quantities: what is lost, late, broken, waited for, repeated, given up, or in a collision."""


MORE = frozenset(_MORE.split())
"""Names of quantities: what arrives, what is finished, how well a path is used, shared or heard."""

SHARES = re.compile("shares|share[0-9]+|count")
"""Combinations of which neither more nor less is better: who has what part, and how many objects there are."""


def higher_is_better(metric: str) -> bool | None:
    """Return whether more of a metric is better; None where neither is, as of the packets sent.

    >>> higher_is_better("voice.delay_s.p95"), higher_is_better("goodput"), higher_is_better("packets_sent")
    (False, True, None)
    """
    if is_less_better(metric):
        return False
    found = named(metric)
    if found is None or SHARES.fullmatch(found.across):
        return None
    return True if found.across == "jain" or found.quantity.name in MORE else None


def is_less_better(metric: str) -> bool:
    """Return whether less of a metric is better: of what `LESS` names, and of a probability to be starved.

    The name of an object says nothing of it: a flow may be called "loss". Of an index of fairness more is better.

    >>> is_less_better("voice.delay_s.p95"), is_less_better("loss.goodput_bps"), is_less_better("call*.loss.jain")
    (True, False, False)
    """
    found = named(metric)
    if found is None or found.across == "jain":
        return False
    return found.across == "starved" or found.quantity.name in LESS
