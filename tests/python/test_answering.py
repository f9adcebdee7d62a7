"""The answer of a study: its metric and its words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from lasthop.core.quantities.better import is_less_better
from lasthop.pages.studies import answer_chart
from lasthop.pages.studies.answer_chart import chart
from lasthop.study.answering import Answer
from lasthop.study.answering.choosing import Kind, choose
from lasthop.study.answering.noticed import Tier, is_given, noticed
from lasthop.study.answering.sentences import rounded, sentences
from lasthop.study.answering.speaking import Spoken, begun, change, digits, spoken
from lasthop.study.answering.splitting import Candidate
from lasthop.study.phrases import SMALL, of_value

FLOWS = [{"name": "call", "transport": "udp"}, {"name": "bulk", "transport": "tcp"}]
SCALES = {"goodput_bps": (1e-6, "Mbit/s"), "call.delay_s.p95": (1e3, "ms")}
AXIS = "queue.discipline"


def values(mean: float, seed: int, spread: float = 0.02, runs: int = 20) -> np.ndarray:
    """Return values of as many runs around a mean."""
    return mean * np.random.default_rng(seed).normal(1, spread, runs)


def candidate(
    metric: str, cells: Mapping[str, Mapping[str, float | np.ndarray]], **options: object
) -> Candidate:
    """Return a candidate with values around these means."""
    drawn = {
        context: {
            name: x if isinstance(x, np.ndarray) else values(x, place)
            for place, (name, x) in enumerate(here.items())
        }
        for context, here in cells.items()
    }
    places = {context: {"tcp.window": context} for context in cells}
    higher = not is_less_better(metric)
    how = noticed(metric, FLOWS)
    return Candidate(AXIS, metric, how, higher, 0.02, drawn, places, **options)  # type: ignore[arg-type]


def speak(metric: str) -> Spoken:
    return spoken(metric, SCALES.get(metric, (1.0, "")))


def said(known: Sequence[Candidate], answer_by: str | None = None) -> str:
    return " ".join(sentences(choose(known, answer_by), speak, 20))


def test_a_name_that_begins_small_does_so_at_the_beginning_too() -> None:
    assert begun("mac80211, 5 stations") == "mac80211, 5 stations"
    assert begun("drop tail") == "Drop tail"
    assert all(of_value(name) == name for name in SMALL)


def test_what_people_notice_is_told_by_metric_and_flow() -> None:
    tiers = {
        "call.loss": Tier.CALLS,
        "call.mos": Tier.CALLS,
        "bulk.loss": Tier.OTHER,
        "loss": Tier.OTHER,
        "web.pages.response_time_s.p95": Tier.WEB,
        "call.delay_s.p95": Tier.DELAY,
        "bulk.goodput_bps": Tier.GOODPUT,
        "goodput_bps.jain": Tier.FAIRNESS,
        "ap.retry_rate": Tier.OTHER,
    }
    assert {name: noticed(name, FLOWS).tier for name in tiers} == tiers
    given = ("link.0.delay", "cell.0.stations", "channel.ber_bad", "node.car.position")
    assert all(map(is_given, given))
    assert not any(map(is_given, ("link.0.queue.packets", "tcp.variant", "mac.retry_limit")))


def test_calls_answer_before_a_goodput_that_differs_more() -> None:
    loss = candidate("call.loss", {"": {"fifo": 0.06, "fair": 0.02}})
    goodput = candidate("goodput_bps", {"": {"fifo": 10e6, "fair": 1e6}})
    found = choose([loss, goodput])
    assert (found.kind, found.candidate) == (Kind.DECIDED, loss)
    assert found.split is not None
    assert found.split.best == ("fair",)
    assert said([loss, goodput]) == (
        "Fair. With it call loses 2 % of its packets; with fifo: 6 %. Goodput is 90 % lower: that is the price."
    )


def test_of_several_metrics_of_calls_the_largest_ratio_answers() -> None:
    mos = candidate("call.mos", {"": {"fifo": 2.0, "fair": 4.0}})
    loss = candidate("call.loss", {"": {"fifo": 0.12, "fair": 0.02}})
    for known in ([mos, loss], [loss, mos]):
        assert choose(known).candidate is loss
    assert choose([mos, loss], "call.mos").candidate is mos


def test_what_nobody_notices_answers_last() -> None:
    loss = candidate("call.loss", {"": {"fifo": 0.004, "fair": 0.001}})
    goodput = candidate("goodput_bps", {"": {"fifo": 3e6, "fair": 2e6}})
    assert choose([loss, goodput]).candidate is goodput
    assert "Nobody notices that: it is less than 1 %." in said([loss])


def test_a_sign_must_be_the_same_in_all_cells_of_other_axes() -> None:
    same = {"a": {"fifo": 0.10, "fair": 0.02}, "b": {"fifo": 0.20, "fair": 0.05}}
    assert choose([candidate("call.loss", same)]).kind is Kind.DECIDED
    turned = {"a": {"fifo": 0.10, "fair": 0.02}, "b": {"fifo": 0.02, "fair": 0.10}}
    goodput = candidate("goodput_bps", {x: {"fifo": 1e6, "fair": 2e6} for x in "ab"})
    assert choose([candidate("call.loss", turned), goodput]).candidate is goodput
    assert said([candidate("call.loss", turned)]) == (
        "It depends. Loss of call is lowest for fair where TCP window is a and for fifo where TCP window is b."
    )


def test_where_it_depends_all_that_the_best_does_not_beat_are_named() -> None:
    cells = {
        "a": {"fifo": values(10e6, 1, 0.3), "fair": values(9.5e6, 2, 0.3), "red": 2e6},
        "b": {"fifo": 2e6, "fair": values(10e6, 3, 0.3), "red": values(10.5e6, 4, 0.3)},
    }
    assert said([candidate("goodput_bps", cells)]) == (
        "It depends. Goodput is highest for fifo or fair where TCP window is a and for fair or RED where TCP "
        "window is b."
    )


def test_numbers_that_read_alike_are_told_by_their_difference() -> None:
    goodput = candidate("goodput_bps", {"": {"fifo": 1.66e6, "fair": 1.74e6}})
    assert said([goodput]) == "Fair. With it goodput is 5.3 % higher than with fifo."


def test_cells_in_which_it_is_not_decided_are_told() -> None:
    equal = values(0.05, 1)
    cells = {
        "a": {"fifo": 0.10, "fair": 0.02},
        "b": {"fifo": equal, "fair": equal},
        "c": {"fifo": 0.20, "fair": 0.02},
    }
    told = said([candidate("call.loss", cells)])
    assert "it is the same where TCP window is b" in told
    assert choose([candidate("call.loss", cells)]).kind is Kind.MOSTLY


def test_settings_between_the_best_and_the_rest_are_told() -> None:
    wide = np.concatenate([np.zeros(17), np.full(3, 1.2)])
    cells = {"": {"fifo": 0.20, "red": wide, "fair": 0.02}}
    told = said([candidate("call.loss", cells)])
    assert told.startswith("Fair. With it call loses 2 % of its packets; with fifo: 20 %.")
    assert "RED is undecided between them." in told


def test_a_mean_of_zero_is_a_number_and_no_ratio() -> None:
    cells = {"": {"fifo": 0.1, "fair": np.zeros(20)}}
    goodput = {"": {"fifo": 1e6, "fair": np.zeros(20)}}
    told = said([candidate("call.loss", cells), candidate("goodput_bps", goodput)])
    assert "loses none of its packets; with fifo: 10 %" in told
    assert "Goodput is 100 % lower" in told or "0 Mbit/s, against 1 Mbit/s" in told
    assert "endless" not in told


def test_nothing_decided_says_how_many_runs_would_tell() -> None:
    cells = {"": {"fifo": values(0.1, 1, 0.5), "fair": values(0.095, 2, 0.5)}}
    known = candidate("call.loss", cells)
    found = choose([known])
    assert found.kind is Kind.UNDECIDED
    assert found.needed is not None
    assert found.needed > 20
    count = rounded(found.needed)
    assert said([known]) == (
        "Undecided. 20 runs of each cell do not show for which queue discipline loss of call is lowest. "
        f"Fair looks best: about {count} runs of each cell would tell."
    )


def test_nothing_decided_is_said_of_what_people_would_notice() -> None:
    mos = candidate("call.mos", {"": {"a": np.array([4.302] * 4 + [4.1]), "b": np.full(5, 4.302)}})
    waits = candidate(
        "web.pages.response_time_s.mean",
        {"": {"a": values(1.9, 1, 0.6), "b": values(1.7, 2, 0.6)}},
    )
    assert choose([mos, waits]).candidate is waits
    assert choose([mos]).candidate is mos


def test_the_average_over_other_axes_decides_where_no_cell_does() -> None:
    noisy = {
        x: {"fifo": values(0.1, n, 0.5), "fair": values(0.08, n + 50, 0.5)}
        for n, x in enumerate("abcdef")
    }
    averaged = candidate("call.loss", {"": {"fifo": 0.11, "fair": 0.09}})
    known = candidate("call.loss", noisy, mean=averaged, level=0.9999)
    assert choose([known]).kind is Kind.AVERAGED
    assert (
        "With it, on average over 6 settings of the other axes, loss of call is 18 % lower than with fifo."
        in said([known])
    )


def test_the_same_is_what_is_shown_to_be_within_the_margin() -> None:
    base = values(2e6, 1)
    known = candidate("goodput_bps", {"": {"fifo": base, "fair": base * 1.001}})
    assert choose([known]).kind is Kind.SAME
    assert said([known]) == (
        "No difference. Goodput is the same within 2 % with fifo and fair: 2 Mbit/s."
    )
    loss = candidate("call.loss", {"": {"fifo": 0.1, "fair": 0.02}})
    assert said([loss, known]).endswith("Goodput is the same within 2 %.")


def test_by_what_else_the_best_are_worse_is_told() -> None:
    loss = candidate("call.loss", {"": {"fifo": 0.1, "fair": 0.02}})
    delay = candidate("call.delay_s.p95", {"": {"fifo": 0.02, "fair": 0.2}})
    assert said([loss, delay]).endswith(
        "But the 95th percentile of call's delay is 200 ms, against 20 ms."
    )


def test_a_goodput_does_not_answer_while_calls_seem_to_suffer() -> None:
    cells = {"": {"fifo": values(0.12, 1, 1.5), "fair": values(0.05, 2, 0.1)}}
    delay = candidate("call.delay_s.p95", cells, level=0.99999)
    goodput = candidate("goodput_bps", {"": {"fifo": 5e6, "fair": 4e6}})
    lossless = candidate("call.loss", {"": {"fifo": np.zeros(20), "fair": np.zeros(20)}})
    assert choose([delay]).kind is Kind.UNDECIDED
    found = choose([lossless, delay, goodput])
    assert (found.kind, found.candidate) == (Kind.UNDECIDED, delay)
    told = said([lossless, delay, goodput])
    assert "the 95th percentile of call's delay is lowest. Fair looks best" in told
    assert told.endswith(
        "Decided is only this: with fifo goodput is 5 Mbit/s; with fair: 4 Mbit/s."
    )
    assert choose([lossless, delay, goodput], "goodput_bps").candidate is goodput


def test_what_is_noticed_sooner_answers_where_it_is_known_in_a_part() -> None:
    noisy = {"fifo": values(0.12, 1, 1.5), "fair": values(0.05, 2, 0.1)}
    cells = {"a": {"fifo": 0.12, "fair": 0.05}, "b": noisy, "c": noisy}
    delay = candidate("call.delay_s.p95", cells, level=0.99999)
    goodput = candidate("goodput_bps", {x: {"fifo": 5e6, "fair": 4e6} for x in "abc"})
    found = choose([delay, goodput])
    assert (found.kind, found.candidate, found.watched) == (Kind.PARTLY, delay, goodput)
    assert said([delay, goodput]).startswith("Fair. With it the 95th percentile of call's delay")


def test_a_metric_that_is_known_of_some_settings_only_is_left_out_there() -> None:
    goodput = candidate("goodput_bps", {"": {"fifo": 5e6, "red": 4e6, "fair": 3e6}})
    delay = candidate("call.delay_s.p95", {"": {"red": 0.03, "fair": 0.03}})
    assert said([delay, goodput]).startswith("Fifo. With it goodput is 5 Mbit/s")
    assert "delay is not known there." in said([delay, goodput])


def test_of_more_cells_than_can_be_judged_the_average_is() -> None:
    cells = {x: {"fifo": 0.10, "fair": 0.02} for x in "abcdefghijklmn"}
    averaged = candidate("call.loss", {"": {"fifo": 1.6, "fair": 0.4}})
    goodput = candidate("goodput_bps", {x: {"fifo": 1e6, "fair": 1e6} for x in cells})
    known = candidate("call.loss", cells, mean=averaged, by_mean=True)
    assert known.words == {}
    assert choose([known, goodput]).kind is Kind.AVERAGED
    assert "loss of call is 75 % lower than with fifo" in said([known, goodput])


def test_a_counter_answers_without_saying_what_is_best() -> None:
    known = candidate("bulk.retransmits", {"": {"reno": 90.0, "cubic": 30.0}})
    assert said([known]) == (
        "What matters: queue discipline. With CUBIC retransmissions of bulk are 30; with Reno: 90."
    )


def drawn(known: Candidate) -> list[list[str]]:
    """Return the classes of the settings in each panel of a candidate's chart, the best setting first."""
    made = chart(Answer("", choose([known]), ("x",), speak(known.metric), {}))
    assert made is not None
    return [[row["colour"] for row in panel["rows"]] for panel in made["panels"]]


