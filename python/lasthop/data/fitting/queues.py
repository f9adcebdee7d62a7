"""Finds the packets that a queue dropped, from their waits before the bottleneck.

- What a queue drops takes no time of the bottleneck, what is lost behind it does: on a path of one steady rate the
  time between two packets that arrived tells how many were sent between them.
- A queue drops where packets wait: losses that come with longer waits than chance allows are not random losses.
- A queue that only its length lets drop (drop tail) does so at the longest waits alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lasthop.data.fitting.observing import Observed
from lasthop.data.measured.model import Array, Mask
from lasthop.data.measured.tcp import ARRIVED, LOST, UNKNOWN
from lasthop.numbers import stats

NEAR_FULL = 2.5
"""Packets below a wait at which the queue drops: a loss at such a wait may be the queue's too."""

PART = 0.05
"""Of a packet: what of a wait is noise."""

RARE = 0.02

CHANCE = 1e-3

NOT_EMPTY = 1.5
"""Packets of wait from which the bottleneck had something else to send."""

EMPTY = 0.5
"""Packets of wait below which one came to an empty queue."""

FAR = 25
"""Packets between two of which it is known when they arrived; in longer gaps fates are not sure either."""

STRAYS, STRAY_SHARE = 3, 0.01
"""Packets that waited longer than a full queue lets them, at most; and for each loss."""

TAIL = 0.9
"""Of a drop-tail queue's losses, at least this part comes at the longest waits."""

SURE = 16.0
"""Twice the gain in log-likelihood of a step at the best of many waits: about 0.1 % by chance."""

LEAST_EVENTS = 5
LEAST_BELOW = 10
"""Least number of losses for a test of dependence on the wait."""

STEPS = 64


@dataclass(frozen=True)
class Queue:
    """The parameters of the queue before the bottleneck.

    Attributes:
        length: Packets that may wait; None where it was never full.
        waited: The most packets that are seen to wait.
        typical: Packets that wait where one is dropped, the median.
        dropped: Which packets it dropped.
        apart: Which packets tell nothing of losses on the way: those dropped, and where the bottleneck's rate is
            not steady all that were sent at waits at which it drops.
        begins: When each packet began to be sent at the bottleneck, or would have, s.
        full: Which packets came when it was full.
        is_tail: Whether nothing but its length is needed to explain its drops.
    """

    length: int | None
    waited: int
    typical: int
    dropped: Mask
    apart: Mask
    begins: Array
    full: Mask
    is_tail: bool


def find(seen: Observed, rate: float, is_steady: bool, is_bound: bool) -> Queue:
    """Tell the queue's losses from others, at the flow's share of the rate.

    Where that is a bound only, waits are known but not in packets: then no length is.
    """
    begins, lags = _begins(seen, rate)
    packet = 8 * float(np.median(seen.size)) / rate
    waits, lost = (begins - seen.at) / packet, seen.fate == LOST
    of_known = waits[_answered(seen)]
    level = None if is_bound else _full(of_known, waits[lost])
    if level is not None and is_steady:
        more = int((of_known > level + NEAR_FULL).sum())
        level = None if more > max(STRAYS, STRAY_SHARE * int(lost.sum())) else level
    full = np.zeros_like(lost) if level is None else waits > level - NEAR_FULL
    events = _events(seen, lost)
    if is_steady and not is_bound:
        apart = dropped = _by_time(seen.fate, lags / packet, waits, full, events)
        longest = float(of_known.max(initial=0.0))
        if level is None and dropped.any() and waits[dropped].min() > longest - NEAR_FULL:
            # Too few to crowd, but none came where less waited.
            level, full = longest, waits > longest - NEAR_FULL
    else:
        step = threshold(waits[events], lost[events])
        apart = full
        if step is not None and step > NOT_EMPTY:
            apart = full | (waits > max(step - NEAR_FULL, NOT_EMPTY))
        if apart.any() and int((lost & ~apart).sum()) < LEAST_EVENTS:
            apart = apart | lost  # too few to tell them from those that go with the wait
        dropped = lost & apart
    length = None
    if level is not None and dropped.any():
        # The last that finds room waits for all others, and for a part of the one that is being sent. Beyond that
        # are times that something else took.
        length = math.ceil(float(of_known[of_known < level + NEAR_FULL].max()) - PART)
    return Queue(
        length=length,
        waited=math.ceil(float(of_known.max(initial=0.0)) - PART),
        typical=math.ceil(float(np.median(waits[dropped]))) if dropped.any() else 0,
        dropped=dropped,
        apart=apart,
        begins=begins,
        full=full,
        is_tail=int((dropped & full).sum()) >= TAIL * int(dropped.sum()),
    )


