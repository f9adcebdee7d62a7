"""Saturated access categories by the standard's rules, against a contention Monte Carlo written apart.

Stations of one category each, and stations that have all four; single frames, with the TXOP limits of table
9-155 and without; with EIFS and without, and with starts that go unnoticed for 4 us. `wifi6` has the same by
the rules of ns-3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from lasthop_validation.bianchi_modern import GENERATIONS, PAYLOAD, SIFS, SLOT, Generation, legacy
from lasthop_validation.dcf_monte_carlo import US
from lasthop_validation.edca_monte_carlo import STANDARD, Category, Exchange, simulate
from lasthop_validation.judging import Case, Deferred, Measure
from lasthop_validation.saturated import MODERN, category
from lasthop_validation.wifi6 import collided, mbps

BOUND = 0.01
COLLISION_BOUND = 0.005
REASON = "the same rules on both sides: what remains is chance"
LEAST_PER_S = 100.0
"""Frames a second of a category that is compared: rarer ones take hours to settle."""
REPLICATIONS = 8

ALL = tuple(range(len(STANDARD)))
VO, VI, BE, BK = ALL
MIXES: tuple[tuple[tuple[int, ...], ...], ...] = (
    *((((BE,),) * n) for n in (1, 2, 5, 10, 20)),
    *((((VO,),) * n) for n in (1, 2, 5)),
    *((((VI,),) * n) for n in (2, 5, 10)),
    ((BK,),) * 5,
    ((VO,), (BE,)),
    ((VO,), (VO,), (BE,), (BE,)),
    ((VI,), (VI,), (BE,), (BE,)),
    ((VI,),) * 5 + ((BE,),) * 5,
    ((VO,), (VI,)),
    ((VO,),) * 3 + ((VI,),) * 3,
    ((BE,),) * 5 + ((BK,),) * 5,
    ((VO,), (VI,), (BE,), (BK,)),
    ((VO,), (VI,), (BE,), (BK,)) * 3,
    (ALL,),
    (ALL,) * 2,
    (ALL,) * 5,
)
"""By station: the categories in which it always has frames, as numbers of `STANDARD`."""


@dataclass(frozen=True)
class Mode:
    """A mode of a generation, and how often a frame is tried; None: without end."""

    of: Generation
    mcs: int
    width: int
    attempts: int | None


@dataclass(frozen=True)
class Rule:
    """What stations wait that could not decode a frame, and for how long they do not notice one, ns."""

    bystanders: str
    sense: int = 0


RULES = (Rule("eifs"), Rule("difs"), Rule("eifs", 4 * US))
MODES = (Mode(GENERATIONS[0], 7, 20, 7), Mode(GENERATIONS[-1], 11, 80, None))
"""802.11n at 65 Mbit/s and 802.11ax at 600: exchanges of 272 and 114 us.

802.11ax always has a block-ack agreement, so that a frame given up there is followed by a request (BAR), which the
Monte Carlo does not have.
"""

FLOW = """
[[flow]]
name = "up-{name}-{number}"
from = "sta{number}"
to = "ap"
transport = "udp"
access_category = "{name}"
app = {{ kind = "saturated", payload = "{payload} B" }}
"""


def _exchange(mode: Mode, rule: Rule) -> Exchange:
    return Exchange(
        data=mode.of.frame(mode.mcs, mode.width),
        answer=mode.of.answer(mode.mcs),
        sifs=SIFS,
        slot=SLOT,
        timeout=SIFS + SLOT + 20 * US,
        after_error=SIFS + legacy(6) if rule.bystanders == "eifs" else 0,
        cf_end=legacy(6, size=20),
        attempts=mode.attempts,
        sense=rule.sense,
    )


def _text(stations: Sequence[Sequence[Category]], mode: Mode, rule: Rule) -> str:
    kinds = {kind.name: kind for kinds in stations for kind in kinds}
    categories = [
        category(kind.name, kind.aifsn, (kind.cw_min, kind.cw_max), kind.txop // US)
        for kind in kinds.values()
    ]
    flows = [
        FLOW.format(name=kind.name, number=number, payload=PAYLOAD)
        for number, kinds in enumerate(stations, 1)
        for kind in kinds
    ]
    head = MODERN.format(
        duration=30,
        warmup=5,
        stations=len(stations),
        standard=mode.of.standard,
        mcs=mode.mcs,
        width=mode.width,
        bystanders=rule.bystanders,
        phy=f'sense_time = "{rule.sense // US} us"',
        attempts='"none"' if mode.attempts is None else mode.attempts,
        categories="\n".join(categories),
    )
    return head + "".join(flows)


def _name(mix: Sequence[Sequence[int]]) -> str:
    words = ["+".join(STANDARD[kind].name for kind in kinds) for kinds in mix]
    return ", ".join(f"{words.count(word)} of {word}" for word in dict.fromkeys(words))


def _deferred(mix: Sequence[Sequence[int]], mode: Mode, rule: Rule, bursts: bool) -> Deferred:
    categories = STANDARD if bursts else [replace(kind, txop=0) for kind in STANDARD]
    stations = [[categories[kind] for kind in kinds] for kinds in mix]
    text = _text(stations, mode, rule)
    words = [mode.of.standard, _name(mix), rule.bystanders]
    words += ["TXOPs"] * bursts + ["noticed after 4 us"] * (rule.sense > 0)
    which = ", ".join(words)
    what = "all categories" if len(mix[0]) > 1 else "a category each"
    return Deferred(
        which,
        text,
        REPLICATIONS,
        partial(_cases, which, what, text, stations, _exchange(mode, rule)),
    )


def _cases(
    which: str, what: str, text: str, stations: Sequence[Sequence[Category]], exchange: Exchange
) -> Iterator[Case]:
    found = simulate(exchange, stations)

    def case(group: str, measure: Measure, reference: float, chance: float, absolute: bool) -> Case:
        bound = COLLISION_BOUND if absolute else BOUND
        return Case(group, f"{which}: {group}", text, measure, reference, bound, REASON,
                    reference_ci95=chance, absolute=absolute, replications=REPLICATIONS)  # fmt: skip

    for name, rate in found.frames_per_s.items():
        if rate >= LEAST_PER_S:
            each = 8 * PAYLOAD / 1e6
            chance = 1.96 * found.standard_error[name] * each
            yield case(f"{what}: {name}", mbps(f"up-{name}"), rate * each, chance, False)
    if len(stations) > 1:
        yield case(f"{what}: collisions", collided, found.collided, 0.0, True)


def cases(quick: bool) -> Iterator[Deferred]:
    """Give the cases of each mix of stations, with the modes and rules in turn; quick: every seventh."""
    settings = [(mode, rule) for rule in RULES for mode in MODES]
    kinds = [
        (mix, bursts)
        for bursts in (False, True)
        for mix in MIXES
        if not bursts or any(STANDARD[kind].txop for kinds in mix for kind in kinds)
    ]
    for number, (mix, bursts) in enumerate(kinds):
        if not quick or number % 7 == 0:
            yield _deferred(mix, *settings[number % len(settings)], bursts)
