"""`lasthop validate`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

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


def test_another_folder_of_references_is_read_in_place_of_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "ns2").mkdir()
    header = "N,payload,rts,dataRate,basicRate,scenario,metric,mean,std,n_seeds,sim_seconds"
    row = "1,700,0,11Mb,1Mb,mine,{},{},0,2,2"
    metrics = {"thr_bps": 4e6, "fail_prob_per_attempt": 0, "att_per_success": 1, "pkts_per_s": 700,
               "jain": 1}  # fmt: skip
    rows = [row.format(name, mean) for name, mean in metrics.items()]
    (tmp_path / "ns2" / "dcf.csv").write_text("\n".join([header, *rows]))
    ran = validate("dcf_ns2", "dcf_ns3", "--oracles", str(tmp_path), "--json")
    document = json.loads(ran.stdout)
    names = [check["name"] for check in document["checks"]]
    assert names[0] == "1 stations, 700 B, no RTS, 11Mbit/s, basic 1Mbit/s: throughput"
    assert len(names) == 3
    assert [each["skipped"] for each in document["comparisons"]] == [False, True]


def test_a_folder_of_references_that_is_none_is_named(tmp_path: Path) -> None:
    ran = validate("channel", "--oracles", str(tmp_path / "none"))
    assert ran.returncode == 2
    assert "none: is no folder" in ran.stderr
