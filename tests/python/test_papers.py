"""Papers as data, and the study of petrovic2003 on made-up runs."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure
from pyarrow import parquet
from rich.console import Console

from lasthop import papers, stats
from lasthop.errors import LasthopError, UsageError
from lasthop.figures import style
from lasthop.jobs import Interrupted, Job
from lasthop.papers.petrovic2003 import audit, design, judge, output, pictures, study, tables
from lasthop.papers.petrovic2003.collate import Samples, fair_parts
from lasthop.papers.petrovic2003.differences import differences
from lasthop.papers.petrovic2003.facts import Cell, choices, facts

Made = Callable[[Cell, int], list[float]]
"""Gives the goodput of the five stations of a cell in a replication, bit/s."""


def _run(rates: list[float], seed: int = 1, replication: int = 0) -> dict[str, Any]:
    flows = [
        {"name": f"bulk-{i}", "goodput_bps": rate, "packets_lost": {"retry": i}}
        for i, rate in enumerate(rates)
    ]
    return {"seed": seed, "replication": replication, "measured_s": 90.0, "flows": flows}


def _samples(made: Made, replications: int = 6) -> Samples:
    keys = [(s, r) for r in range(replications) for s in design.settings()]
    return Samples.of(keys, [_run(made(s.cell, r)) for s, r in keys])


def _as_claimed(cell: Cell, replication: int) -> list[float]:
    """Runs in which P1 to P4 all hold."""
    case = cell.case
    gain = 1.2 if cell.packet_bytes >= 1000 else 0.8
    total = cell.packet_bytes * (1 + cell.window) * (0.7 if case.rts else 1.0)
    total *= (gain if case.fec else 1.0) * (1 + 0.001 * replication)
    parts = [0.01, 1.0, 1.0, 1.0, 1.99] if case.rts else [1.0] * 5
    return [total * part for part in parts]


def test_the_facts_are_those_of_the_paper() -> None:
    paper = facts()
    assert len(paper.published) == 80
    assert paper.sizes == [100, 200, 500, 1000, 2000]
    assert paper.windows == [1, 2, 5, 10]
    # Four printed cells, one from each column.
    printed = {(c.packet_bytes, c.window, c.case.id): v for c, v in paper.published.items()}
    assert printed[100, 1, "rts_fec"] == 56.3
    assert printed[2000, 10, "norts_fec"] == 826.0
    assert printed[1000, 10, "rts_nofec"] == 227.6
    assert printed[100, 10, "norts_nofec"] == 97.7


def test_table_2_agrees_with_table_1_but_for_the_row_with_a_misprint() -> None:
    paper = facts()
    off = [abs(sum(row.kbps) - paper.published[row.cell]) > 0.05 for row in paper.shares]
    assert off == [False, False, False, True]


def test_every_unstated_value_has_a_reason() -> None:
    assert all(choice.taken and choice.reason for choice in choices())


def test_all_cells_share_seeds_and_each_sets_only_what_the_table_varies() -> None:
    plan = design.Plan(tuple(design.settings(exact_fec=False)), 2, seed=7)
    jobs = plan.jobs()
    assert len(jobs) == 160
    assert {(job.seed, job.replication) for job in jobs} == {(7, 0), (7, 1)}
    keys = {tuple(o.split("=")[0] for o in job.overrides) for job in jobs}
    assert keys == {("tcp.mss", "tcp.window", "mac.rts", "fec.enabled", "fec.model")}


def test_claims_hold_where_the_runs_show_them() -> None:
    assert {c["id"]: c["verdict"] for c in judge.judge(_samples(_as_claimed))} == {
        "P1": "holds",
        "P2": "holds",
        "P3": "holds",
        "P4": "holds",
    }


def test_claims_fall_where_the_runs_deny_them() -> None:
    def alike(cell: Cell, replication: int) -> list[float]:
        # Not to the last bit: six replications that are equal to it leave open what a seventh does.
        case = cell.case
        own = cell.window + 0.001 * cell.packet_bytes + 20 * case.rts + 40 * case.fec
        return [1e5 + replication + own] * 5

    assert {c["id"]: c["verdict"] for c in judge.judge(_samples(alike))} == {
        "P1": "contradicted",
        "P2": "contradicted",
        "P3": "contradicted",
        "P4": "cannot tell",  # nobody is starved
    }


def test_all_intervals_behind_a_claim_are_one_family() -> None:
    found = {c["id"]: c["evidence"] for c in judge.judge(_samples(_as_claimed))}
    steps, ends = found["P1"], found["P1"]["ends"]
    assert (steps["comparisons"], ends["comparisons"]) == (124, 36)
    assert steps["level_of_each"] == ends["level_of_each"] == stats.bonferroni(160)
    assert found["P3"]["level_of_each"] == stats.bonferroni(40)


def test_who_delivers_nothing_is_not_fair() -> None:
    assert fair_parts([0.0] * 5) == [0.0] * 5
    assert fair_parts([1.0, 3.0]) == [0.5, 1.5]
    cell = next(iter(facts().published))
    silent = _samples(lambda cell, replication: [0.0] * 5, replications=2)
    assert silent.starved(cell) == {0: True, 1: True}


def test_table_2_is_compared_by_jain_and_starvation_over_runs() -> None:
    rows = tables.fairness(_samples(_as_claimed))["rows"]
    assert [row["published_starved"] for row in rows] == [True] * 4
    # 0, 7.05, 13.6, 15.09, 20.54 kbit/s by hand: 56.28^2 / (5 * 884.25).
    assert rows[0]["published"] == pytest.approx(0.7165, abs=5e-4)
    ours = 5.0**2 / (5 * (0.01**2 + 3 + 1.99**2))
    assert rows[0]["median"] == pytest.approx(ours)
    assert (rows[0]["starved_runs"], rows[0]["n"]) == (6, 6)
    assert rows[0]["runs_as_unfair"] == (6 if ours <= rows[0]["published"] else 0)
    assert tables.jain([0.0, 0.0]) == 0.0


def test_the_papers_own_table_is_judged_by_the_same_words() -> None:
    own = {c["id"]: c["paper_table"] for c in judge.judge(_samples(_as_claimed))}
    # The dossier's note on P2: higher with FEC at 100 B in three pairs, lower at 2000 B in three.
    assert own["P2"]["verdict"] == "mixed"
    assert own["P3"]["denied"] == 1  # 100 B, window 2, no FEC
    assert own["P4"]["verdict"] == "cannot tell"


def test_one_replication_cannot_tell() -> None:
    verdicts = {c["verdict"] for c in judge.judge(_samples(_as_claimed, replications=1))}
    assert verdicts == {"cannot tell"}


def test_exact_fec_is_looked_up_only_where_there_is_fec() -> None:
    samples = _samples(_as_claimed)
    cell = next(c for c in facts().published if not c.case.fec)
    assert samples.totals(cell, design.EXACT_FEC) == samples.totals(cell)


@pytest.mark.parametrize("paper", ["petrovic203", "x"])
def test_an_unknown_paper_names_those_there_are(paper: str) -> None:
    with pytest.raises(UsageError, match="petrovic2003") as error:
        papers.reproduce(paper, console=Console(file=io.StringIO()))
    assert error.value.exit_code == 2


@pytest.mark.parametrize("table", ["6", 0, "one"])
def test_an_unknown_table_names_those_there_are(table: str | int) -> None:
    with pytest.raises(UsageError, match="it has 1 to 5"):
        papers.reproduce("petrovic2003", table=table, console=Console(file=io.StringIO()))


def test_no_replications_are_refused() -> None:
    with pytest.raises(UsageError, match="at least 1"):
        papers.reproduce("petrovic2003", replications=0, console=Console(file=io.StringIO()))


def _fake_runs(cancelled: Callable[[int], bool]) -> Callable[..., list[dict[str, Any] | None]]:
    def run_jobs(
        jobs: Sequence[Job], threads: int | None = None, progress: Any = None
    ) -> list[dict[str, Any] | None]:
        settings = {s.overrides(): s for s in design.settings()}
        results = [
            None
            if cancelled(i)
            else _run(
                _as_claimed(settings[tuple(job.overrides)].cell, job.replication),
                job.seed,
                job.replication,
            )
            for i, job in enumerate(jobs)
        ]
        if None in results:
            raise Interrupted(results)
        return results

    return run_jobs


def _reproduce(out: Path, **more: Any) -> tuple[dict[str, Any], str]:
    screen = io.StringIO()
    console = Console(file=screen, width=100)
    options = {"audit": False, "table": 1} | more
    document = papers.reproduce("petrovic2003", out=out, console=console, **options)
    return document, screen.getvalue()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any], str]:
    """A study from end to end, its figures drawn: where it is, its document, its screen."""
    folder = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(study, "run_jobs", _fake_runs(lambda _: False))
        return (folder, *_reproduce(folder, replications=2))


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every figure is an empty one: drawing takes most of a study's time, and `whole` draws."""
    draws = style.Sheet.__init__

    def empty(sheet: style.Sheet, _: style.Draw, palette: style.Palette = style.LIGHT) -> None:
        draws(sheet, lambda _: Figure(figsize=(1, 1)), palette)

    monkeypatch.setattr(style.Sheet, "__init__", empty)


