"""Write THIRD-PARTY-LICENSES.txt: the licences and notices of the Rust crates that are compiled into the wheel.

Usage: python tools/third_party.py, after a change of Cargo.lock. Cargo fetches the crates' sources for it.
"""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
WRITTEN = ROOT / "THIRD-PARTY-LICENSES.txt"

#: The systems that wheels are made for.
TARGETS = ("x86_64-unknown-linux-gnu", "aarch64-apple-darwin", "x86_64-pc-windows-msvc")

#: Files of a crate that state its licence. Where there is a choice, lasthop uses a crate under MIT.
STATED = re.compile(r"(LICEN[CS]E|COPYING|NOTICE|COPYRIGHT)", re.IGNORECASE)
MIT = re.compile(r"MIT|NOTICE", re.IGNORECASE)

HEAD = """Third-party licences

The compiled module of lasthop contains the following Rust crates, and with zstd-sys the C library zstd.
Their licences and notices follow. This file is written by tools/third_party.py.
"""


def compiled(target: str) -> dict[str, dict[str, Any]]:
    """Return the packages by others that are compiled into the module on a system, by name and version."""
    command = [
        "cargo",
        "metadata",
        "--locked",
        "--format-version",
        "1",
        "--filter-platform",
        target,
    ]
    found = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
    packages = {package["id"]: package for package in found["packages"]}
    used = {node["id"]: node["deps"] for node in found["resolve"]["nodes"]}
    todo = [each["id"] for each in found["packages"] if each["name"] == "lasthop-py"]
    seen = set(todo)
    while todo:
        for dependency in used[todo.pop()]:
            package = packages[dependency["pkg"]]
            runs = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            is_macro = any("proc-macro" in made["kind"] for made in package["targets"])
            if runs and not is_macro and package["id"] not in seen:
                seen.add(package["id"])
                todo.append(package["id"])
    named = {
        f"{packages[each]['name']} {packages[each]['version']}": packages[each] for each in seen
    }
    return {name: package for name, package in named.items() if package["source"]}


def texts(package: dict[str, Any]) -> list[str]:
    """Return the licences and notices of a package."""
    folder = Path(package["manifest_path"]).parent
    files = sorted(file for file in folder.iterdir() if file.is_file() and STATED.match(file.name))
    chosen = [file for file in files if MIT.search(file.name)]
    if "MIT" in package["license"] and any("MIT" in file.name.upper() for file in chosen):
        files = chosen
    return [file.read_text(encoding="utf-8").strip() for file in files]


def main() -> None:
    """Write the file."""
    packages = {name: each for target in TARGETS for name, each in compiled(target).items()}
    users: dict[str, list[str]] = {}
    for name, package in sorted(packages.items()):
        for text in texts(package) or [f"Licence: {package['license']}"]:
            users.setdefault(text, []).append(f"{name} ({package['license']})")
    parts = (
        f"{'=' * 80}\n" + "\n".join(names) + f"\n{'-' * 80}\n{text}\n"
        for text, names in users.items()
    )
    WRITTEN.write_text(HEAD + "\n" + "\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
