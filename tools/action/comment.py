"""Write the verdicts on a study as a comment of the pull request: always the same comment.

    python comment.py STUDY SUMMARY.md

It runs as a step of the action, which sets GITHUB_TOKEN, and needs the standard library only.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

#: The most characters that GitHub takes in a comment.
LONGEST = 65_536


def main(study: str, summary: str) -> None:
    """Write the comment; where that fails, as in a pull request from a fork, say so and go on."""
    event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    number = event["pull_request"]["number"]
    mark = f"<!-- lasthop audit {study} -->"
    text = f"{mark}\n{Path(summary).read_text(encoding='utf-8')}"[:LONGEST]
    try:
        there = _earlier(number, mark)
        if there is None:
            _asked("POST", f"issues/{number}/comments", {"body": text})
        else:
            _asked("PATCH", f"issues/comments/{there}", {"body": text})
    except (urllib.error.URLError, TimeoutError) as error:
        print(f"::warning::the verdicts are in the job's summary only: no comment ({error})")


def _earlier(number: int, mark: str) -> int | None:
    """Return the comment of an earlier run on this study."""
    page = 1
    while found := _asked("GET", f"issues/{number}/comments?per_page=100&page={page}"):
        for each in found:
            # Anybody may write a comment that begins so; the action's own is a bot's.
            if each["body"].startswith(mark) and each["user"]["type"] == "Bot":
                return int(each["id"])
        page += 1
    return None


def _asked(method: str, path: str, body: object = None) -> Any:
    """Ask GitHub for something of this repository."""
    address = f"{os.environ['GITHUB_API_URL']}/repos/{os.environ['GITHUB_REPOSITORY']}/{path}"
    headers = {
        "Authorization": f"Bearer {os.environ['GITHUB_TOKEN']}",
        "Accept": "application/vnd.github+json",
        "Content-Type": "application/json",
    }
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


if __name__ == "__main__":
    main(*sys.argv[1:])
