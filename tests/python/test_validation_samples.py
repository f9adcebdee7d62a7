"""A sample of the comparisons with other simulators, where their numbers are there."""

from __future__ import annotations

import pytest

from lasthop_validation import known, oracles
from lasthop_validation.checking import Outcome
from lasthop_validation.handoff_capture import more
from lasthop_validation.running import How, compare


@pytest.mark.skipif(oracles.folder() is None, reason="no shared/oracles above the project")
@pytest.mark.parametrize("name", ["dcf_ns3", "dcf_ns2", "bianchi"])
def test_nothing_of_the_sample_is_off(name: str) -> None:
    compared = known.read().explained(compare(name, How(quick=True)))
    assert compared.checks
    assert not known.read().unknown(compared)


def test_handoffs_are_in_captures_what_they_are_in_results() -> None:
    compared = compare("handoff", How(quick=True))
    assert len(compared.checks) == 6 * 6 + 3 + 8
    assert [check.name for check in compared.checks if check.outcome is not Outcome.OK] == []


def test_a_packet_that_comes_twice_is_seen() -> None:
    sent = [bytes([number]) * 40 for number in (1, 2, 3)]
    assert more(sent[:2], sent) == 0
    assert more([*sent, sent[0]], sent) == 1
