"""Findings about a run: each rule by a result that triggers it and one that does not."""

from __future__ import annotations

import tomllib
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from commands import lasthop
from lasthop import run
from lasthop.core.noticing import noticed, thresholds
from lasthop.core.noticing.queue_disciplines import of_queues

HERE = Path(__file__).parents[2] / "scenarios"


def flow(name: str, **changed: Any) -> dict[str, Any]:
    plain = {
        "name": name, "transport": "tcp", "active_goodput_bps": 1e6, "packets_sent": 1000,
        "packets_delivered": 1000, "packets_lost": {"queue": 0}, "delay_s": {"mean": 0.02, "p95": 0.04},
    }  # fmt: skip
    return plain | changed


def station(**changed: Any) -> dict[str, Any]:
    plain = {"cell": "cell", "name": "sta1", "attempts": 1000, "hidden": 0, "channel_errors": 0}
    return plain | {"cell_busy_share": 0.5} | changed


def queue(name: str, **changed: Any) -> dict[str, Any]:
    return {
        "name": name,
        "offered": 1000,
        "drops": 0,
        "mean_packets": 3.0,
        "max_packets": 50,
    } | changed


def plain() -> dict[str, Any]:
    return {
        "duration_s": 60.0,
        "measured_s": 50.0,
        "flows": [flow("one"), flow("two")],
        "stations": [station()],
        "queues": [queue("a"), queue("b")],
    }


CALL = {"transport": "udp", "mos": 2.3, "late": 0}

ODD: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "survivors": ("flows", flow("x", packets_delivered=320, packets_lost={"queue": 680}),
                  flow("x", packets_delivered=950, packets_lost={"queue": 50})),
    "starved": ("flows", flow("x", active_goodput_bps=2e4), flow("x", active_goodput_bps=2e5)),
    "full-queue": ("queues", queue("x", mean_packets=49.5, drops=9), queue("x", mean_packets=40.0)),
    "playout": ("flows", flow("x", **CALL), flow("x", **CALL | {"mos": 4.1})),
    "short-tail": ("flows", flow("x", packets_delivered=60), flow("x", packets_delivered=400)),
    "hidden-stations": ("stations", station(hidden=700), station(hidden=20)),
    "noisy-channel": ("stations", station(channel_errors=300), station(channel_errors=50)),
    "busy-medium": ("stations", station(cell_busy_share=0.98), station(cell_busy_share=0.8)),
}  # fmt: skip


OTHER_LINK = """
[[link]]
ends = ["router", "far"]
rate = "100 Mbps"
delay = "60 ms"
loss = 0.1
"""

TWO_DOWNLOADS = """
[[flow]]
name = "near"
from = "server"
to = "host"
app = "bulk"
[[flow]]
name = "far"
from = "server"
to = "far"
app = "bulk"
"""


def rules(summary: dict[str, Any]) -> set[str]:
    return {each.rule for each in noticed(summary)}


def test_a_plain_result_has_nothing_odd() -> None:
    assert noticed(plain()) == []


@pytest.mark.parametrize("rule", ODD)
def test_a_rule_tells_what_is_odd_and_no_more(rule: str) -> None:
    what, odd, common = ODD[rule]
    summary = plain()
    summary[what] = [*summary[what], odd]
    assert rules(summary) == {rule}
    (found,) = noticed(summary)
    assert any(letter.isdigit() for letter in found.what)
    assert found.why
    assert found.advice
    summary[what][-1] = common
    assert rules(summary) == set()


def test_a_start_that_is_measured_is_told() -> None:
    summary = plain() | {"measured_s": 60.0}
    assert rules(summary) == {"no-warm-up"}
    late = [flow("one", active_s=55.0), flow("two", active_s=20.0)]
    assert rules(summary | {"flows": late}) == set()
    summary["flows"] = [flow("page", objects={"finished": 3})]
    assert rules(summary) == set()


def test_mpdus_count_where_a_station_sends_aggregates() -> None:
    """An aggregate that brings one MPDU through has not failed."""
    access = {"cell": "cell", "category": "best_effort", "attempts": 1000}
    of = access | {"name": "sta1/best_effort", "mpdus": 30_000, "acknowledged": 9_000}
    (found,) = noticed(plain() | {"stations": [station(collisions=20)], "access": [of]})
    assert found.rule == "noisy-channel"
    assert "corrupts 68 % of the MPDUs of sta1" in found.what
    assert rules(plain() | {"access": [of | {"acknowledged": 29_000}]}) == set()


def test_a_queue_is_advised_only_to_a_flow_that_loses_in_one() -> None:
    others = [flow("one"), flow("two")]
    queues = [queue("a", drops=10)]
    lost = noticed(
        plain()
        | {
            "queues": queues,
            "flows": [*others, flow("x", active_goodput_bps=2e4, packets_lost={"queue": 9})],
        }
    )
    assert "at a, which drops the most" in lost[0].advice
    none = noticed(
        plain() | {"queues": queues, "flows": [*others, flow("x", active_goodput_bps=2e4)]}
    )
    assert none[0].advice == "Look at its losses and timeouts by cause."


