"""Check the arrows of ARCHITECTURE.md: which crates may use which, what none below `py` may touch; and that
all tests run.

Within a crate arrows run one way too: modules that use each other are a circle, and `module_circles.py` says what
counts. The rooms of the Python package are held by `room_arrows.py`.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

from module_circles import NO_CODE, USE, circles, leaves
from room_arrows import wrong_rooms

ROOT = Path(__file__).resolve().parent.parent

#: The crates that each crate may use. A crate that is not listed may use nothing, so a new one must be
#: entered here.
ALLOWED = {
    "base": set(),
    "engine": {"base"},
    "net": {"base"},
    "radio": {"base"},
    "wifi": {"base", "net", "radio"},
    "wimax": {"base", "net", "radio"},
    "transport": {"base", "net"},
    "apps": {"base", "net", "transport"},
    "conformance": {"base", "transport"},
    "counting": set(),
    "noticing": set(),
    "panels": {"noticing", "record"},
    "mobileip": {"base"},
    "dsdv": {"base"},
    "world": {
        "base",
        "dsdv",
        "engine",
        "mobileip",
        "net",
        "radio",
        "wifi",
        "wimax",
        "transport",
        "apps",
    },
    "capture": {"base", "engine", "net", "wifi", "transport", "world"},
    "record": {"apps", "base", "engine", "net", "wifi", "wimax", "transport", "world"},
    "scenario": {
        "base",
        "dsdv",
        "engine",
        "mobileip",
        "net",
        "radio",
        "record",
        "wifi",
        "wimax",
        "transport",
        "apps",
        "world",
    },
    "codewords": {"base", "radio", "wifi"},
    "players": {"base", "engine", "net", "radio", "scenario", "transport", "wifi", "wimax"},
    "web": {"noticing", "panels", "record", "scenario"},
    "py": {
        "base",
        "capture",
        "conformance",
        "noticing",
        "panels",
        "record",
        "scenario",
        "transport",
    },
}

#: Names that no crate below `py` may use: I/O, threads, clock, environment, shared mutable state, globals
#: that change.
FORBIDDEN = re.compile(
    r"std::(fs|net|thread|env|process|io::std|time::(Instant|SystemTime)|sync::(Mutex|RwLock|LazyLock))\b"
    r"|\bstatic mut\b|\bthread_local!|\bHashMap\b|\bHashSet\b"
    r"|\bstatic\s+\w+\s*:[^=;]*\b(Mutex|RwLock|\w*Lock|\w*Cell|Atomic\w+|Once|Lazy)\b"
)


#: The crates that only tests are built with: what the core must not touch, they may.
OF_TESTS = {"counting"}

#: The crates outside `crates/`: proof, in no wheel.
ELSEWHERE = {name: ROOT / "validation" / name for name in ("codewords", "players")}


def crate_folder(crate: str) -> Path:
    """Give the folder of a crate."""
    return ELSEWHERE.get(crate, ROOT / "crates" / crate)


def crate_name(package: str) -> str:
    """Give the short name of a package: lasthop-net is net."""
    return package.removeprefix("lasthop-")


def wrong_arrows() -> list[str]:
    """List the dependencies between our crates that are not allowed; test dependencies do not count."""
    command = ["cargo", "metadata", "--format-version", "1", "--no-deps", "--offline"]
    found = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    wrong = []
    for package in json.loads(found.stdout)["packages"]:
        user = crate_name(package["name"])
        if user not in ALLOWED:
            wrong.append(f"crate {user} is not listed in tools/check_arrows.py")
            continue
        for dependency in package["dependencies"]:
            used = crate_name(dependency["name"])
            ours = dependency["name"].startswith("lasthop-") and dependency["kind"] is None
            if ours and used not in ALLOWED[user]:
                wrong.append(f"crate {user} must not use {used}")
    return wrong


def forbidden_names() -> list[str]:
    """List the places below `py` that name what the core must not touch."""
    wrong = []
    for crate in sorted(ALLOWED.keys() - {"py"} - OF_TESTS - ELSEWHERE.keys()):
        for path in sorted((crate_folder(crate) / "src").rglob("*.rs")):
            for number, name in forbidden_in(path.read_text()):
                wrong.append(f"{path.relative_to(ROOT)}:{number}: {name} has no place here")
    return wrong


def forbidden_in(text: str) -> list[tuple[int, str]]:
    """List the lines of a file that name what the core must not touch, and what each names.

    An import counts as the paths that it brings in: `use std::sync::{Arc, Mutex};` names `std::sync::Mutex`.
    """
    code = NO_CODE.sub(lambda match: '""' + "\n" * match[0].count("\n"), text)
    found = {(code.count("\n", 0, m.start()) + 1, m[0]) for m in FORBIDDEN.finditer(code)}
    for use in USE.finditer(code):
        number = code.count("\n", 0, use.start(2)) + 1
        paths = ("::".join(path) for _, path in leaves(use[2]))
        found |= {(number, m[0]) for path in paths if (m := FORBIDDEN.search(path))}
    return sorted(found)


def imports_of_the_proof() -> list[str]:
    """List the places in the package that import what no wheel has; `core.checkout` alone finds it, by name."""
    wrong = []
    for path in sorted((ROOT / "python" / "lasthop").rglob("*.py")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if re.match(r"\s*(from|import) lasthop_validation", line):
                place = f"{path.relative_to(ROOT)}:{number}"
                wrong.append(
                    f"{place}: lasthop_validation is in no wheel: use lasthop.core.checkout"
                )
    return wrong


def silent_tests() -> list[str]:
    """List the test files that no binary has: `tests/all/main.rs` of their crate does not name them."""
    wrong = []
    mains = [crate_folder(crate) / "tests" / "all" / "main.rs" for crate in sorted(ALLOWED)]
    for main in filter(Path.exists, mains):
        named = set(re.findall(r"^mod (\w+);", main.read_text(), re.MULTILINE))
        for path in sorted(main.parent.iterdir()):
            if path.stem not in named | {"main"}:
                wrong.append(
                    f"{path.relative_to(ROOT)}: never run, since main.rs beside it does not name it"
                )
    return wrong


def circles_of_modules() -> list[str]:
    """List the modules that use each other in a circle."""
    wrong = []
    for crate in sorted(ALLOWED):
        for circle in circles(crate_folder(crate) / "src"):
            tied = "".join(f"\n    {arrow}" for arrow in circle.arrows)
            wrong.append(f"crate {crate}: modules that use each other in a circle:{tied}")
    return wrong


def main() -> int:
    """Print what is wrong; exit 1 where something is."""
    wrong = wrong_arrows() + forbidden_names() + imports_of_the_proof() + silent_tests()
    wrong += circles_of_modules() + wrong_rooms(ROOT / "python" / "lasthop")
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
