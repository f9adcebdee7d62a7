"""Study files: their meaning, and the messages about wrong ones."""

import pytest

import lasthop
from lasthop.study import axes
from lasthop.study.cells import cells
from studies import SCENARIO, STUDY, study


def test_axes_are_crossed_the_last_varying_fastest(tmp_path):
    found = cells(study(tmp_path))
    assert [cell.label for cell in found] == [
        "short retry limit 2, window 4 packets",
        "short retry limit 2, window 16 packets",
        "short retry limit 7, window 4 packets",
        "short retry limit 7, window 16 packets",
    ]
    assert len({cell.key for cell in found}) == 4
    assert {cell.seed for cell in found} == {1}  # common random numbers


def test_paired_axes_step_together(tmp_path):
    text = STUDY + 'paired = [["mac.short_retry_limit", "tcp.window"]]\n'
    found = axes.settings(study(tmp_path, text).axes)
    assert found == [
        {"mac.short_retry_limit": 2, "tcp.window": "4 packets"},
        {"mac.short_retry_limit": 7, "tcp.window": "16 packets"},
    ]


@pytest.mark.parametrize(
    ("axis", "values"),
    [
        ("{ from = 1, to = 7, steps = 3 }", (1, 4, 7)),
        ('{ from = 10, to = 1000, steps = 3, scale = "log" }', (10, 100, 1000)),
        ('{ from = 1.0, to = 2, steps = 3, unit = "Mbps" }', ("1.0 Mbps", "1.5 Mbps", "2.0 Mbps")),
        ("{ from = 1, to = 3, steps = 9 }", (1, 2, 3)),
    ],
)
def test_ranges(tmp_path, axis, values):
    text = STUDY.replace("[2, 7]", axis)
    assert study(tmp_path, text).axis("mac.short_retry_limit").values == values


def test_a_cells_key_is_of_what_it_computes(tmp_path):
    keys = [cell.key for cell in cells(study(tmp_path))]
    (tmp_path / "small.toml").write_text("# of no importance\n" + SCENARIO)
    other = lasthop.study.reader.read(tmp_path / "study.toml")
    assert [cell.key for cell in cells(other)] == keys
    (tmp_path / "small.toml").write_text(SCENARIO.replace("5 Mbps", "4 Mbps"))
    other = lasthop.study.reader.read(tmp_path / "study.toml")
    assert not {cell.key for cell in cells(other)} & set(keys)
    seeded = study(tmp_path, STUDY.replace("replications", "seed = 2\nreplications"))
    assert not {cell.key for cell in cells(seeded)} & set(keys)


