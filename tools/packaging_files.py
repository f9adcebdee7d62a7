"""What package registries are sent: a recipe for conda-forge, and an entry for SchemaStore.

    python tools/packaging_files.py recipe [--sdist FILE]     packaging/conda/recipe.yaml
    python tools/packaging_files.py schemastore [--out FOLDER]     out/schemastore, to be copied over a clone of it

Each number is in pyproject.toml and Cargo.toml alone. packaging/README.md says how to send both.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lasthop.core import api

ROOT = Path(__file__).resolve().parents[1]
RECIPE = ROOT / "packaging" / "conda" / "recipe.yaml"

#: What conda-forge calls packages by another name than PyPI.
RENAMED = {"matplotlib": "matplotlib-base"}

#: Stands in for a digest until there is a release.
NO_DIGEST = "0" * 64

TEMPLATE = """\
# conda-forge's recipe, format 1, written by tools/packaging_files.py from pyproject.toml and Cargo.toml.
schema_version: 1

context:
  version: "{version}"

package:
  name: lasthop
  version: ${{{{ version }}}}

source:
  url: https://pypi.org/packages/source/l/lasthop/lasthop-${{{{ version }}}}.tar.gz
  sha256: {digest}

build:
  number: 0
  skip:
    - match(python, "{too_old}")
  script:
    - cargo-bundle-licenses --format yaml --output THIRDPARTY.yml
    - ${{{{ PYTHON }}}} -m pip install . -vv --no-deps --no-build-isolation
  python:
    entry_points:
{entry_points}

requirements:
  build:
    - ${{{{ compiler("c") }}}}
    - ${{{{ stdlib("c") }}}}
    - ${{{{ compiler("rust") }}}}
    - cargo-bundle-licenses
    - if: build_platform != target_platform
      then:
        - python
        - cross-python_${{{{ target_platform }}}}
{builder}
  host:
    - python
    - pip
{builder}
  run:
    - python
{run}
  run_constraints:
{constraints}

tests:
  - python:
      imports: [lasthop]
      pip_check: true
  - script:
      - lasthop --version
      - lasthop run two_stations

about:
  summary: {summary}
  license: {license}
  license_file:
{license_files}
    - THIRDPARTY.yml

extra:
  recipe-maintainers: []
"""


def recipe(digest: str = NO_DIGEST) -> str:
    """Return the recipe, with the digest of the source distribution of the release."""
    made = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
    project = made["project"]
    extras = [
        each
        for name, group in project["optional-dependencies"].items()
        if name not in ("all", "dev")
        for each in group
    ]
    scripts = (f"{name} = {where}" for name, where in project["scripts"].items())
    return TEMPLATE.format(
        version=cargo["workspace"]["package"]["version"],
        digest=digest,
        too_old=project["requires-python"].replace(">=", "<"),
        entry_points=_listed(scripts, 6),
        builder=_listed(map(conda, made["build-system"]["requires"]), 4),
        run=_listed(map(conda, project["dependencies"]), 4),
        constraints=_listed(sorted(map(conda, extras)), 4),
        summary=project["description"],
        license=project["license"],
        license_files=_listed(project["license-files"], 4),
    )


def conda(requirement: str) -> str:
    """Return a requirement of pip as conda writes it."""
    name, bounds = re.fullmatch(r"([A-Za-z0-9-]+)(.*)", requirement).groups()  # type: ignore[union-attr]
    return f"{RENAMED.get(name, name)} {bounds}".strip()


def _listed(items: Iterable[str], indent: int) -> str:
    return "\n".join(f"{' ' * indent}- {item}" for item in items)


def schemastore(out: Path) -> None:
    """Write what is added to a clone of SchemaStore: the schema, scenarios to test it, and an entry."""
    name = "lasthop-scenario"
    address = f"https://www.schemastore.org/{name}.json"
    schema: dict[str, Any] = api.schema()
    head = {"$schema": schema.pop("$schema"), "$id": address}
    whole = head | schema | {"title": "lasthop scenario"}
    entry = {
        "name": "lasthop scenario",
        "description": "A network and its traffic, for the simulator lasthop",
        "fileMatch": ["*.lasthop.toml"],
        "url": address,
    }
    shutil.rmtree(out, ignore_errors=True)
    tests = out / "src" / "test" / name
    tests.mkdir(parents=True)
    for scenario in sorted((ROOT / "scenarios").glob("*.toml")):
        shutil.copy(scenario, tests / scenario.name)
    schemas = out / "src" / "schemas" / "json"
    schemas.mkdir(parents=True)
    for path, document in ((schemas / f"{name}.json", whole), (out / "catalog-entry.json", entry)):
        path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def main() -> None:
    """Write one of both."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("recipe", "schemastore"))
    parser.add_argument("--sdist", type=Path, help="the source distribution of the release")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "schemastore")
    asked = parser.parse_args()
    if asked.what == "schemastore":
        schemastore(asked.out)
        print(asked.out)
        return
    digest = hashlib.sha256(asked.sdist.read_bytes()).hexdigest() if asked.sdist else NO_DIGEST
    RECIPE.write_text(recipe(digest), encoding="utf-8")
    print(RECIPE)


if __name__ == "__main__":
    main()
