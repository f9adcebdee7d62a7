"""Advice about a delay: the numbers beside it, the findings, and when it is worthless."""

from __future__ import annotations

from pathlib import Path

import lasthop
from commands import lasthop as command

#: Three times what the wire carries: most is lost, and what arrives has waited for little.
FLOODED = """
duration = "6 s"
warmup = "1 s"
link = [{ ends = ["a", "b"], rate = "100 kbps", delay = "10 ms" }]
[[flow]]
name = "call"
from = "a"
to = "b"
transport = "udp"
app = { kind = "cbr", rate = "300 kbps", payload = "200 B" }
"""

CALL = FLOODED.replace("100 kbps", "1 Mbps").replace(
    '{ kind = "cbr", rate = "300 kbps", payload = "200 B" }',
    '{ kind = "voice", deadline = "500 ms" }',
)

QUEUES = {"queue.packets": [2, 20]}


def test_a_delay_that_is_kept_by_losing_is_worthless() -> None:
    advice = lasthop.advise(FLOODED, choose=QUEUES, minimise="call.delay.p95", most=6)
    assert advice.recommended is not None
    assert advice.recommended.setting == {"queue.packets": 2}
    assert advice.recommended.measured["call.loss"].mean > 0.6
    (why,) = advice.doubts
    assert "packets that arrive" in why
    assert " % are lost" in why
    assert "call.loss < 2%" in why
    assert f"This answer is worthless: {why}" in str(advice)
    assert advice.as_dict()["worthless_because"] == [why]
    assert "survivors" in [each.rule for each in advice.noticed]


def test_with_a_limit_on_loss_it_is_not() -> None:
    wider = FLOODED.replace("100 kbps", "400 kbps")
    advice = lasthop.advise(
        wider, choose=QUEUES, maximise="call.goodput", subject_to="call.delay.p95 < 100 ms", most=6
    )
    assert advice.doubts == ()
    assert "worthless" not in str(advice)
    other = lasthop.advise(FLOODED, choose=QUEUES, maximise="call.goodput", most=6)
    assert other.doubts == ()  # nobody asked for a delay
    assert other.wish.beside == ()


def test_a_limit_that_none_keeps_to_says_how_near_they_come() -> None:
    advice = lasthop.advise(
        FLOODED, choose=QUEUES, maximise="call.goodput", subject_to="call.delay.p95 < 5 ms", most=20
    )
    assert advice.impossible
    (why,) = advice.doubts
    assert why.startswith("Every option is beyond the limit. The nearest, queue.packets=2, has ")
    assert "(limit: 5 ms)" in why


def test_a_call_that_nobody_bears_is_no_advice(tmp_path: Path) -> None:
    advice = lasthop.advise(CALL, choose=QUEUES, minimise="call.delay.p95", most=6)
    assert advice.wish.beside == ("call.loss", "call.unusable", "call.mos")
    (why,) = advice.doubts
    assert "a MOS of 2.4" in why
    (tmp_path / "call.toml").write_text(CALL)
    words = [
        "advise",
        "call.toml",
        "--choose",
        "queue.packets=2,20",
        "--minimise",
        "call.delay.p95",
    ]
    shown = command(*words, "--most", "6", cwd=tmp_path).stdout
    assert "This answer is worthless: A call of call has a MOS of 2.4" in " ".join(shown.split())
    for heading in ("unusable", "MOS", "Findings about the recommended setting"):
        assert heading in shown
