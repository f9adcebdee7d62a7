"""Make the documentation site: docs/ and pages made from the program itself, as HTML that can be searched.

    python tools/make_site.py [--strict] [--out FOLDER]     out/site/index.html

The pages that are made: the scenario format from its schema, the commands from the command line, Python from its
docstrings, and what `lasthop list` names. In their place docs/ has short pages that say how to print each, so that
links work in a checkout and nothing in it can be out of date.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pages
import scenario_pages

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Gather the sources, and have them built."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--strict", action="store_true", help="a warning is an error")
    parser.add_argument("--out", type=Path, default=ROOT / "out", help="where site/ is made")
    asked = parser.parse_args()
    source, site = asked.out.resolve() / "site-source", asked.out.resolve() / "site"
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(ROOT / "docs", source)
    for name, page in pages.ALL.items():
        (source / "reference" / f"{name}.md").write_text(page(), encoding="utf-8")
    settings = _scenario(source / "reference", asked.out.resolve() / "mkdocs.yml")
    (source / "decisions" / "index.md").write_text(_decisions(), encoding="utf-8")
    strict = ["--strict"] if asked.strict else []
    builder = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--quiet",
        *strict,
        "--site-dir",
        str(site),
        "--config-file",
        str(settings),
    ]
    # The second is mkdocs-material's, for all who build with it.
    told = os.environ | {"LASTHOP_SITE_SOURCE": str(source), "NO_MKDOCS_2_WARNING": "1"}
    if subprocess.run(builder, cwd=ROOT, check=False, env=told).returncode != 0:
        sys.exit("the site could not be built; what it is built with: pip install mkdocs-material")
    print(site / "index.html")


def _scenario(reference: Path, settings: Path) -> Path:
    """Write the pages of the scenario format; return the settings with them in the menu."""
    first = reference / "scenario.md"
    first.write_text(scenario_pages.first(first.read_text(encoding="utf-8")), encoding="utf-8")
    (reference / "scenario").mkdir()
    lines = ["      - The scenario format:", "          - All tables: reference/scenario.md"]
    for name, page in scenario_pages.pages().items():
        (reference / "scenario" / f"{name}.md").write_text(page, encoding="utf-8")
        lines.append(f"          - {name}: reference/scenario/{name}.md")
    menu = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    entry = "      - The scenario format: reference/scenario.md"
    assert entry in menu
    settings.write_text(menu.replace(entry, "\n".join(lines)), encoding="utf-8")
    return settings


def _decisions() -> str:
    """Return the page about decisions with a list of them, newest first."""
    folder = ROOT / "docs" / "decisions"
    lines = [(folder / "index.md").read_text(encoding="utf-8")]
    for path in sorted(folder.glob("0*.md"), reverse=True):
        title = path.read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("# ")
        lines.append(f"- [{title}]({path.name})")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    main()
