"""Scenarios of `lasthop new` in editors: taplo and tombi find the schema, complete from it and mark mistakes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
import time
from pathlib import Path
from typing import Any

import pytest

from commands import ROOT, lasthop
from lasthop.core.shipped import about
from lasthop.study.making import SCHEMA, schema_line
from lasthop.study.making.scenarios import KINDS
from processes import started


def program(name: str) -> str:
    """Return a program; skip where it is not there, and fail where LASTHOP_REQUIRE_TOOLS is set, as in CI."""
    places = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])
    if (found := shutil.which(name, path=places)) is not None:
        return found
    reason = f"{name} is not there: pip install {name}"
    if os.environ.get("LASTHOP_REQUIRE_TOOLS"):
        pytest.fail(reason)
    pytest.skip(reason)


LINT = {"taplo": ["lint"], "tombi": ["lint", "--offline"]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the schema."""
    (tmp_path / SCHEMA).write_text(lasthop("schema").stdout)
    return tmp_path


@pytest.mark.parametrize("name", LINT)
@pytest.mark.parametrize("kind", KINDS)
def test_what_we_write_is_right_for_editors_and_a_mistake_is_not(
    folder: Path, kind: str, name: str
) -> None:
    command = [program(name), *LINT[name], "made.toml"]
    assert lasthop("new", kind, "made", cwd=folder).returncode == 0
    text = (folder / "made.toml").read_text()
    assert text.startswith(f"#:schema ./{SCHEMA}\n")
    for changed, code in ((text, 0), (text.replace("\npackets = ", "\npakets = "), 1)):
        (folder / "made.toml").write_text(changed)
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
        assert done.returncode == code, done.stdout + done.stderr


@pytest.mark.parametrize("name", LINT)
@pytest.mark.parametrize("path", sorted((ROOT / "scenarios").glob("*.toml")), ids=lambda p: p.stem)
def test_scenarios_that_we_ship_keep_to_the_schema(folder: Path, path: Path, name: str) -> None:
    command = [program(name), *LINT[name], path.name]
    (folder / path.name).write_text(f"#:schema ./{SCHEMA}\n{path.read_text()}")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("[queue]\n|\n", {"packets", "bytes", "mark_above"}),
        ("[tcp]\nvariant = |\n", {'"cubic"', '"bbr"', '"prague"'}),
        ("|\n", {"link", "cell", "flow", "duration", "conventions"}),
    ],
)
def test_keys_and_values_are_completed(folder: Path, text: str, there: set[str]) -> None:
    # The taplo of PyPI has no language server, so completion is tried with tombi.
    whole = f'#:schema ./{SCHEMA}\nname = "made"\n\n{text}'
    before = whole.partition("|")[0]
    place = {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}
    assert there <= completed(folder / "made.toml", whole.replace("|", ""), place)


def completed(file: Path, text: str, place: dict[str, int]) -> set[str]:
    """Ask tombi's language server, as an editor does, for the completions at a place of a file."""
    file.write_text(text)
    with started(
        [program("tombi"), "lsp", "--offline"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        folder = {"uri": file.parent.as_uri(), "name": "scenarios"}
        _request(process, "initialize", {"capabilities": {}, "workspaceFolders": [folder]})
        document = {"uri": file.as_uri(), "languageId": "toml", "version": 1, "text": text}
        _send(process, {"method": "initialized", "params": {}})
        _send(process, {"method": "textDocument/didOpen", "params": {"textDocument": document}})
        asked = {"textDocument": {"uri": file.as_uri()}, "position": place}
        found, end = None, time.monotonic() + 300
        while not found and time.monotonic() < end:  # before it has read the schema it says nothing
            time.sleep(0.05)
            found = _request(process, "textDocument/completion", asked)
    items = found["items"] if isinstance(found, dict) else found
    return {item["label"] for item in items}


def _request(process: subprocess.Popen[bytes], method: str, params: dict[str, Any]) -> Any:
    """Send a request and return its result; what the server asks in between is answered with nothing."""
    _send(process, {"id": 1, "method": method, "params": {"processId": None, **params}})
    while True:
        message = _receive(process)
        if "method" not in message:
            return message["result"]
        if "id" in message:
            _send(process, {"id": message["id"], "result": None})


def _send(process: subprocess.Popen[bytes], message: dict[str, Any]) -> None:
    assert process.stdin is not None
    content = json.dumps({"jsonrpc": "2.0", **message}).encode()
    process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(content), content))
    process.stdin.flush()


def _receive(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    assert process.stdout is not None
    length = 0
    while line := process.stdout.readline().strip():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    message: dict[str, Any] = json.loads(process.stdout.read(length))
    return message


def test_the_nearest_schema_is_named_and_none_where_there_is_none(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    assert schema_line(deep) == ""
    (tmp_path / SCHEMA).write_text("{}")
    assert schema_line(deep) == f"#:schema ../../{SCHEMA}\n"
    (tmp_path / "a" / SCHEMA).write_text("{}")
    assert schema_line(deep) == f"#:schema ../{SCHEMA}\n"
    assert schema_line(tmp_path) == f"#:schema ./{SCHEMA}\n"
    made = lasthop("new", "wire", "--out", "b", cwd=tmp_path / "a")
    assert made.returncode == 0
    assert (deep / "wire.toml").read_text().startswith(f"#:schema ../{SCHEMA}\n# ")


def test_the_line_is_no_part_of_what_a_scenario_is_about() -> None:
    text = "# Two hosts behind a wired link.\n\nname = 'x'\n"
    assert about(f"#:schema ./{SCHEMA}\n{text}") == about(text) == "Two hosts behind a wired link"