def test_a_study_from_end_to_end(whole: tuple[Path, dict[str, Any], str]) -> None:
    folder, document, screen = whole
    first = document["tables"][0]
    assert first["id"] == "1"
    assert len(first["rows"]) == 80
    assert {"packet_bytes", "window", "case", "published", "mean", "ci95", "n"} <= set(
        first["rows"][0]
    )
    assert {row["n"] for row in first["rows"]} == {2}
    assert all(Path(file).stat().st_size > 500 for file in document["files"])
    saved = json.loads((folder / "petrovic2003" / "result.json").read_text())
    assert saved == document
    flows = parquet.read_table(folder / "petrovic2003" / "flows.parquet")
    assert flows.num_rows == 120 * 2 * 5
    for word in ("P1", "P4", "published | simulated", "TCP flavour", "report.html"):
        assert word in screen


def test_the_report_needs_no_network(whole: tuple[Path, dict[str, Any], str]) -> None:
    page = (whole[0] / "petrovic2003" / "report.html").read_text()
    assert "http://" not in page
    assert "https://" not in page
    assert 'name="viewport"' in page
    assert page.count("data:image/svg+xml;base64,") == 6  # three figures, light and dark


@pytest.mark.usefixtures("undrawn")
def test_an_interrupted_study_keeps_what_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Cancelled in the second of three replications: every cell has one, some have two.
    monkeypatch.setattr(study, "run_jobs", _fake_runs(lambda i: i >= 150))
    document, _ = _reproduce(tmp_path, replications=3)
    assert not document["complete"]
    assert document["runs"] == 150
    assert {row["n"] for row in document["tables"][0]["rows"]} == {1, 2}
    assert "150 of" in (tmp_path / "petrovic2003" / "report.html").read_text()