def test_large_numbers_have_all_their_digits() -> None:
    (found,) = noticed(plain() | {"queues": [queue("x", mean_packets=2_345.6, max_packets=2_400)]})
    assert "on average 2,346 of at most 2,400 packets wait" in found.what


def test_a_run_too_short_for_a_warm_up_is_advised_to_be_longer() -> None:
    (found,) = noticed(plain() | {"duration_s": 60.0, "measured_s": 60.0})
    assert found.advice.startswith("Set warmup")
    (found,) = noticed(plain() | {"duration_s": 5.0, "measured_s": 5.0})
    assert found.advice.startswith("Set a longer duration, with warmup")


def spread(value: Any) -> Any:
    """Return a result of one run in the shape of one of five."""
    if isinstance(value, dict):
        return {key: spread(each) for key, each in value.items()}
    if isinstance(value, list):
        return [spread(each) for each in value]
    return value if isinstance(value, str) else {"mean": value, "ci95": 0.0, "n": 5}


def test_replications_are_advised_where_there_are_none() -> None:
    summary = plain()
    summary["flows"].append(ODD["short-tail"][1])
    (of_one,), (of_several,) = noticed(summary), noticed(spread(summary))
    assert "run several replications" in of_one.advice
    assert "run several replications" not in of_several.advice
    assert of_several.advice.startswith("Simulate longer: ")


@pytest.mark.parametrize("rule", ODD)
def test_findings_name_no_option_of_the_command_line(rule: str) -> None:
    """The same words are in Python, on pages and in the browser."""
    what, odd, _ = ODD[rule]
    summary = plain()
    summary[what] = [*summary[what], odd]
    for found in noticed(summary):
        assert "--" not in str(found)


def test_means_of_several_runs_are_read_too() -> None:
    summary = plain()
    summary["flows"].append(deepcopy(ODD["survivors"][1]))
    assert noticed(spread(summary)) == noticed(summary)


def test_there_are_few_lines_however_odd_a_run_is() -> None:
    summary = plain() | {"measured_s": 60.0}
    for what, odd, _ in ODD.values():
        summary[what] = [*summary[what], odd]
    assert len(noticed(summary)) == thresholds.MOST
    assert noticed(summary)[0].rule == "survivors"


BEHIND = """
duration = "20 s"
warmup = "5 s"
[[link]]
ends = ["server", "router"]
rate = "4 Mbps"
delay = "10 ms"
queue = { packets = 20 }
[[link]]
ends = ["router", "host"]
rate = "100 Mbps"
delay = "1 ms"
[[flow]]
name = "f"
from = "server"
to = "host"
transport = "udp"
app = { kind = "cbr", rate = "8 Mbps", payload = "1000 B" }
"""


@pytest.mark.parametrize(("discipline", "aqm"), [("drop_tail", True), ("codel", False)])
def test_an_aqm_is_advised_only_where_there_is_none(discipline: str, aqm: bool) -> None:
    """CoDel does not empty a queue that a flow fills which does not slow down."""
    found = run(BEHIND, overrides={"link.0.queue.discipline": discipline}).noticed
    (advice,) = [each.advice for each in found if each.rule == "full-queue"]
    assert ("AQM" in advice) == aqm
    assert advice.startswith("Try a smaller queue")


def test_a_queue_that_drops_nothing_is_not_called_full() -> None:
    """A window of 60 packets, of which the path holds a fifth. The rest always wait, with room for more."""
    changes = {"tcp.window": "60 packets", "flow.0.transport": "tcp", "flow.0.app": "bulk"}
    found = run(BEHIND, overrides=changes | {"link.0.queue.packets": 500}).noticed
    (said,) = [each for each in found if each.rule == "full-queue"]
    assert "is long nearly all the time" in said.what
    assert "tcp.window" in said.advice


def test_a_queue_that_drops_acknowledgements_is_not_to_be_shorter() -> None:
    """Of 20 uploads through an access point with room for 50 acknowledgements."""
    ap = '[[node]]\nname = "ap"\nqueue = { packets = 50, discipline = "drop_tail" }\n'
    uploads = """
duration = "8 s"
warmup = "2 s"
[phy]
standard = "802.11g"
[[link]]
ends = ["server", "ap"]
rate = "100 Mbps"
delay = "10 ms"
[[cell]]
access_point = "ap"
stations = 20
[[flow]]
from = "sta*"
to = "server"
app = "bulk"
"""
    shared = run(uploads + ap)
    (said,) = [each for each in shared.noticed if each.rule == "full-queue"]
    assert "acknowledgements" in said.why
    assert said.advice.startswith("Try a queue that serves flows separately there (fq_codel)")

    def jain(of: str) -> float:
        return float(run(uploads + of, replications=3).summary["jain"]["mean"])

    assert jain(ap.replace("drop_tail", "fq_codel")) > 1.5 * jain(ap)
    assert jain(ap.replace("packets = 50", "packets = 10")) < jain(ap)


