"""Pages of comparisons and duels, and pictures of probes, are made again from themselves, byte by byte."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import lasthop
from commands import lasthop as command
from lasthop.errors import LasthopError, UsageError
from lasthop.pages.recipes import embedding, keeping

CASES = Path(__file__).parent / "cases" / "measured"

LINK = """
duration = "{duration}"
[[link]]
ends = ["near", "far"]
rate = "{rate}"
delay = "15 ms"
loss = 0.01
queue = {{ packets = 60 }}
[[flow]]
name = "upload"
from = "near"
to = "far"
app = "bulk"
"""

STUDY = """
[study]
name = "conditions"
scenario = "path.toml"
replications = 3
metrics = ["goodput", "loss"]

[axes]
random = 6
"link.0.loss" = { from = 0.0, to = 0.04 }
"""

LAW = """
class Mine:
    def on_ack(self, w, ack):
        w.cwnd += 1.0

    def on_loss(self, w, loss, base):
        w.ssthresh = w.cwnd = max(w.cwnd / 2, 2.0)
"""


def again(file: Path, tmp_path: Path) -> Path:
    """Make a file again by the command, which must find no difference."""
    done = command("rerun", file, "--out", tmp_path / "again")
    assert done.returncode == 0, done.stdout + done.stderr
    return tmp_path / "again" / file.name


def written(folder: Path, duration: str = "5 s") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "path.toml").write_text(LINK.format(duration=duration, rate="10 Mbps"))
    return folder / "path.toml"


@pytest.mark.parametrize("name", ["page.html", "figure.svg", "figure.pdf", "figure.png"])
def test_a_comparison_is_made_again(tmp_path: Path, name: str) -> None:
    scenario, out = written(tmp_path / "here"), tmp_path / name
    measured = shutil.copy(CASES / "bursts.pcap.gz", tmp_path / "here")
    words = ["--replications", "3", "--seed", "4", "--set", "duration=4 s"]
    done = command("compare", scenario, measured, *words, "--out", out)
    assert done.returncode == 0, done.stderr
    recipe = embedding.extract(out)
    assert str(tmp_path) not in recipe.text()
    assert f"--seed 4 --set 'duration=4 s' --out {name}" in recipe.command
    shutil.rmtree(tmp_path / "here")
    assert again(out, tmp_path).read_bytes() == out.read_bytes()


def test_files_of_one_name_are_kept_apart(tmp_path: Path) -> None:
    scenario, out = written(tmp_path / "here", "10 s"), tmp_path / "page.html"
    for folder, case in (("one", "plain.json"), ("two", "plain.json")):
        (tmp_path / folder).mkdir()
        shutil.copy(CASES / case, tmp_path / folder / "run.json")
    files = [tmp_path / folder / "run.json" for folder in ("one", "two")]
    done = command("compare", scenario, *files, "--replications", "2", "--out", out)
    assert done.returncode == 0, done.stderr
    assert list(embedding.extract(out).inputs["measured"]) == ["run.json", "2-run.json"]
    assert again(out, tmp_path).read_bytes() == out.read_bytes()


def test_a_law_is_not_run_out_of_a_recipe(tmp_path: Path) -> None:
    scenario, out = written(tmp_path / "here"), tmp_path / "page.html"
    (tmp_path / "mine.py").write_text(LAW)
    words = ["--replications", "2", "--law", f"{tmp_path / 'mine.py'}:Mine"]
    done = command("compare", scenario, CASES / "plain.json", *words, "--out", out)
    assert done.returncode == 0, done.stderr
    with pytest.raises(LasthopError, match=r"laws in Python ran in it \(Mine\)"):
        lasthop.rerun(out)


def test_a_duel_is_made_again(tmp_path: Path) -> None:
    written(tmp_path / "here")
    (tmp_path / "here" / "conditions.toml").write_text(STUDY)
    over = ["--over", tmp_path / "here" / "conditions.toml", "--out", tmp_path / "out"]
    done = command("duel", "bbr", "newreno", *over)
    assert done.returncode == 0, done.stderr
    page, figure = (tmp_path / name for name in ("duel.html", "duel.pdf"))
    for file in (page, figure):
        shutil.copy(tmp_path / "out" / file.name, file)
    shutil.rmtree(tmp_path / "out")
    shutil.rmtree(tmp_path / "here")
    assert str(tmp_path) not in embedding.extract(page).text()
    for file in (page, figure):
        assert again(file, tmp_path).read_bytes() == file.read_bytes()
        shutil.rmtree(tmp_path / "again")


def test_a_figure_of_several_sets_of_conditions_is_made_again(tmp_path: Path) -> None:
    here = tmp_path / "here"
    written(here)
    (here / "conditions.toml").write_text(STUDY)
    (here / "others.toml").write_text(STUDY.replace('name = "', 'name = "other_'))
    over = ["--over", here / "conditions.toml", "--over", here / "others.toml"]
    done = command("duel", "bbr", "newreno", *over, "--no-share", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    figure = Path(shutil.copy(tmp_path / "out" / "duel-ecdf.pdf", tmp_path))
    shutil.rmtree(tmp_path / "out")
    shutil.rmtree(here)
    found = embedding.extract(figure)
    assert found.command.count("--over") == 2
    assert len(found.data["values"]) == 2
    assert str(tmp_path) not in found.text()
    assert again(figure, tmp_path).read_bytes() == figure.read_bytes()


@pytest.fixture(scope="module")
def series(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("probes")
    probes = ["--probe", "tcp", "--probe", "flows", "--probe-every", "50ms"]
    done = command("run", written(folder), *probes, "--out", folder / "series")
    assert done.returncode == 0, done.stderr
    return folder / "series"


@pytest.mark.parametrize("name", ["page.html", "figure.svg", "figure.pdf", "figure.png"])
@pytest.mark.parametrize("words", [(), ("--y", "srtt_s", "--flow", "up*", "--title", "T")])
def test_a_picture_of_probes_is_made_again(
    series: Path, tmp_path: Path, name: str, words: tuple[str, ...]
) -> None:
    out, tables = tmp_path / name, shutil.copytree(series, tmp_path / "series")
    done = command("plot", tables, *words, "--out", out)
    assert done.returncode == 0, done.stderr
    shutil.rmtree(tables)
    assert str(tmp_path) not in embedding.extract(out).text()
    assert again(out, tmp_path).read_bytes() == out.read_bytes()


def test_tables_that_are_too_long_are_known_by_their_digest(
    series: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "MOST_PACKED", 1000)
    monkeypatch.chdir(tmp_path)
    shutil.copy(series / "tcp.csv", tmp_path)
    from lasthop.pages.picture import probe_figure

    figure, _ = probe_figure.plot(Path("tcp.csv"), (), probe_figure.Look(), tmp_path / "figure.svg")
    assert "packed" not in embedding.extract(figure).inputs["tables"]["tcp.csv"]
    assert lasthop.rerun(figure).equal
    with (tmp_path / "tcp.csv").open("a") as file:
        file.write("\n")
    with pytest.raises(UsageError, match=r"tcp\.csv has changed"):
        lasthop.rerun(figure)
    (tmp_path / "tcp.csv").unlink()
    with pytest.raises(UsageError, match=r"tcp\.csv: no such file"):
        lasthop.rerun(figure)


@pytest.fixture(scope="module")
def pages(series: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return a page of probes and one of a comparison."""
    folder = tmp_path_factory.mktemp("pages")
    compare = ["compare", written(folder), CASES / "plain.json", "--replications", "2"]
    for words in (["plot", series, "--out", "probes.html"], [*compare, "--out", "comparison.html"]):
        done = command(*words, cwd=folder)
        assert done.returncode == 0, done.stderr
    return {page.stem: page.read_text() for page in folder.glob("*.html")}


@pytest.mark.parametrize(
    ("page", "key"),
    [
        *(("probes", key) for key in ("tables", "look", "is_folder", "width")),
        *(("comparison", key) for key in ("measured", "laws", "pairs", "changes", "at")),
    ],
)
def test_a_damaged_recipe_is_told(
    pages: dict[str, str], tmp_path: Path, page: str, key: str
) -> None:
    (tmp_path / "bad.html").write_text(pages[page].replace(f'"{key}": ', f'"{key}": 7, "x": '))
    done = command("rerun", tmp_path / "bad.html")
    assert (done.returncode, "damaged" in done.stderr) == (2, True), done.stderr