def test_a_very_early_interruption_still_writes_the_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(study, "run_jobs", _fake_runs(lambda i: i >= 3))
    document, _ = _reproduce(tmp_path, replications=1)
    assert {row["n"] for row in document["tables"][0]["rows"]} == {0, 1}
    assert not any(file.endswith("report.html") for file in document["files"])
    json.dumps(document, allow_nan=False)


BULK_FILES = {
    "report.html",
    "result.json",
    "flows.parquet",
    "cells.parquet",
    *(f"{name}.{kind}" for name in pictures.FIGURES for kind in ("png", "pdf")),
}


def _shown(directory: Path) -> set[str]:
    return {file.name for file in (directory / "petrovic2003").iterdir()}


@pytest.mark.usefixtures("undrawn")
def test_ctrl_c_while_figures_are_drawn_keeps_the_data_and_nothing_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(study, "run_jobs", _fake_runs(lambda _: False))
    _reproduce(tmp_path, replications=2, seed=1)
    assert _shown(tmp_path) == BULK_FILES

    def stop(*_: Any) -> list[Path]:
        raise KeyboardInterrupt

    monkeypatch.setattr(style.Sheet, "save_for_paper", stop)
    (tmp_path / "petrovic2003" / "mine.txt").write_text("kept")
    document, screen = _reproduce(tmp_path, replications=2, seed=2)
    data = {"result.json", "flows.parquet", "cells.parquet"}
    assert _shown(tmp_path) == data | {"mine.txt"}
    assert {Path(file).name for file in document["files"]} == data
    assert not document["complete"]
    assert json.loads((tmp_path / "petrovic2003" / "result.json").read_text()) == document
    assert "interrupted" in screen


