"""The ledger of known differences, and what documents say of agreement."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from commands import lasthop
from lasthop.errors import UsageError
from lasthop_validation import known, measured, showing
from lasthop_validation.checking import Check, Outcome
from lasthop_validation.judging import Case, shared_of
from lasthop_validation.running import Compared

CAUSES = {"rounding": {"text": "it rounds", "shown_by": "the same without rounding"}}


def check(name: str, measured_: float, group: str = "goodput") -> Check:
    return Check(group, name, measured_, 1.0, 0.02, "a reason")


def compared(*checks: Check) -> Compared:
    return Compared("wired", "TCP", list(checks))


def ledger(*rows: tuple[str, str]) -> known.Ledger:
    made = [known.Known(("wired", "goodput", name), cause) for name, cause in rows]
    return known.Ledger({row.key: row for row in made}, CAUSES)


def test_what_is_off_and_not_in_the_ledger_is_told() -> None:
    ran = compared(check("near", 1.01), check("far", 1.1))
    assert [each.name for each in ledger().unknown(ran)] == ["far"]
    assert ledger(("far", known.NOT_FOUND)).unknown(ran) == []
    other_group = compared(replace(check("far", 1.1), group="window"))
    assert [each.name for each in ledger(("far", known.NOT_FOUND)).unknown(other_group)] == ["far"]


def test_what_is_in_the_ledger_and_no_longer_off_is_told() -> None:
    rows = ledger(("far", known.NOT_FOUND), ("not played", known.NOT_FOUND))
    assert rows.mended(compared(check("far", 1.1))) == []
    assert [row.key[2] for row in rows.mended(compared(check("far", 1.01)))] == ["far"]


def test_only_a_cause_that_was_shown_makes_a_row_differ() -> None:
    ran = compared(check("far", 1.1))
    (shown,) = ledger(("far", "rounding")).explained(ran).checks
    assert shown.outcome is Outcome.DIFFERS
    assert "the same without rounding" in shown.explained
    (suspected,) = ledger(("far", known.NOT_FOUND)).explained(ran).checks
    assert suspected.outcome is Outcome.OFF


def test_a_pattern_stands_for_its_rows_as_long_as_one_is_off() -> None:
    rows = ledger(("far *", known.NOT_FOUND))
    ran = compared(check("far 1", 1.1), check("far 2", 0.8), check("far 3", 1.01))
    assert rows.unknown(ran) == []
    assert rows.mended(ran) == []
    (row,) = rows.measured([ran]).rows.values()
    assert row.difference == pytest.approx(-0.2)
    assert len(rows.mended(compared(check("far 3", 1.01)))) == 1


def test_of_a_part_a_pattern_says_nothing_and_a_name_does() -> None:
    rows = ledger(("far *", known.NOT_FOUND), ("near", known.NOT_FOUND))
    ran = compared(check("far 3", 1.01), check("near", 1.01))
    assert [row.key[2] for row in rows.mended(ran, whole=False)] == ["near"]
    assert [row.key[2] for row in rows.mended(ran)] == ["far *", "near"]


def test_a_part_of_the_comparisons_is_not_written_into_the_documents(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("it was written")

    monkeypatch.setattr(known, "write", refused)
    monkeypatch.setattr(measured, "write", refused)
    showing._write([compared(check("near", 1.0)), Compared("kernel", "no references", [])])
    assert "Nothing was written into the documents: kernel could" in capsys.readouterr().err


def test_the_ledger_that_is_written_is_the_one_that_is_read(tmp_path: Path) -> None:
    file = tmp_path / "known.toml"
    rows = ledger(("far", "rounding"), ("farther", known.NOT_FOUND))
    file.write_text(rows.measured([compared(check("far", 1.12345678))]).text())
    again = known.read(file)
    assert again.text() == file.read_text()
    assert again.rows["wired", "goodput", "far"].difference == 0.1235


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ('cause = "rounding"', "a row without 'comparison'"),
        ('comparison = "a"\ngroup = "b"\nname = "c"\ncause = "roundin"', "no cause 'roundin'"),
    ],
)
def test_a_row_that_says_too_little_is_refused(tmp_path: Path, row: str, said: str) -> None:
    file = tmp_path / "known.toml"
    file.write_text(f'[causes.rounding]\ntext = "x"\nshown_by = "y"\n[[row]]\n{row}\n')
    with pytest.raises(UsageError, match=said):
        known.read(file)
    file.write_text('[causes.rounding]\ntext = "x"\n')
    with pytest.raises(UsageError, match="needs text and shown_by"):
        known.read(file)


def test_the_ledger_of_this_checkout_is_as_it_would_be_written() -> None:
    assert known.read().text() == known.FILE.read_text("utf-8")
    assert all(row.difference is not None for row in known.read().rows.values())


def test_the_ten_tenths_are_all_rows_with_their_own_seeds() -> None:
    def case(i: int) -> Case:
        text = f"# {i - (i % 3 == 2)}"  # the third has the runs of the second
        return Case("g", str(i), text, lambda run: 0.0, 1.0, 0.1, "")

    cases = [case(i) for i in range(64)]
    whole = shared_of(cases)
    parts = [shared_of(cases, tenth=tenth) for tenth in range(10)]
    seeds = {each.cases[0].name: each.jobs[0].seed for each in whole}
    found = {each.cases[0].name: each.jobs[0].seed for part in parts for each in part}
    assert found == seeds
    assert sum(len(part) for part in parts) == len(whole)


@pytest.mark.parametrize("document", measured.DOCUMENTS, ids=lambda path: str(path.parent.name))
def test_documents_say_of_agreement_what_was_measured(document: Path) -> None:
    text = document.read_text("utf-8")
    assert measured.MARKED.search(text)
    assert measured.filled(text, measured.read()) == text


def test_the_groups_that_were_measured_have_what_the_ledger_has() -> None:
    rows = known.read().rows
    groups = {(each["comparison"], each["group"]): each for each in measured.read()}
    off = {key for key, each in groups.items() if each["off"] or each["differs"]}
    listed = {key[:2] for key in rows if ": mean difference of" not in key[2]}
    assert off == listed
    tables = tomllib.loads(measured.TABLES.read_text("utf-8"))
    assert set(tables) == {"readme", "agreement"}


def test_a_tenth_beyond_the_last_is_refused() -> None:
    ran = lasthop("validate", "channel", "--tenth", "10")
    assert ran.returncode == 2
    assert "--tenth 10; allowed: 0 to 9" in ran.stderr
    ran = lasthop("validate", "channel", "--write")
    assert ran.returncode == 2
    assert "--write is of all comparisons" in ran.stderr
