"""Settings in words: what tables and pages say in place of keys and values of a file."""

from __future__ import annotations

import pytest

from lasthop.core import api
from lasthop.study import phrases


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ({"tcp.variant": "linux-cubic", "queue.packets": 50}, "Linux CUBIC, queue of 50 packets"),
        ({"cell.0.phy.fec.enabled": False, "mac.rts": True}, "FEC off, RTS/CTS on"),
        (
            {"mac.short_retry_limit": 7, "channel.per": 0.00001},
            "short retry limit 7, packet error rate 0.00001",
        ),
        ({"cell.0.stations": 1, "queue.bytes": "64 kB"}, "1 station, queue of 64 kB"),
        (
            {"link.0.rate": "2 Mbps", "link.1.rate": "9 Mbps"},
            "rate 2 Mbps of link 0, rate 9 Mbps of link 1",
        ),
        (
            {"flow.a.tcp.variant": "bbr", "flow.b.tcp.variant": "reno"},
            "BBR of flow a, Reno of flow b",
        ),
    ],
)
def test_settings_are_said_with_what_they_are_of(setting: dict[str, object], said: str) -> None:
    assert phrases.of_settings(setting) == said


def test_a_form_of_a_paper_goes_before_words() -> None:
    assert phrases.of_settings({"law": "reno", "window": 4}, {"law": "{}"}) == "reno, window 4"


def test_settings_that_differ_are_said_in_different_words() -> None:
    """Tables are kept by these words: what falls together would be lost."""
    names = [row["name"] for kind in ("variants", "queues") for row in api.catalogue()[kind]]
    for key in ("tcp.variant", "link.0.queue.discipline"):
        assert len({phrases.of_setting(key, name) for name in names}) == len(set(names))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("goodput_bps by link.0.queue.discipline", "goodput, by queue discipline"),
        ("goodput_bps by phy.fec.enabled", "goodput, by PHY FEC"),
    ],
)
def test_comparisons_are_said_in_words(name: str, said: str) -> None:
    assert phrases.of_comparison(name) == said


def test_a_law_of_one_s_own_is_told_from_the_one_whose_words_are_its_name() -> None:
    assert phrases.of_law("reno") == phrases.of_value("Reno") == "Reno"
    assert phrases.of_law("Reno") == "Reno (own)"
    assert phrases.of_law("Mine") == "Mine"