@pytest.mark.parametrize("discipline", ["drop_tail", "fq_codel"])
def test_a_fair_queue_is_advised_only_where_there_is_none(discipline: str) -> None:
    """One of two downloads loses a tenth of its packets behind the shared queue, which no discipline mends."""
    changes = {"link.0.queue.discipline": discipline}
    text = BEHIND.replace("[[flow]]", OTHER_LINK + "[[flow]]", 1).replace("8 Mbps", "10 kbps")
    found = run(text + TWO_DOWNLOADS, overrides=changes).noticed
    (advice,) = [each.advice for each in found if each.rule == "starved"]
    assert ("fq_codel" in advice) == (discipline == "drop_tail")
    assert advice.startswith("Look at its losses")


def test_advice_is_about_the_queue_that_it_names() -> None:
    """Another queue with a discipline changes nothing; the one that drops has none."""
    changes = {"link.1.queue.discipline": "fq_codel"}
    found = run(BEHIND, overrides=changes).noticed
    (advice,) = [each.advice for each in found if each.rule == "full-queue"]
    assert "an AQM (codel, pie) there" in advice
    text = BEHIND.replace("[[flow]]", OTHER_LINK + "[[flow]]", 1).replace("8 Mbps", "10 kbps")
    found = run(text + TWO_DOWNLOADS, overrides=changes).noticed
    (advice,) = [each.advice for each in found if each.rule == "starved"]
    assert advice.endswith("(fq_codel) at server>router, which drops the most.")


def test_each_queue_has_its_discipline() -> None:
    """Of all queues of shipped scenarios; a link's way back and a subscriber station have their own."""
    changes = {
        "two_stations": {"link.0.reverse_queue.discipline": "codel"},
        "wimax_backhaul": {"wimax.0.downlink_queue.discipline": "pie", "cell.1.queue.discipline": "red"},
        "wimax_downloads": {"wimax.0.uplink_queue.discipline": "pie"},
        "shared_lan": {},
    }  # fmt: skip
    found = {}
    for name, change in changes.items():
        result = run(HERE / f"{name}.toml", overrides={**change, "duration": "12 s"})
        names = [queue["name"] for queue in result.summary["queues"]]
        known = of_queues(names, tomllib.loads(result.asked.resolved()))
        # Queues of 802.16 services have tables of their own.
        assert known.keys() == {each for each in names if ":" not in each}, name
        found[name] = known
    assert found["two_stations"]["server>ap"] == "drop_tail"
    assert found["two_stations"]["ap>server"] == "codel"
    assert found["wimax_backhaul"]["wimax/bs>school"] == "pie"
    assert found["wimax_backhaul"]["wimax/school"] == "drop_tail"
    assert found["wimax_backhaul"]["school_wifi/school"] == "red"
    assert found["wimax_backhaul"]["cafe_wifi/cafe"] == "drop_tail"
    assert found["wimax_downloads"]["wimax/ss1"] == "pie"
    assert found["wimax_downloads"]["wimax/bs>ss1"] == "drop_tail"


def test_of_a_document_alone_advice_is_conditional() -> None:
    what, odd, _ = ODD["full-queue"]
    summary = plain()
    summary[what] = [*summary[what], odd]
    (found,) = noticed(summary)
    assert "where there is none" in found.advice


def test_rts_is_advised_where_it_is_not_in_use() -> None:
    def advice(rts: str) -> str:
        changes = {"duration": "10 s", "mac.rts": rts}
        found = run(HERE / "hidden_stations.toml", overrides=changes).noticed
        return next(each.advice for each in found if each.rule == "hidden-stations")

    assert "Try RTS/CTS" in advice("never")
    assert "Try RTS/CTS" in advice("2300 B"), "frames of 1,500 B go without"
    assert "RTS/CTS is in use" in advice("always")


def test_hidden_stations_are_noticed_in_python_and_in_the_terminal() -> None:
    short = {"duration": "10 s"}
    found = run(HERE / "hidden_stations.toml", overrides=short).noticed
    assert [each.rule for each in found][:2] == ["survivors", "hidden-stations"]
    done = lasthop("run", str(HERE / "hidden_stations.toml"), "--set", "duration=10 s")
    assert "Noticed" in done.stdout
    assert "collide with a hidden station" in " ".join(done.stdout.split())
    as_json = lasthop("run", str(HERE / "hidden_stations.toml"), "--set", "duration=10 s", "--json")
    assert "oticed" not in as_json.stdout