def _audited(monkeypatch: pytest.MonkeyPatch, finished: int) -> None:
    calls: list[int] = []

    def run_jobs(jobs: Sequence[Job], **_: Any) -> list[dict[str, Any]]:
        calls.append(1)
        if len(calls) > finished:
            raise Interrupted([None] * len(jobs))
        return [_run([1e5 * len(calls), 1e5 + job.replication]) for job in jobs]

    monkeypatch.setattr(study, "run_jobs", _fake_runs(lambda _: False))
    monkeypatch.setattr(audit, "run_jobs", run_jobs)


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("finished", [0, 1, 3])
def test_ctrl_c_in_the_audit_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, finished: int
) -> None:
    _audited(monkeypatch, finished)
    document, screen = _reproduce(tmp_path, replications=2, audit=True)
    assert document["audit_complete"] is False
    assert not document["complete"]
    assert len(document["alternatives"]) == finished
    planned = len(audit.variants())
    assert f"and {finished} of {planned} alternatives" in " ".join(screen.split())
    page = (tmp_path / "petrovic2003" / "report.html").read_text()
    assert "audit of unstated settings was interrupted" in page
    assert "runs were finished)" not in page  # those of the table were


@pytest.mark.usefixtures("undrawn")
def test_a_whole_audit_names_what_matters_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _audited(monkeypatch, 1000)
    document, _ = _reproduce(tmp_path, replications=2, audit=True)
    assert document["audit_complete"]
    assert document["complete"]
    found = document["differences"]
    last = document["alternatives"][-1]
    # The fake runs deliver more with every setting: the last changes most.
    assert found["strongest"][0]["name"] == last["name"]
    farthest = found["farthest"]["name"]
    count = len(document["alternatives"])
    assert last["effects"][farthest]["ratio"] == pytest.approx((count + 1) / 2, rel=1e-3)
    assert found["baseline_differs"]  # made-up runs in which nothing differs
    page = (tmp_path / "petrovic2003" / "report.html").read_text()
    assert f"The farthest is <b>{farthest}</b>" in page
    assert last["name"] in page


def test_no_results_have_no_differences() -> None:
    assert differences({"agreement": {"by": []}}) is None


def test_out_that_cannot_be_written_is_refused_before_any_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: Any, **__: Any) -> None:
        raise AssertionError("simulated")

    monkeypatch.setattr(study, "run_jobs", never)
    (tmp_path / "file").write_text("x")
    with pytest.raises(LasthopError, match=r"cannot write .*file"):
        _reproduce(tmp_path / "file")


def test_a_disk_that_fills_up_still_shows_the_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(study, "run_jobs", _fake_runs(lambda _: False))
    monkeypatch.setattr(output.store, "write_parquet", full)
    screen = io.StringIO()
    with pytest.raises(LasthopError, match="No space left"):
        papers.reproduce(
            "petrovic2003",
            replications=1,
            out=tmp_path,
            console=Console(file=screen, width=100),
            audit=False,
            table=1,
        )
    assert "published | simulated" in screen.getvalue()


def test_the_audit_changes_one_setting_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[set[str]] = []

    def run_jobs(jobs: Sequence[Job], **_: Any) -> list[dict[str, Any]]:
        seen.append({o for job in jobs for o in job.overrides if o.split("=")[0] not in VARIED})
        return [_run([1e5, 1e5 + job.replication]) for job in jobs]

    monkeypatch.setattr(audit, "run_jobs", run_jobs)
    found = audit.audit(1, None, lambda done, total: None)
    assert [each["name"] for each in found] == [name for _, name, _ in audit.variants()]
    assert all(set(each["effects"]) == {case.label for case in facts().cases} for each in found[1:])
    assert all(not each["changed"] for each in found)
    own = seen[0]
    assert all(own <= changed for changed in seen)
    assert [changed - own for changed in seen] == [set(o) for _, _, o in audit.variants()]


VARIED = ("tcp.mss", "tcp.window", "mac.rts", "fec.enabled")


@pytest.mark.parametrize("paper", [name for name, _ in papers.names()])
def test_every_paper_takes_what_is_asked_of_it(paper: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no table '99'"):
        papers.reproduce(paper, table=99, out=tmp_path)