def _answered(seen: Observed) -> npt.NDArray[np.intp]:
    """Return the places of packets of which it is known when they arrived, in the order of sending."""
    sent = np.sort(seen.sent[~np.isnan(seen.sent)])
    # Packets that a card makes of one segment have one time: an answer is to the last of them.
    return np.searchsorted(seen.at, sent, side="right") - 1


def _begins(seen: Observed, rate: float) -> tuple[Array, Array]:
    """Return when each packet began to be sent at the bottleneck, or would have where it was lost, and how much
    later than those that arrived before it let it; NaN where no answer tells.

    The others wait for those before them (Lindley's recursion).
    """
    times = 8 * seen.size / rate
    there = ~np.isnan(seen.sent)
    order = np.argsort(seen.sent[there], kind="stable")
    known, places = seen.known_at[there][order], _answered(seen)
    alone = known - seen.at[places] - times[places]
    told = np.full(len(seen.at), np.nan)
    told[places] = seen.at[places] + alone - alone.min(initial=math.inf)
    begins, lags, end = np.empty(len(seen.at)), np.full(len(seen.at), np.nan), -math.inf
    for i, (at, began, time, fate) in enumerate(
        zip(seen.at.tolist(), told.tolist(), times.tolist(), seen.fate.tolist(), strict=True)
    ):
        begin = max(at, end)
        if not math.isnan(began):
            lags[i], begin = began - begin, began
        begins[i] = begin
        if fate == ARRIVED:
            end = begin + time
    return begins, lags


def _by_time(fate: Array, lags: Array, waits: Array, full: Mask, events: Mask) -> Mask:
    """Return the losses that took no time of the bottleneck, though it had others to send.

    They were lost at random before the bottleneck, and not by its queue, where they do not come with the wait and
    packets that found it empty are lost as well.
    """
    unserved = _unserved(fate, lags, waits, full)
    below = unserved & ~full
    busy = events & (waits >= NOT_EMPTY) & ~full
    idle = events & (waits < NOT_EMPTY)
    if int(below[events].sum()) < LEAST_BELOW or int((fate[idle] == LOST).sum()) < LEAST_EVENTS:
        return unserved
    alike = float((fate[idle] == LOST).mean()) > float((fate[busy] == LOST).mean()) / 2
    at_random = alike and threshold(waits[busy], below[busy]) is None
    found: Mask = unserved & full if at_random else unserved
    return found


