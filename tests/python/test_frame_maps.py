"""Uses of the symbols of 802.16 frames: the probe `frames`, and its pictures."""

from pathlib import Path

import pytest

import lasthop
from lasthop.pages.figures import style
from lasthop.pages.recipes.rerunning import rerun
from lasthop.pages.studies import framing
from lasthop.pages.studies.reporting import write
from lasthop.study.sweeping import sweep

SCENARIO = Path(__file__).parents[2] / "scenarios" / "wimax_downloads.toml"
BRIEF = {"duration": "3 s", "warmup": "0 s"}
PRESETS = [
    {},
    {"wimax.0.preset": "nist", "wimax.0.ratio": "6:1"},
    {"wimax.0.packing": True, "wimax.0.burst_gap": 2, "wimax.0.ranging_opportunities": 0},
    {"wimax.0.stations": 12, "wimax.0.preset": "nist", "wimax.0.frame": "10 ms"},
]


def of_way(rows, symbols_of):
    """Give symbols by direction and use."""
    found: dict[tuple[str, str], int] = {}
    for row in rows:
        key = (row["direction"], row["use_of"])
        found[key] = found.get(key, 0) + symbols_of(row)
    return found


@pytest.mark.parametrize("changes", PRESETS)
def test_the_parts_of_frames_are_all_their_symbols(changes):
    run = lasthop.run(SCENARIO, overrides={**BRIEF, **changes}, probes=["frames"])
    rows, cell = run.frames.to_pylist(), run.documents[0]["wimax"][0]
    at, frames = 0, 0
    for row in rows:
        if row["first"] == 0:
            assert at in (0, cell["frame_symbols"])
            at, frames = 0, frames + 1
        assert (row["first"], row["frame"]) == (at, frames - 1)
        assert row["direction"] == ("down" if at < cell["downlink_symbols"] else "up")
        assert (row["station"] is not None) == (row["use_of"] == "burst")
        at += row["symbols"]
    assert frames == cell["frames"]
    used = of_way(rows, lambda row: row["symbols"])
    down, up = (
        sum(count for (way, _), count in used.items() if way == direction)
        for direction in ("down", "up")
    )
    assert used["down", "burst"] / down == pytest.approx(cell["downlink_share"])
    assert used["up", "burst"] / up == pytest.approx(cell["uplink_share"])
    bursts = of_way(rows, lambda row: True)
    counted = [
        sum(row[way]["bursts"] for row in run.documents[0]["subscribers"]) for way in ("down", "up")
    ]
    assert [bursts["down", "burst"], bursts["up", "burst"]] == counted
    if "wimax.0.preset" not in changes and "wimax.0.burst_gap" not in changes:
        contention = used["up", "ranging"] + used["up", "requests"]
        assert contention == frames * cell["contention_symbols"] == frames * 14
        head = used["down", "preamble"] + used["down", "broadcast"]
        assert head / down == pytest.approx(cell["broadcast_share"])
    else:
        assert used["up", "gap"] > 0


def test_a_step_keeps_its_first_frames_and_changes_no_result():
    probes = ["frames", "requests"]
    run = lasthop.run(SCENARIO, overrides=BRIEF, probes=probes, probe_every_s=0.5)
    whole = lasthop.run(SCENARIO, overrides=BRIEF, probes=probes)
    kept = {number for step in range(6) for number in range(100 * step, 100 * step + 4)} | {600}
    for name in probes:
        rows = [row for row in whole.probes[name].to_pylist() if row["frame"] in kept]
        assert run.probes[name].to_pylist() == rows
        assert len({row["frame"] for row in rows}) > 4
    bare = lasthop.run(SCENARIO, overrides=BRIEF).documents[0]
    assert bare == {key: value for key, value in run.documents[0].items() if key != "probes"}


def test_a_scenario_without_802_16_has_no_frames(tmp_path):
    voice = SCENARIO.parent / "voice.toml"
    assert lasthop.run(voice, overrides=BRIEF, probes=["frames"]).frames.num_rows == 0
    with pytest.raises(lasthop.UsageError, match=r"no 802\.16 cell"):
        framing.plot(voice, ["duration=3 s", "warmup=0 s"], WISH, tmp_path / "map.svg")


WISH = {"frames": "100-103", "cell": None, "width": "two"}


def test_a_frame_map_is_made_again_from_its_recipe(tmp_path):
    changes = [f"{key}={value}" for key, value in BRIEF.items()]
    drawn = framing.plot(SCENARIO, [*changes, "wimax.0.ratio=6:1"], WISH, tmp_path / "map.svg")
    again = rerun(drawn, tmp_path / "again")
    assert again.equal, again.data + again.picture
    assert "--frame 100-103 --width two --set" in again.recipe.command
    text = drawn.read_text()
    for name in ("preamble and FCH", "bandwidth requests", "ss1", "frame"):
        assert f"<!-- {name} -->" in text
    one = framing.plot(
        SCENARIO, changes, {**WISH, "frames": "7", "width": "one"}, tmp_path / "one.pdf"
    )
    assert one.read_bytes()[:5] == b"%PDF-"


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"frames": "x"}, "allowed: a frame's number from 0, or 12 at most"),
        ({"frames": "1-13"}, "12 at most"),
        ({"frames": "9-2"}, "12 at most"),
        ({"frames": "100000"}, "there are frames 0 to 599"),
        ({"cell": "wimx"}, "no 802.16 cell 'wimx'; did you mean 'wimax'"),
    ],
)
def test_what_cannot_be_drawn_is_named(tmp_path, wish, said):
    changes = [f"{key}={value}" for key, value in BRIEF.items()]
    with pytest.raises(lasthop.UsageError) as error:
        framing.plot(SCENARIO, changes, {**WISH, **wish}, tmp_path / "map.svg")
    assert said in str(error.value)


def test_a_report_shows_frames(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(
        f'[study]\nname = "short"\nscenario = "{SCENARIO}"\nreplications = 2\n'
        'metrics = ["down*.goodput"]\nset = ["duration=3 s", "warmup=1 s", "flow.0.name=down"]\n'
        '[axes]\nwimax.0.ratio = ["1:1", "6:1"]\n'
    )
    results = sweep(study, tmp_path / "out")
    page = write(results, tmp_path / "page.html").read_text()
    assert page.count("802.16 cell wimax: frames") == 2  # for readers of screens too
    again = rerun(tmp_path / "page.html")
    assert again.equal, again.data + again.picture


def test_the_figure_draws_more_stations_than_colours():
    parts = [framing.Part("burst", f"ss{i}", False, 3 * i, 3) for i in range(9)]
    parts[:0] = [framing.Part("preamble", "", True, 0, 0)]
    held = framing.Map(0, 0.0, parts)
    names = [f"ss{i}" for i in range(9)]
    sheet = style.Sheet(lambda palette: framing.frame_maps([held], names, "one", palette))
    assert sheet.render("svg").count(b"<!-- ss") >= 9
