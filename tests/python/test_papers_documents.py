"""README and the page of papers have the results of whole runs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import renew_papers
from lasthop.core.shipped import MAIN_PAPERS
from lasthop.study.papers import folder_of
from lasthop.study.papers.folder import Paper


@pytest.mark.parametrize("document", renew_papers.DOCUMENTS, ids=lambda path: str(path.name))
def test_documents_say_of_papers_what_was_found(document: Path) -> None:
    text = document.read_text("utf-8")
    assert renew_papers.MARKED.search(text)
    assert renew_papers.filled(text, renew_papers.read()) == text


@pytest.mark.parametrize("page", renew_papers.PAGES)
def test_every_paper_has_a_block_and_a_verdict_for_each_of_its_claims(page: str) -> None:
    names = renew_papers.PAGES[page]
    kept = json.loads((renew_papers.REFERENCE / f"{page}.json").read_text("utf-8"))
    text = (renew_papers.REFERENCE / f"{page}.md").read_text("utf-8")
    named = [match["name"] for match in renew_papers.MARKED.finditer(text)]
    assert sorted(kept) == sorted(named) == sorted(names)
    for name, found in kept.items():
        judged = [claim["id"] for claim in found["claims"]]
        assert judged == [claim.id for claim in Paper(folder_of(name)).claims]
        assert all(claim["parts"] for claim in found["claims"])


def test_no_number_of_a_document_has_the_unit_1() -> None:
    parts = [
        part["sentence"]
        for found in renew_papers.read().values()
        for claim in found["claims"]
        for part in claim["parts"]
    ]
    assert parts
    assert not [said for said in parts if re.search(r"\d 1(\.|$| )", said)]


def test_the_table_of_readme_has_the_papers_that_all_runs() -> None:
    text = (renew_papers.ROOT / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| Of ", text, re.M)
    assert rows == list(MAIN_PAPERS)


def result(**changed: Any) -> dict[str, Any]:
    """Make a result of one claim, with a text that a table of Markdown must not break at."""
    part = {"name": "a part", "verdict": "holds", "sentence": "a against b: 3 % more"}
    claim = {"id": "C1", "text": "One\nclaim.", "verdict": "holds", "parts": [part]}
    whole = {
        "paper": "x",
        "version": "0.1.0",
        "seed": 1,
        "runs": 10,
        "replications": 5,
        "quick": False,
    }
    rest = {
        "changes": [],
        "complete": True,
        "claims": [claim],
        "rests_on": {},
        "agreement": {},
        "tables": [],
    }
    return {**whole, **rest, **changed}


@pytest.mark.parametrize("changed", [{"quick": True}, {"changes": ["seed=2"]}, {"complete": False}])
def test_only_whole_runs_are_kept(changed: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="not a whole run"):
        renew_papers.digest(result(**changed))


def test_a_block_has_each_claim_and_its_parts() -> None:
    kept = {"petrovic2003": json.loads(json.dumps(renew_papers.digest(result())))}
    text = "<!-- petrovic2003: written by tools/renew_papers.py -->\nstale\n<!-- end -->\n"
    filled = renew_papers.filled(text, kept)
    assert "Of one claim 1 holds. It took 10 runs from seed 1." in filled
    assert "**C1** One claim. ✓ **Holds**.\n\n- ✓ a part. A against b: 3 % more.\n" in filled
    assert "stale" not in filled


def test_readme_says_nothing_of_audits_that_were_not_made() -> None:
    kept = renew_papers.read()
    last = {name: kept[name] for name in MAIN_PAPERS}
    whole = renew_papers.filled((renew_papers.ROOT / "README.md").read_text("utf-8"), last)
    assert "show that the verdicts on" in whole
    last["wimax2012"] = {**last["wimax2012"], "moved": None}
    assert "show that" not in renew_papers.filled(whole, last)
    assert renew_papers.digest(result())["moved"] is None
    row = {"flipped": ["C1"], "decided": [], "agreement": {}, "item": "i", "name": "n"}
    audited = result(audit={"agreement": {}, "variations": [row]})
    assert renew_papers.digest(audited)["moved"] == ["C1"]
