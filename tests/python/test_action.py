"""The GitHub Action: its steps run here, with a GitHub that is a folder, a bare repository and a small server."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from commands import ROOT, lasthop

yaml = pytest.importorskip("yaml", reason="mkdocs brings it")

ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
STEPS = [step for step in ACTION["runs"]["steps"] if "run" in step]
STUDY = (ROOT / "tests" / "snapshots" / "loss.toml").read_text()
TIMEOUT_S = 280


@dataclass
class Job:
    """A job on a runner: its work tree, what it is about, and what its steps have said."""

    tree: Path
    event: str
    inputs: dict[str, str]
    api: str = ""
    outputs: dict[str, str] = field(default_factory=dict)
    path: str = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

    def value(self, text: str) -> str:
        """Fill in what `${{ }}` names."""

        def named(found: re.Match[str]) -> str:
            kind, _, name = found[1].rpartition(".")
            if kind == "inputs":
                default = str(ACTION["inputs"][name].get("default", ""))
                return self.inputs.get(name) or self.value(default)
            return {"steps.audit.outputs": self.outputs, "github": {"token": "secret"}}[kind][name]

        return re.sub(r"\$\{\{ (.+?) \}\}", named, text)

    def wants(self, step: dict[str, Any]) -> bool:
        """Tell whether the condition of a step is met."""

        def met(term: str) -> bool:
            left, sign, right = term.split()
            known = self.event if left == "github.event_name" else self.value(f"${{{{ {left} }}}}")
            return (known == right.strip("'")) == (sign == "==")

        return all(met(term) for term in step.get("if", "'' == ''").split(" && ") if "." in term)

    def run(self, step: dict[str, Any]) -> subprocess.CompletedProcess[str]:
        """Run a step as a runner does."""
        runner = self.tree.parent
        event = runner / "event.json"
        event.write_text(json.dumps({"pull_request": {"number": 7}}))
        env = {
            "PATH": self.path,
            "HOME": str(runner),
            "RUNNER_TEMP": str(runner),
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_STEP_SUMMARY": str(runner / "summary.md"),
            "GITHUB_OUTPUT": str(runner / "output"),
            "GITHUB_EVENT_PATH": str(event),
            "GITHUB_REPOSITORY": "someone/study",
            "GITHUB_API_URL": self.api,
            **{key: self.value(value) for key, value in step["env"].items()},
        }
        words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done = subprocess.run(
            words, cwd=self.tree, env=env, capture_output=True, text=True, timeout=TIMEOUT_S
        )
        if (runner / "output").is_file():
            lines = (runner / "output").read_text().splitlines()
            self.outputs |= dict(line.split("=", 1) for line in lines)
        return done


AUDIT, COMMENT, BADGE, FAIL = STEPS


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Job:
    """Return a job whose audit has run."""
    tree = tmp_path_factory.mktemp("runner") / "work"
    tree.mkdir()
    (tree / "loss.toml").write_text(STUDY)
    inputs = {"study": "loss.toml", "badge": "loss", "badge-branch": "badges"}
    job = Job(tree, "pull_request", inputs)
    done = job.run(AUDIT)
    assert done.returncode == 0, done.stderr
    return job


def test_the_verdicts_are_in_the_jobs_summary(job: Job) -> None:
    told = (job.tree.parent / "summary.md").read_text()
    assert told.startswith("## loss: claims hold 2/3\n")
    assert "| ✕ does not hold | L2: Reno gets twice the goodput of Cubic." in told
    assert "<summary>goodput, download, by variant of TCP: 2 ▲ better, 1 ▼ worse" in told
    assert job.outputs["holds"] == "2"
    assert job.outputs["claims"] == "3"


def test_a_badge_says_how_many_claims_hold(job: Job) -> None:
    endpoint = json.loads((job.tree / "loss.json").read_text())
    assert endpoint == {
        "schemaVersion": 1,
        "label": "claims hold",
        "message": "2/3",
        "color": "b3261e",
    }
    drawn = (job.tree / "loss.svg").read_text()
    assert re.findall(r"<text [^>]+>([^<]+)</text>", drawn) == ["claims hold", "2/3"]
    assert len(drawn) < 1000


def test_a_job_fails_where_a_claim_does_not_hold(job: Job) -> None:
    assert job.wants(FAIL)
    failed = job.run(FAIL)
    assert failed.returncode == 1
    assert failed.stdout == "::error::1 of the claims of loss.toml do not hold\n"
    assert not Job(job.tree, "push", {"fail": "false"}).wants(FAIL)
    sound = Job(job.tree.parent / "none" / "x", "push", job.inputs, outputs={"broken": "0"})
    sound.tree.mkdir(parents=True)
    assert sound.run(FAIL).returncode == 0


class Hub(BaseHTTPRequestHandler):
    """The part of GitHub that has comments."""

    comments: ClassVar[dict[int, str]] = {1: "another's"}
    asked: ClassVar[list[str]] = []
    refuses = False

    def answer(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"] or 0)) or "{}")
        self.asked.append(f"{self.command} {self.path}")
        assert self.headers["Authorization"] == "Bearer secret"
        if self.command == "GET":
            first = self.path.endswith("&page=1")
            bot = {"user": {"type": "Bot"}}
            found: Any = [bot | {"id": n, "body": b} for n, b in self.comments.items() if first]
        else:
            number = int(self.path.rsplit("/", 1)[1]) if self.command == "PATCH" else 2
            found = {"id": number}
            self.comments[number] = body["body"]
        self.send_response(403 if self.refuses else 200)
        self.end_headers()
        self.wfile.write(json.dumps(found).encode())

    do_GET = do_POST = do_PATCH = answer  # noqa: N815 the names that the library calls

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def hub() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Hub)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_pull_request_has_one_comment(job: Job, hub: str) -> None:
    assert job.wants(COMMENT)
    job.api = hub
    for _ in range(2):
        done = job.run(COMMENT)
        assert done.returncode == 0, done.stderr
    assert Hub.comments.keys() == {1, 2}
    assert "claims hold 2/3" in Hub.comments[2]
    assert [words.split()[0] for words in Hub.asked if "GET" not in words] == ["POST", "PATCH"]
    Hub.refuses = True
    refused = job.run(COMMENT)  # a pull request from a fork
    Hub.refuses = False
    assert (refused.returncode, refused.stdout[:9]) == (0, "::warning")
    assert not Job(job.tree, "push", job.inputs).wants(COMMENT)


def test_a_push_puts_the_badge_beside_the_others(job: Job) -> None:
    assert not job.wants(BADGE)
    push = Job(job.tree, "push", job.inputs, outputs=job.outputs)
    assert push.wants(BADGE)
    assert not Job(job.tree, "push", {}).wants(BADGE)

    def git(*words: str) -> str:
        done = subprocess.run(
            ["git", *words], cwd=job.tree, capture_output=True, text=True, timeout=TIMEOUT_S
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    git("init", "-q")
    git("init", "-q", "--bare", "../hub.git")
    git("remote", "add", "origin", "../hub.git")
    for name in ("loss", "other", "other"):
        for ending in ("svg", "json"):
            if name != "loss":
                shutil.copy(job.tree / f"loss.{ending}", job.tree / f"{name}.{ending}")
        push.inputs = push.inputs | {"badge": name}
        done = push.run(BADGE)
        assert done.returncode == 0, done.stderr
    held = git("--git-dir", "../hub.git", "ls-tree", "--name-only", "badges").split()
    assert held == ["loss.json", "loss.svg", "other.json", "other.svg"]
    # Without a change there is no commit.
    assert git("--git-dir", "../hub.git", "rev-list", "--count", "badges").strip() == "2"


def test_what_the_job_lacks_is_installed(tmp_path: Path) -> None:
    tree = tmp_path / "work"
    tree.mkdir()
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("bash", "cat"):
        (tools / name).symlink_to(str(shutil.which(name)))
    (tools / "python3").write_text('#!/bin/sh\necho "$@" >> "$RUNNER_TEMP/asked"\nexit 3\n')
    (tools / "python3").chmod(0o755)
    job = Job(tree, "push", {"study": "x.toml", "lasthop": "lasthop==0.1.0"}, path=str(tools))
    assert job.run(AUDIT).returncode == 3
    assert (tmp_path / "asked").read_text() == "-m pip install --quiet lasthop==0.1.0\n"


def test_every_input_and_output_is_used_and_told() -> None:
    text = (ROOT / "action.yml").read_text()
    guide = (ROOT / "docs" / "guides" / "github.md").read_text()
    for name in ACTION["inputs"]:
        assert re.search(rf"inputs\.{name}\b(?!-)", text)
        assert f"| `{name}` |" in guide
    for output in ACTION["outputs"]:
        assert f"steps.audit.outputs.{output}" in text
    assert "--summary" in lasthop("audit", "--help").stdout
