"""`lasthop validate`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from commands import Word, lasthop
from lasthop.errors import UsageError
from lasthop_validation import COMPARISONS, choose, oracles, wired
from lasthop_validation.running import compare


def validate(*arguments: Word) -> subprocess.CompletedProcess[str]:
    return lasthop("validate", *arguments)


def test_json_has_every_number_of_a_check() -> None:
    ran = validate("queues", "--quick", "--json")
    document = json.loads(ran.stdout)
    assert [each["comparison"] for each in document["comparisons"]] == ["queues"]
    assert ran.returncode == (0 if document["pass"] else 1)
    for check in document["checks"]:
        assert {"name", "measured", "expected", "bound", "pass", "reason"} <= check.keys()
        assert check["comparison"] == "queues"


def test_the_table_counts_what_it_shows() -> None:
    ran = validate("queues", "--quick")
    assert "against ns-3.37" in ran.stdout
    assert "21 checks: 21 ok, 0 undecided, 0 off" in ran.stdout


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


DCF_NS3 = "scenario,phy,rate,ack,N,L,rts,metric,mean,std,n_seeds,sim_seconds\n"


def of_ns3(folder: Path, *rows: str, header: str = DCF_NS3) -> Path:
    """Write a table of ns-3's saturated cells."""
    (folder / "ns3").mkdir()
    (folder / "ns3" / "dcf.csv").write_text(header + "\n".join(rows))
    return folder


def test_the_rate_of_acks_is_the_row_s(tmp_path: Path) -> None:
    # One station, 1000 B: DIFS 50, mean backoff 310, PLCP 192 + 1064 B at 11, SIFS 10, ACK 192 + 14 B.
    def closed(ack: float) -> float:
        return 8000 / (50 + 310 + 192 + 8 * 1064 / 11 + 10 + 192 + 112 / ack)

    rows = [f"B_dcf_b11,b,11,{ack},1,1000,0,tput_mbps,{closed(ack):.5f},0,3,6" for ack in (1, 2)]
    with oracles.reading(of_ns3(tmp_path, *rows)):
        compared = compare("dcf_ns3")
    assert [check.name.partition(": ")[0] for check in compared.checks] == [
        "802.11b 11 Mbit/s, 1 stations, 1000 B, no RTS",
        "802.11b 11 Mbit/s, 1 stations, 1000 B, no RTS, control frames at 2 Mbit/s",
    ]
    assert all(abs(check.difference) < 0.005 for check in compared.checks)


def test_rows_that_cannot_be_compared_are_left_out_and_named(tmp_path: Path) -> None:
    good = "mine,b,11,1,2,500,0,tput_mbps,3.5,0,1,2"
    rows = [
        good,
        good.replace("mine,b", "mine,n"),
        good.replace("3.5", "fast").replace("mine", "other"),
        good.replace("3.5", "0").replace("mine", "third"),
        good.replace("tput_mbps", "delay").replace("mine", "fourth"),
    ]
    ran = validate("dcf_ns3", "--oracles", str(of_ns3(tmp_path, *rows)), "--json")
    document = json.loads(ran.stdout)
    assert len(document["checks"]) == 1
    for said, what in zip(
        document["comparisons"][0]["left_out"],
        (
            "line 3: phy 'n': not compared; known: 'b', 'a'",
            "line 4: mean 'fast': a number is expected",
            "line 5: mean '0': nothing can be compared with zero",
            "line 6: of this configuration no metric 'tput_mbps'; there are: delay",
        ),
        strict=True,
    ):
        assert said.startswith(f"ns3/dcf.csv, {what}")


def test_a_table_without_a_column_is_not_compared_and_says_why(tmp_path: Path) -> None:
    header = DCF_NS3.replace("ack,", "")
    folder = of_ns3(tmp_path, "mine,b,11,2,500,0,tput_mbps,3.5,0,1,2", header=header)
    ran = validate("dcf_ns3", "dcf_ns2", "--oracles", str(folder))
    assert ran.returncode == 1
    said = " ".join(ran.stdout.split())
    assert "not compared: ns3/dcf.csv: no column 'ack'; there are: scenario, phy," in said
    assert said.endswith("skipped: dcf_ns2; not compared: dcf_ns3")


def test_a_law_that_is_not_known_leaves_its_rows_out(tmp_path: Path) -> None:
    (tmp_path / "ns2").mkdir()
    rows = [
        f"{v},10,0,ack,{m},9e6,0,1"
        for v in ("renp", "reno")
        for m in ("ss_goodput_bps", "ss_rexmt_pkts")
    ]
    header = "variant,Q,p,sink,metric,mean,std,n_seeds"
    (tmp_path / "ns2" / "wired.csv").write_text("\n".join([header, *rows]))
    with oracles.reading(tmp_path), oracles.noting() as left_out:
        found = wired.cases(quick=False)
    assert next(case.name for case in found) == "reno, queue 10, loss 0, ack"
    assert len(left_out) == 1
    assert left_out[0].endswith("did you mean 'reno'?")


def test_a_folder_of_references_that_is_none_is_named(tmp_path: Path) -> None:
    ran = validate("channel", "--oracles", str(tmp_path / "none"))
    assert ran.returncode == 2
    assert "none: is no folder" in ran.stderr