def test_a_seed_that_is_set_or_is_an_axis_counts_before_that_of_the_study(tmp_path):
    text = STUDY.replace("replications", "seed = 1\nreplications")
    assert {cell.seed for cell in cells(study(tmp_path, text))} == {1}
    assert {cell.seed for cell in cells(study(tmp_path, text).changed(["seed=2"]))} == {2}
    varied = study(tmp_path, text + "seed = [1, 2, 3]\n")
    assert {cell.settings["seed"]: cell.seed for cell in cells(varied)} == {1: 1, 2: 2, 3: 3}
    assert len({cell.key for cell in cells(varied)}) == 12


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('name = "small"', "name = 7", "study.toml:3:8: error: 7 is not a string"),
        ('name = "small"', "", 'study.toml:2:1: error: missing key "name"'),
        (
            "metrics",
            "metric",
            "study.toml:6:1: error: unknown key \"metric\"; did you mean 'metrics'?",
        ),
        ("[axes]", "[axis]", "study.toml:8:2: error: unknown key \"axis\"; did you mean 'axes'?"),
        ("[study]", "replications = 3\n[study]", '"replications" belongs in [study]'),
        (
            "replications = 12",
            "replications = 0",
            "study.toml:5:16: error: replications are from 1",
        ),
        ("[2, 7]", "[]", "study.toml:9:27: error: an axis has at least one value"),
        ("[2, 7]", "[2, 2]", "study.toml:9:31: error: 2 is there twice"),
        (
            "[2, 7]",
            "[2, 2]\nqueue.packets = [5, 5]\npaired = [['mac.short_retry_limit', 'queue.packets']]",
            "error: 2 with 5 is there twice",
        ),
        ("[2, 7]", "{ from = 1, to = 9 }", 'missing key "steps"'),
        ("[2, 7]", "{ from = 0, to = 9, steps = 3, scale = 'log' }", "both ends above zero"),
        ("small.toml", "smal.toml", "did you mean 'small.toml'?"),
        ("[study]", "[study", "study.toml:2:"),
        ('"jain"]', '"jian"]', "study.toml:6:48: error: metric 'jian'"),
        ("short_retry_limit", "short_retry", "short_retry"),
        ("[2, 7]", '["two", 7]', "mac.short_retry_limit=two"),
        ("replications = 12", 'replications = 12\nbudget = "10 m"', "units: ms, s, min, h, d"),
    ],
)
def test_errors_say_where_and_what_is_allowed(tmp_path, old, new, said):
    assert old in STUDY
    with pytest.raises(lasthop.StudyError) as wrong:
        cells(study(tmp_path, STUDY.replace(old, new)))
    assert said in str(wrong.value)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (
            '[[compare]]\naxis = "tcp.windw"\nmetric = "jain"',
            "no axis \"tcp.windw\"; did you mean 'tcp.window'? allowed: ",
        ),
        (
            '[[compare]]\naxis = "tcp.window"\nmetric = "jain"\nbaseline = 3',
            "no value of tcp.window",
        ),
        *(
            (
                f'[[compare]]\naxis = "tcp.window"\nmetric = "jain"\nmargin = {margin}',
                "a margin is a part, from 0 to below 1",
            )
            for margin in ("-0.02", "2", "nan")
        ),
        ('[[compare]]\naxis = "tcp.window"\nmetric = "goodput.each"', "makes several metrics"),
        ('[precision]\nmetric = "goodput.shares"\nrelative = 0.1', "makes several metrics"),
        (
            '[[claim]]\nid = "C"\ntext = "t"\nmetric = "goodput.each"\nholds = { over = { value = 1 } }',
            "makes several metrics",
        ),
        ('[precision]\nmetric = "jain"', "either relative = 0.02 or absolute"),
        ('[precision]\nmetric = "jain"\nrelative = 0.1\nlevel = 95', "a level is from 0.5"),
        ('[[unstated]]\nname = "x"\nvalues = [1]', "two values or more"),
        ('[scenario]\nduration = "1 s"', "two scenarios"),
    ],
)
def test_errors_of_the_other_tables(tmp_path, table, said):
    with pytest.raises(lasthop.StudyError) as wrong:
        study(tmp_path, f"{STUDY}\n{table}\n")
    assert said in str(wrong.value)


def test_a_scenario_may_stand_in_the_study(tmp_path):
    inline = SCENARIO.replace("[[", "[[scenario.").replace("[phy]", "[scenario.phy]")
    text = STUDY.replace('scenario = "small.toml"\n', "") + "\n[scenario]\n" + inline
    assert [c.key for c in cells(study(tmp_path, text))] == [c.key for c in cells(study(tmp_path))]


def test_a_scenario_is_no_study(tmp_path):
    with pytest.raises(lasthop.StudyError, match="1:1: error: this is a scenario, not a study"):
        study(tmp_path, SCENARIO)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "tcp.window",
            "tcp.windo",
            '10:1: error: axis tcp.windo: unknown key "windo"; did you',
        ),
        ('"16 packets"', '"16 pakets"', "10:1: error: axis tcp.window=16 pakets:"),
        ("[axes]", '[axes]\n"queue.packets" = [-1]', "9:1: error: axis queue.packets=-1:"),
        ("tcp.window =", "[axes.tcp]\nwindo =", "11:1: error: axis tcp.windo:"),
        (
            "replications",
            'set = ["duratio=2 s"]\nreplications',
            '5:8: error: unknown key "duratio"',
        ),
    ],
)
def test_wrong_settings_are_said_with_their_line(tmp_path, old, new, said):
    with pytest.raises(lasthop.StudyError) as caught:
        cells(study(tmp_path, STUDY.replace(old, new)))
    assert f"study.toml:{said}" in str(caught.value)
