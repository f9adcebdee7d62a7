"""Arrows from one room of the Python package to another."""

from pathlib import Path

from room_arrows import Package, tied, upward, wrong_rooms


def package(folder: Path, files: dict[str, str]) -> Path:
    """Write the modules of a package."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_a_room_uses_rooms_below_it_and_the_ground_only(tmp_path: Path) -> None:
    files = {
        "errors.py": "",
        "numbers/stats.py": "from lasthop.errors import UsageError\nfrom lasthop import study\n",
        "study/__init__.py": "from lasthop.numbers import stats\nimport lasthop.entry\nstats, lasthop",
        "entry.py": "from lasthop import numbers",
    }
    arrows = Package(package(tmp_path, files)).arrows()
    assert upward(arrows) == {"numbers.stats -> study", "study -> entry"}


def test_imports_in_functions_and_for_type_checkers_are_arrows(tmp_path: Path) -> None:
    files = {
        "core/runs.py": "def page():\n    from lasthop.pages import picture\n",
        "core/jobs.py": "if TYPE_CHECKING:\n    from lasthop.study.spec import Study\n",
        "pages/picture.py": "",
        "study/spec.py": "",
    }
    found = upward(Package(package(tmp_path, files)).arrows())
    assert found == {"core.runs -> pages.picture", "core.jobs -> study.spec"}


def test_core_alone_names_the_compiled_module(tmp_path: Path) -> None:
    files = dict.fromkeys(("core/jobs.py", "study/store.py"), "from lasthop import _core\n")
    assert upward(Package(package(tmp_path, files)).arrows()) == {"study.store -> _core"}


def test_an_arrow_goes_through_a_face_to_the_file_that_defines_the_name(tmp_path: Path) -> None:
    files = {
        "study/claims/__init__.py": "from lasthop.study.claims.tables import Table\n",
        "study/claims/tables.py": "from lasthop.study.claims.words import LEAST\n",
        "study/claims/words.py": "def f():\n    from lasthop.study.claims import Table\n",
    }
    assert tied(Package(package(tmp_path, files)).arrows()) == [
        ["study.claims.tables", "study.claims.words"]
    ]


def test_a_circle_is_wrong_also_where_a_function_closes_it(tmp_path: Path) -> None:
    files = {
        "core/runs.py": "def f():\n    from lasthop.core.jobs import Job\n",
        "core/jobs.py": "from lasthop.core.runs import Run\n",
    }
    (found,) = wrong_rooms(package(tmp_path, files))
    assert found == "modules that use each other in a circle: core.jobs, core.runs"


def test_what_only_type_checkers_read_closes_no_circle_but_is_an_arrow_up(tmp_path: Path) -> None:
    files = {
        "core/runs.py": "if TYPE_CHECKING:\n    from lasthop.pages import page\nelse:\n    import json\n",
        "pages/page.py": "from lasthop.core.runs import Run\n",
    }
    (found,) = wrong_rooms(package(tmp_path, files))
    assert found.startswith("core.runs -> pages.page: a room uses only rooms below it")


def test_two_files_of_one_name_are_refused_but_faces_and_programs_of_papers(tmp_path: Path) -> None:
    files = dict.fromkeys(
        ("core/store.py", "study/store.py", "core/__init__.py", "study/__init__.py"), ""
    )
    files |= dict.fromkeys(("study/papers/a/derive.py", "study/papers/b/derive.py"), "")
    assert wrong_rooms(package(tmp_path, files)) == ["files with one name: core.store, study.store"]
