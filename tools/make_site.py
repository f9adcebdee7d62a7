"""Make the documentation site: docs/ and pages made from the program itself, as HTML that can be searched.

    python tools/make_site.py [--strict]     out/site/index.html

The pages that are made: the scenario format from its schema, the commands from the command line, Python from its
docstrings, and what `lasthop list` names. They are in no folder of the repository, so they cannot be out of date.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pages

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "out" / "site-source"
SITE = ROOT / "out" / "site"


def main() -> None:
    """Gather the sources, and have them built."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.copytree(ROOT / "docs", SOURCE)
    made = SOURCE / "reference"
    for name, page in pages.ALL.items():
        (made / f"{name}.md").write_text(page(), encoding="utf-8")
    (SOURCE / "decisions" / "index.md").write_text(_decisions(), encoding="utf-8")
    builder = [sys.executable, "-m", "mkdocs", "build", "--quiet", *sys.argv[1:]]
    quiet = os.environ | {
        "NO_MKDOCS_2_WARNING": "1"
    }  # of mkdocs-material, to all who build with it
    if subprocess.run(builder, cwd=ROOT, check=False, env=quiet).returncode != 0:
        sys.exit("the site could not be built; what it is built with: pip install mkdocs-material")
    print(f"{SITE.relative_to(ROOT)}/index.html")


def _decisions() -> str:
    """Return the list of decisions by their titles, newest first."""
    lines = ["# Decisions", "", "Why things are as they are, newest first.", ""]
    for path in sorted((ROOT / "docs" / "decisions").glob("*.md"), reverse=True):
        title = path.read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("# ")
        lines.append(f"- [{title}]({path.name})")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    main()
