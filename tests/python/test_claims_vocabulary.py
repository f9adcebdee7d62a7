"""Words of papers on tables whose truth is known."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from lasthop.errors import UsageError
from lasthop.numbers import stats
from lasthop.study.claims import Table, Verdict, judge_claim, read_claims
from lasthop.study.claims.vocabulary import WORDS

VARIANTS = ("reno", "sack", "vegas")
SIZES = (10, 25, 50, 100)
Mean = Callable[[str, int], float]


def table(mean: Mean, replications: int = 30, spread: float = 0.01, seed: int = 1) -> Table:
    rng = np.random.default_rng(seed)
    shared = rng.normal(0, 0.2, replications)
    rows = []
    for variant in VARIANTS:
        for size in SIZES:
            own = rng.normal(0, spread, replications)
            values = mean(variant, size) * (1 + shared + own)
            rows.append(({"tcp.variant": variant, "queue.packets": size}, values))
    return Table.of("goodput", rows)


def judged(
    holds: str, mean: Mean, more: str = "", reading: str = "everywhere", **how: float
) -> Verdict:
    text = f"[[claim]]\nid = 'X'\ntext = 'x'\nreading = '{reading}'\nholds = {holds}\n{more}"
    (claim,) = read_claims(tomllib.loads(text)["claim"])
    found = judge_claim(claim, {"goodput": table(mean, **how)})  # type: ignore[arg-type]
    assert found.as_dict()["verdict"] == str(found.verdict)
    return found.verdict


def rising(variant: str, size: int) -> float:
    return {"reno": 100.0, "sack": 120.0, "vegas": 80.0}[variant] * (1 + 0.2 * np.log(size / 10))


def flat(variant: str, size: int) -> float:
    return 100.0


def crossing(variant: str, size: int) -> float:
    return 100.0 + (25 - size if variant == "sack" else 0.0)


def one_alike(variant: str, size: int) -> float:
    return 100.0 if variant == "reno" else rising(variant, size)


A = 'a = { "tcp.variant" = "sack" }, b = { "tcp.variant" = "reno" }'
V, Q = 'along = "tcp.variant"', 'along = "queue.packets"'
H, C, M, T = Verdict.HOLDS, Verdict.DENIED, Verdict.PARTLY, Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("holds", "mean", "expected"),
    [
        (f"{{ above = {{ {A} }} }}", rising, H),
        (f'{{ above = {{ {A}, by = "10 %" }} }}', rising, H),
        (f'{{ above = {{ {A}, by = "30 %" }} }}', rising, C),
        (f"{{ below = {{ {A} }} }}", rising, C),
        (f"{{ above = {{ {A} }} }}", crossing, M),
        (f"{{ above = {{ {A} }} }}", flat, C),
        (f"{{ slightly_above = {{ {A} }} }}", rising, C),
        (f'{{ about = {{ {A}, by = "18 %" }} }}', rising, H),
        (f'{{ about = {{ {A}, by = "96 %" }} }}', rising, C),
        (f"{{ the_same = {{ {A} }} }}", flat, H),
        (f"{{ the_same = {{ {A} }} }}", rising, C),
        (f"{{ the_same = {{ {V} }} }}", flat, H),
        (f"{{ negligible = {{ {A} }} }}", flat, H),
        (f"{{ little_affected = {{ {A} }} }}", rising, H),
        (f"{{ halved = {{ {A} }} }}", rising, C),
        (f"{{ doubles = {{ {A} }} }}", rising, C),
        (f'{{ rank = {{ {V}, order = ["sack", "reno", "vegas"] }} }}', rising, H),
        (f'{{ rank = {{ {V}, order = ["sack", "vegas", "reno"] }} }}', rising, C),
        (f'{{ best_at = {{ {V}, value = "sack" }} }}', rising, H),
        (f'{{ best_at = {{ {V}, value = "reno" }} }}', rising, C),
        (f'{{ best_at = {{ {V}, value = "reno", but = ["sack"] }} }}', rising, H),
        (f'{{ worst_at = {{ {V}, value = "vegas" }} }}', rising, H),
        (f'{{ monotone = {{ {Q}, direction = "up" }} }}', rising, H),
        (f'{{ monotone = {{ {Q}, direction = "up", strictly = true }} }}', rising, H),
        (f'{{ monotone = {{ {Q}, direction = "down" }} }}', rising, C),
        (f'{{ monotone = {{ {Q}, direction = "up" }} }}', flat, C),
        (f"{{ constant_beyond = {{ {Q}, from = 25 }} }}", flat, H),
        (f"{{ constant_beyond = {{ {Q}, from = 25 }} }}", rising, C),
        (f"{{ crossover_at = {{ {Q}, at = 25, {A} }} }}", crossing, H),
        (f"{{ crossover_at = {{ {Q}, at = 25, {A} }} }}", rising, C),
        (f"{{ very_sensitive = {{ {Q} }} }}", rising, H),
        (f"{{ very_sensitive = {{ {Q} }} }}", flat, C),
        (f'{{ stronger_where = {{ effect = "queue.packets", {V} }} }}', flat, C),
        ("{ over = { value = 50 } }", flat, H),
        ("{ under = { value = 50 } }", flat, C),
        (f'{{ not = {{ best_at = {{ {V}, value = "reno" }} }} }}', rising, H),
        (f"{{ any = [ {{ below = {{ {A} }} }}, {{ above = {{ {A} }} }} ] }}", rising, H),
        (f"{{ all = [ {{ below = {{ {A} }} }}, {{ above = {{ {A} }} }} ] }}", rising, M),
    ],
)
def test_words_say_what_is_so(holds: str, mean: Mean, expected: Verdict) -> None:
    assert judged(holds, mean) is expected


def test_an_effect_is_stronger_where_it_is() -> None:
    holds = (
        '{ stronger_where = { effect = "queue.packets", along = "tcp.variant", '
        'low = "reno", high = "sack" } }'
    )
    assert judged(holds, one_alike) is H
    assert (
        judged(
            holds.replace('"reno"', '"x"').replace('"sack"', '"reno"').replace('"x"', '"sack"'),
            one_alike,
        )
        is C
    )


@pytest.mark.parametrize(
    "holds",
    [
        f"{{ above = {{ {A} }} }}",
        f"{{ the_same = {{ {A} }} }}",
        f'{{ about = {{ {A}, by = "18 %" }} }}',
        f'{{ monotone = {{ {Q}, direction = "up" }} }}',
        f'{{ stronger_where = {{ effect = "queue.packets", {V} }} }}',
    ],
)
def test_three_noisy_replications_cannot_tell(holds: str) -> None:
    assert judged(holds, rising, spread=0.5, replications=3) is T


def test_conditions_and_averages() -> None:
    above = f"{{ above = {{ {A} }} }}"
    assert judged(above, crossing, 'where = { "queue.packets" = 10 }') is H
    assert judged(above, crossing, 'where = { "queue.packets" = [50, 100] }') is C
    assert judged(above, rising, 'overall = ["queue.packets"]') is H


def test_what_is_open_says_what_it_costs() -> None:
    (claim,) = read_claims(
        [{"id": "a", "text": "t", "holds": {"above": {"a": {"v": 1}, "b": {"v": 0}}}}]
    )
    rng = np.random.default_rng(3)
    b = rng.normal(100, 4, 6)
    a = b + 6 + rng.normal(0, 8, 6)
    found = judge_claim(claim, {"m": Table.of("m", [({"v": 0}, b), ({"v": 1}, a)])})
    assert found.verdict is T
    assert found.needed is not None
    # This number, with the same means and spreads, decides it in about four of five studies.
    gap = np.asarray(a) - 1.02 * np.asarray(b)
    draws = rng.normal(gap.mean(), gap.std(ddof=1), (400, found.needed))
    decided = sum(stats.mean_interval(list(row)).low > 0 for row in draws)
    assert 0.7 < decided / 400 < 0.95


def test_replications_are_paired_and_gaps_left_out() -> None:
    rows = [
        ({"v": "a"}, [1.5 * 100.0, np.nan, 1.5 * 106.0, 1.51 * 102.0, 1.5 * 112.0, 9.0]),
        ({"v": "b"}, [100.0, 50.0, 106.0, 102.0, 112.0]),
    ]
    (claim,) = read_claims(
        [{"id": "a", "text": "t", "holds": {"above": {"a": {"v": "a"}, "b": {"v": "b"}}}}]
    )
    assert judge_claim(claim, {"m": Table.of("m", rows)}).verdict is H


@pytest.mark.parametrize(
    ("holds", "said"),
    [
        ("{ abve = {} }", "claim X: holds.abve: no word 'abve'; did you mean 'above'?"),
        ("{ above = { a = { v = 1 } } }", "holds.above: b is missing"),
        (f"{{ above = {{ {A}, bye = 1 }} }}", "no key 'bye'; did you mean 'by'?"),
        (f"{{ above = {{ {A}, by = 2 }} }}", 'such as "2 %", not 2'),
        (
            '{ monotone = { along = "queue.packet", direction = "up" } }',
            "did you mean 'queue.packets'?",
        ),
        ('{ best_at = { along = "tcp.variant", value = "sak" } }', "did you mean 'sack'?"),
        (f'{{ above = {{ {A}, metric = "goodputt" }} }}', "did you mean 'goodput'?"),
        ('{ monotone = { along = "queue.packets", direction = "right" } }', "'up' or 'down'"),
        ("{ all = [] }", "must be a list of words"),
        ("5", "must be one word in braces"),
    ],
)
def test_errors_name_the_place_and_the_nearest_word(holds: str, said: str) -> None:
    with pytest.raises(UsageError) as error:
        judged(holds, flat)
    assert said in str(error.value)


def test_a_claim_is_wrong_no_more_often_than_it_says() -> None:
    """Means are exactly at the threshold: 'above' and its denial are both wrong, each at most 2.5 %."""
    (claim,) = read_claims(
        [{"id": "a", "text": "t", "holds": {"above": {"a": {"v": 1}, "b": {"v": 0}}}}]
    )
    rng = np.random.default_rng(11)
    wrong = 0
    for _ in range(1000):
        b = rng.normal(100, 5, 12)
        rows = [({"v": 0}, b), ({"v": 1}, 1.02 * b + rng.normal(0, 3, 12))]
        wrong += judge_claim(claim, {"m": Table.of("m", rows)}).verdict is not T
    assert stats.binomial_tail(wrong, 1000, 0.05) > 0.001
    assert wrong > 5  # and it does decide


def test_the_guide_shows_claims_that_can_be_read_and_every_word() -> None:
    guide = (Path(__file__).parents[2] / "docs/guides/verdicts.md").read_text()
    example = guide.split("```toml\n")[1].split("```")[0]
    assert [claim.id for claim in read_claims(tomllib.loads(example)["claim"])] == ["R1", "R2"]
    assert [word for word in WORDS if f"`{word}`" not in guide] == []


def test_cells_that_were_not_run_take_no_part_of_the_level() -> None:
    text = "[[claim]]\nid = 'X'\ntext = 'x'\nholds = { best_at = { along = 'v', value = 'a' } }\n"
    (claim,) = read_claims(tomllib.loads(text)["claim"])
    cells = {"a": [2.0, 2.1, 2.2], "b": [1.0, 1.1, 1.3], "c": []}
    found = judge_claim(
        claim, {"goodput": Table.of("goodput", [({"v": v}, x) for v, x in cells.items()])}
    )
    assert found.level_of_each == pytest.approx(0.96)
    assert found.verdict is Verdict.NOT_RUN
    assert found.as_dict()["parts"][0]["settings"]["not_run"] == 1
