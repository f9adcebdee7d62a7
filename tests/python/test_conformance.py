"""`lasthop conformance`: verdicts, exit codes, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commands import lasthop

OWN = Path(__file__).parent / "cases" / "westwood_step.json"
VECTORS = next(
    (
        folder
        for above in Path(__file__).resolve().parents
        if (folder := above / "shared" / "oracles" / "vectors").is_dir()
    ),
    None,
)


def broken(tmp_path: Path) -> Path:
    """Write our case with an estimate that no filter gives."""
    document = json.loads(OWN.read_text())
    document["cases"][0]["expect"]["estimate"][2] = 999
    path = tmp_path / "westwood_filter_broken.json"
    path.write_text(json.dumps(document))
    return path


def differing(tmp_path: Path) -> Path:
    """Write a case of EDCA, which is not modelled: its backoff ends otherwise here."""
    timing = {"slot_us": 1, "sifs_us": 3, "eifs_minus_difs_minus_sifs_us": 0, "ack_timeout_us": 20}
    events = [
        {"kind": "rx_ok", "at_us": 10, "dur_us": 10},
        {"kind": "access_request", "at_us": 12, "tx_us": 2, "queue": 0, "ack": "ok_immediate"},
        {"kind": "draw_backoff", "at_us": 12, "slots": 4, "queue": 0},
    ]
    case = {
        "id": "edca-own",
        "in": {**timing, "aifsn_per_queue": [1], "events": events},
        "expect": [{"grant_at_us": 99, "queue": 0}],
    }
    path = tmp_path / "edca_access_timing.json"
    path.write_text(json.dumps({"cases": [case]}))
    return path


def test_a_file_of_our_own_passes() -> None:
    done = lasthop("conformance", OWN, "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    case = {"id": "step", "file": "westwood_step.json", "verdict": "pass", "reason": ""}
    assert document == {
        "cases": [case],
        "totals": {"cases": 1, "pass": 1, "differs": 0, "fail": 0},
    }


def test_a_failure_ends_with_1_and_says_why(tmp_path: Path) -> None:
    done = lasthop("conformance", OWN, broken(tmp_path), "--json")
    assert done.returncode == 1
    document = json.loads(done.stdout)
    assert document["totals"] == {"cases": 2, "pass": 1, "differs": 0, "fail": 1}
    assert "999" in document["cases"][1]["reason"]
    shown = lasthop("conformance", OWN, broken(tmp_path))
    assert shown.returncode == 1
    assert " instead of 999" in " ".join(shown.stdout.split())
    assert "all" in shown.stdout


def test_a_difference_is_no_failure(tmp_path: Path) -> None:
    done = lasthop("conformance", differing(tmp_path), "--json")
    assert done.returncode == 0, done.stdout
    (case,) = json.loads(done.stdout)["cases"]
    assert case["verdict"] == "differs"
    assert "802.11e is not modelled" in case["reason"]


def test_scripts_of_older_kernels_are_counted_apart(tmp_path: Path) -> None:
    syn = {"t": 0, "kind": "segment_in", "flags": "SYN", "seq": 0, "win": 1000, "mss": 1000}
    reply = {"t": 0, "kind": "segment_out", "flags": "SYN ACK", "seq": 0, "ack": 1}
    new = {"id": "new", "events": [syn, reply]}
    old = {**new, "id": "old", "stack_settings": {"kernel": "3.0"}}
    path = tmp_path / "packetdrill_mine.json"
    path.write_text(json.dumps({"cases": [new, old, {**old, "id": "second"}]}))
    document = json.loads(lasthop("conformance", path, "--json").stdout)
    groups = {case["id"]: case["group"] for case in document["cases"]}
    assert groups == {"new": "today's kernels", "old": "older kernels", "second": "older kernels"}
    shown = [line.split() for line in lasthop("conformance", path).stdout.splitlines()]
    assert ["packetdrill_mine.json", "3", "3", "0", "0"] in shown
    assert ["today's", "kernels", "1", "1", "0", "0"] in shown
    assert ["older", "kernels", "2", "2", "0", "0"] in shown


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("none.json", None, "no such file"),
        ("text.json", b"hello", "text.json: error: expected value"),
        ("binary.json", b"\xff\xfe", "not UTF-8 text"),
        ("other.json", b'{"cases": [{"a": 1}]}', "names begin with: packetdrill_"),
        ("cubic_quic.json", b"{}", 'no list of "cases"'),
    ],
)
def test_what_is_no_file_of_cases_is_refused(
    tmp_path: Path, name: str, content: bytes | None, says: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    done = lasthop("conformance", OWN, path, tmp_path, "--json")
    assert done.returncode == 2
    assert says in done.stderr
    assert "is a directory" in done.stderr, "all that is wrong is said at once"
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_no_file_is_refused() -> None:
    done = lasthop("conformance")
    assert done.returncode == 2
    assert "name at least one" in done.stderr


@pytest.mark.parametrize(
    "file",
    [
        "packetdrill_google.json", "packetdrill_freebsd_receiver.json", "ns3_congestion.json",
        "ns3_trajectories.json", "cubic_quic.json", "westwood_filter.json", "bbr_behaviour.json",
    ],
)  # fmt: skip
def test_no_case_of_other_suites_fails(file: str) -> None:
    if VECTORS is None:
        pytest.skip("no shared/oracles/vectors beside the project")
    done = lasthop("conformance", VECTORS / file, "--json")
    document: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == 0, [c for c in document["cases"] if c["verdict"] == "fail"]
    assert document["totals"]["cases"] > 0
