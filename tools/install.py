"""Install the dependencies that pyproject.toml names into the running environment; beside it, compile the core.

Packages come over the network and the compiler wants one core for most of its time: together they take hardly
longer than the longer of both. What was compiled is installed by `maturin develop`, which then compiles nothing.
"""

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PIP = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile"]
PIP += ["--disable-pip-version-check"]


def main() -> int:
    """Read pyproject.toml and hand its dependencies, development ones included, to pip."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = [
        *project["project"]["dependencies"],
        *project["project"]["optional-dependencies"]["dev"],
    ]
    compiler = None if list(ROOT.glob("python/lasthop/_core*.so")) else _compile(project)
    print(f"installing {len(wanted)} Python packages", flush=True)
    installed = subprocess.run([*PIP, *wanted], check=False).returncode
    return (compiler.wait() if compiler else 0) or installed


def _compile(project: dict[str, Any]) -> "subprocess.Popen[bytes]":
    """Begin to compile the core into the source tree."""
    subprocess.run([*PIP, *project["build-system"]["requires"]], check=True)
    print("compiling the core, which takes a minute or two", flush=True)
    maturin = [str(Path(sys.executable).with_name("maturin")), "develop", "--release", "--quiet"]
    return subprocess.Popen([*maturin, "--skip-install"], cwd=ROOT)


if __name__ == "__main__":
    sys.exit(main())
