"""A sample of the comparisons with other simulators, where their numbers are there."""

from __future__ import annotations

import pytest

from lasthop.validation import oracles
from lasthop.validation.checking import Outcome
from lasthop.validation.running import compare


@pytest.mark.skipif(oracles.folder() is None, reason="no shared/oracles above the project")
@pytest.mark.parametrize("name", ["dcf_ns3", "dcf_ns2", "bianchi"])
def test_nothing_of_the_sample_is_off(name: str) -> None:
    compared = compare(name, quick=True)
    assert compared.checks
    wrong = [check for check in compared.all_checks() if check.outcome is Outcome.OFF]
    assert not wrong
