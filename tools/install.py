"""Install the dependencies that pyproject.toml names into the running environment, without building lasthop."""

import subprocess
import sys
import tomllib
from pathlib import Path


def main() -> int:
    """Read pyproject.toml and hand its dependencies, development ones included, to pip."""
    root = Path(__file__).resolve().parent.parent
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    print(f"installing {len(wanted)} Python packages", flush=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    return subprocess.run([*pip, *wanted], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
