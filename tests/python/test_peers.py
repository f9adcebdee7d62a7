"""The scenarios of `make bench-peers` are scenarios. Nothing is timed here."""

from __future__ import annotations

import pytest

from lasthop import run
from lasthop_peers import comparing, page, scaling
from lasthop_peers.running import lasting

GROWING = {
    "stations": (scaling.stations("dcf", 3), 3),
    "places": (scaling.stations("medium", 3), 3),
    "classes": (scaling.classes(7), 100),
    "cells": (scaling.cells(2), 40),
    "flows": (scaling.flows(3), 3),
}


@pytest.mark.parametrize(("text", "flows"), GROWING.values(), ids=GROWING)
def test_what_is_scaled_runs(text: str, flows: int) -> None:
    document = run(lasting(text, 2.0)).documents[0]
    assert len(document["flows"]) == flows
    assert document["packets"]["delivered"] > 100


def test_what_is_compared_runs() -> None:
    for each in comparing.compared():
        document = run(lasting(each.text, 0.5)).documents[0]
        payload = {flow["goodput_bps"] * 0.5 / each.payload_bits for flow in document["flows"]}
        assert all(packets == pytest.approx(round(packets)) for packets in payload), each.name
        assert document["packets"]["delivered"] > 20, each.name


def test_readme_has_the_ratios_of_the_page() -> None:
    readme = page.README.read_text()
    assert "times as fast as in ns-3.37" in readme
    assert page.with_speeds(readme, (page.FOLDER / "performance.md").read_text()) == readme
