"""Files for registries follow pyproject.toml, Cargo.toml and the schema of today."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

import lasthop
import packaging_files
from commands import ROOT

yaml = pytest.importorskip("yaml", reason="mkdocs brings it")


def test_the_recipe_is_that_of_today() -> None:
    text = packaging_files.RECIPE.read_text(encoding="utf-8")
    digest = re.search(r"sha256: ([0-9a-f]{64})$", text, re.M)
    assert digest
    assert text == packaging_files.recipe(digest[1]), (
        "renew: python tools/packaging_files.py recipe"
    )


def test_the_recipe_has_what_pip_installs() -> None:
    recipe = yaml.safe_load(packaging_files.RECIPE.read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert recipe["context"]["version"] == lasthop.__version__
    wanted = {each.replace(" ", "") for each in recipe["requirements"]["run"]}
    assert wanted == {"python", *project["dependencies"]}
    assert "matplotlib-base >=3.9" in recipe["requirements"]["run_constraints"]
    assert recipe["build"]["python"]["entry_points"] == ["lasthop = lasthop.entry:main"]
    for file in recipe["about"]["license_file"]:
        assert file == "THIRDPARTY.yml" or (ROOT / file).is_file()


def test_the_scenarios_fit_the_schema_that_is_sent(tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="nbformat brings it")
    packaging_files.schemastore(tmp_path / "out")
    (path,) = (tmp_path / "out").glob("src/schemas/json/*.json")
    schema = json.loads(path.read_text(encoding="utf-8"))
    entry = json.loads((tmp_path / "out" / "catalog-entry.json").read_text(encoding="utf-8"))
    assert schema["$id"] == entry["url"]
    assert entry["url"].endswith(f"/{path.name}")
    validator = jsonschema.Draft202012Validator(schema)
    validator.check_schema(schema)
    tests = list((tmp_path / "out").glob("src/test/*/*.toml"))
    assert len(tests) > 20
    for scenario in tests:
        validator.validate(tomllib.loads(scenario.read_text(encoding="utf-8")))
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({"duration": "1 s", "lnik": 3})