def _unserved(fate: Array, lags: Array, waits: Array, full: Mask) -> Mask:
    """Return which losses took no time of the bottleneck while it had others to send.

    What a queue drops is never sent, what is lost later is. A packet that is later than those that arrived before
    it explain has waited for packets that were lost later, or whose fate is not known. Where it came to an empty
    queue, or late and long after them, this tells nothing of losses before it: they are taken for dropped where as
    many waited as when others were.
    """
    places = np.flatnonzero((fate == LOST) & (waits >= NOT_EMPTY))
    found = np.zeros(len(fate), bool)
    known = np.flatnonzero(~np.isnan(lags))
    if not len(known) or not len(places):
        return found
    next_ = np.searchsorted(known, places)
    after = known[np.minimum(next_, len(known) - 1)]
    before = known[np.maximum(next_ - 1, 0)]
    unknown = np.cumsum(fate == UNKNOWN)
    later = np.round(lags[after]) - (unknown[after] - unknown[before])
    untold = next_ == len(known)
    untold |= np.where(later < 1, waits[after] < EMPTY, after - before > FAR)
    # The first of a gap are those that were lost later: which they were makes no difference.
    number = np.arange(len(places)) - np.searchsorted(next_, next_, side="left")
    taken = number < later
    drops = places[~untold & ~taken]
    usual = math.inf
    if len(drops) and full[drops].mean() >= TAIL:
        usual = float(np.quantile(waits[drops], 1 - TAIL)) - EMPTY
    elif len(drops) >= LEAST_BELOW:
        usual = NOT_EMPTY  # not its length alone: any wait may do
    found[places[np.where(untold, waits[places] >= usual, ~taken)]] = True
    return found


def _events(seen: Observed, lost: Mask) -> Mask:
    """Return the packets that count as independent: those without a loss in the round trip before.

    Losses in a row are one event: what follows a loss says little of its own about the wait.
    """
    trip = float(np.nanmin(seen.trips))
    times = np.append(seen.at[lost], math.inf)
    before = np.searchsorted(times, seen.at, side="left") - 1
    last = np.where(before >= 0, times[np.maximum(before, 0)], -math.inf)
    alone: Mask = seen.at - last > trip
    return alone


def threshold(waits: Array, lost: Mask) -> float | None:
    """Return the wait from which losses are more frequent; None where they do not depend on it.

    A step in the share of losses is looked for, and another one below it, until none is left: the losses below the
    last do not go with the wait.
    """
    level = None
    while len(lost) and int(lost.sum()) >= LEAST_EVENTS:
        step = _step(waits, lost)
        if step is None:
            break
        level = step
        below = waits <= step
        waits, lost = waits[below], lost[below]
    return level


def _step(waits: Array, lost: Mask) -> float | None:
    order = np.argsort(waits, kind="stable")
    sums = np.concatenate([[0.0], np.cumsum(lost[order])])
    # Equal waits stay together.
    ends = np.flatnonzero(np.diff(waits[order]) > 0) + 1
    if not len(ends):
        return None
    places = ends[np.unique(np.linspace(0, len(ends) - 1, STEPS).astype(int))]
    below, all_ = sums[places], sums[-1]
    count = float(len(waits))
    fewer = below / places < (all_ - below) / (count - places)
    gain = 2 * (_plogp(below, places) + _plogp(all_ - below, count - places) - _plogp(all_, count))
    gain = np.where(fewer, gain, 0.0)
    best = int(np.argmax(gain))
    return float(waits[order][places[best] - 1]) if gain[best] > SURE else None


def _plogp(hits: Array | float, trials: Array | float) -> Array:
    """Return the largest log-likelihood of `hits` among `trials`."""
    hits, trials = np.asarray(hits, float), np.asarray(trials, float)
    share = np.clip(hits / trials, 1e-12, 1 - 1e-12)
    found: Array = hits * np.log(share) + (trials - hits) * np.log1p(-share)
    return found


def _full(waits: Array, at_losses: Array) -> float | None:
    """Return the wait, in packets, at which losses crowd more than chance lets them; None where they do not.

    Looked for among the longest waits: more than one in fifty is not much longer.
    """
    best, level = CHANCE, None
    for each in np.unique(np.round(at_losses)):
        if each < 2 * NEAR_FULL or float((waits > each + NEAR_FULL).mean()) > RARE:
            continue
        usual = float((np.abs(waits - each) <= NEAR_FULL).mean())
        crowd = int((np.abs(at_losses - each) <= NEAR_FULL).sum())
        chance = stats.binomial_tail(crowd, len(at_losses), usual)
        if crowd > 1 and chance * len(at_losses) < best:
            best, level = chance * len(at_losses), float(each)
    return level