@pytest.mark.parametrize("means", [(18.5, 19.31), (103.2, 104.1), (0.012, 0.31), (941.0, 12.0)])
def test_the_chart_s_ticks_and_means_stand_where_they_say(means: tuple[float, float]) -> None:
    known = candidate("goodput_bps", {"": {"a": 1e6 * means[0], "b": 1e6 * means[1]}})
    made = chart(Answer("", choose([known]), ("x",), speak(known.metric), {}))
    assert made is not None
    ticks = [(place, float(said.replace(",", ""))) for place, said in made["ticks"]]
    (low, least), *_, (high, most) = ticks
    for place, said in ticks:
        assert place == pytest.approx(low + (high - low) * (said - least) / (most - least), abs=0.1)
    shown = [row["text"] for row in made["panels"][0]["rows"]]
    assert len(set(shown)) == len(shown)


def test_the_chart_shows_what_is_shown_in_each_cell() -> None:
    won = {"fifo": 0.10, "fair": 0.02}
    equal = {"fifo": values(0.05, 1), "fair": values(0.05, 1)}
    assert drawn(candidate("call.loss", {"a": won, "b": won, "c": equal})) == [
        ["good", "bad"],
        ["good", "bad"],
        ["open", "open"],
    ]
    turned = {"fifo": 0.02, "fair": 0.10}
    assert sorted(drawn(candidate("call.loss", {"a": won, "b": turned}))) == [
        ["bad", "good"],
        ["good", "bad"],
    ]
    assert drawn(candidate("call.loss", dict.fromkeys("abcdefghijklm", won))) == [["good", "bad"]]


