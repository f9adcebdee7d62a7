"""`lasthop validate`."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from lasthop.errors import UsageError
from lasthop.validation import COMPARISONS, choose


def validate(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "lasthop", "validate", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def test_json_has_every_number_of_a_check() -> None:
    ran = validate("channel", "--quick", "--json")
    document = json.loads(ran.stdout)
    assert [each["comparison"] for each in document["comparisons"]] == ["channel"]
    assert ran.returncode == (0 if document["pass"] else 1)
    for check in document["checks"]:
        assert {"name", "measured", "expected", "bound", "pass", "reason"} <= check.keys()
        assert check["comparison"] == "channel"


def test_the_table_counts_what_it_shows() -> None:
    ran = validate("channel", "--quick")
    assert "closed form" in ran.stdout
    assert "4 checks: 4 ok, 0 undecided, 0 off" in ran.stdout


def test_a_name_that_is_none_gets_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'channel'"):
        choose(("chanel",))
    assert choose(()) == tuple(COMPARISONS)
