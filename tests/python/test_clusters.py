"""Clusters of an ad hoc network: the probe `clusters`, and its pictures."""

from pathlib import Path

import pytest

import lasthop
from lasthop.errors import UsageError
from lasthop.pages.recipes.rerunning import rerun
from lasthop.pages.studies import clustering

SCENARIO = Path(__file__).parents[2] / "scenarios" / "clusters.toml"
SEPARATE = "routing.clusters.organisation=separate"
BRIEF = ["duration=5 s", SEPARATE]


def pictures(overrides: list[str]):
    run = lasthop.run(SCENARIO, overrides=overrides, probes=["clusters"])
    return clustering.pictures_of(run.documents[0]["probes"]["clusters"]), run.documents[0]


def test_the_probe_shows_what_was_elected() -> None:
    shown, document = pictures(BRIEF)
    assert [each.time_s for each in shown] == [0, 2, 4]
    assert document["clusters"]["elections"] == 3
    assert all(len(each.stations) == 24 for each in shown)
    heads = [sum(bool(s.speaks_to) for s in each.stations) for each in shown]
    assert sum(heads) / 3 == pytest.approx(document["clusters"]["heads"])
    talks = [list(each.talks()) for each in shown]
    assert sum(map(len, talks)) / 3 == pytest.approx(document["clusters"]["pairs"])
    for one, other in (pair for each in talks for pair in each):
        assert one.cluster != other.cluster
        assert (one.x_m - other.x_m) ** 2 + (one.y_m - other.y_m) ** 2 <= 240**2


def test_a_clusterhead_that_fails_is_in_no_cluster() -> None:
    shown, document = pictures([*BRIEF, "routing.clusters.head_fails_at=3 s"])
    assert [each.time_s for each in shown] == [0, 2, 3, 4]
    failed = document["clusters"]["failed"]
    standing = [next(s for s in each.stations if s.node == failed) for each in shown]
    assert [s.cluster is None for s in standing] == [False, False, True, True]
    assert standing[1].speaks_to


def test_a_probe_without_clusters_is_refused() -> None:
    with pytest.raises(lasthop.LasthopError, match='kind = "clusters"'):
        lasthop.run(SCENARIO.with_name("chain.toml"), probes=["clusters"])


@pytest.mark.parametrize("ending", ["html", "svg"])
def test_pictures_carry_their_recipe(tmp_path: Path, ending: str) -> None:
    made = clustering.plot(SCENARIO, BRIEF, tmp_path / f"clusters.{ending}")
    assert rerun(made).equal
    if ending == "html":
        text = made.read_text(encoding="utf-8")
        assert '"n24"' in text
        assert "takeable(figure, () => csvOf(" in text
        assert "{{" not in text
        assert "http://" not in text.replace("http://www.w3.org", "")


def test_another_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="html"):
        clustering.plot(SCENARIO, BRIEF, tmp_path / "clusters.gif")