def test_numbers_have_two_digits() -> None:
    assert [digits(x) for x in (941.5, 0.00766, -3.0, 16600.0)] == ["940", "0.0077", "−3", "17,000"]
    assert change([1.9, 8.31]) == "1.9 to 8.3 times as high"
    assert change([1.035, 11.2]) == "3.5 % higher to 11 times as high"
    assert change([0.7, 0.88]) == "12 to 30 % lower"
    assert change([0.95, 1.03]) == "5 % lower to 3 % higher"
    assert rounded(1171) == "1,200"


def test_of_many_runs_some_are_drawn_the_ends_among_them() -> None:
    values = np.random.default_rng(1).permutation(5_000).astype(float).tolist()
    drawn = answer_chart._some(values)
    assert len(drawn) == answer_chart.MOST_RUNS
    assert (drawn[0], drawn[-1]) == (0.0, 4_999.0)
    assert max(np.diff(drawn)) < 52
    assert answer_chart._some(values[:100]) == tuple(values[:100])


@pytest.mark.parametrize(
    ("metric", "verb"),
    [
        ("packets_sent", "are"), ("voice.late", "are"), ("ap.retry_drops", "are"), ("limits.queue_drops", "are"),
        ("goodput", "is"), ("jain", "is"), ("delay_s.p95", "is"), ("limits.sender.receiver_share", "is"),
        ("measured.marked", "is"),
    ],
)  # fmt: skip
def test_several_things_are_and_one_is(metric: str, verb: str) -> None:
    assert spoken(metric, (1.0, "")).verb == verb
