"""racgen in the style of NeMo Gym: rows as lines of JSON with a prompt each, and a server that verifies responses over HTTP.

    racgen.nemo_gym.write_lines(racgen.dataset("blocks", items=1000), "train.jsonl")
    python -m racgen.nemo_gym --port 8000

A line has `responses_create_params` with the chat as `input`, and the columns that judging reads. `POST /verify` takes a line
with the `response` of a model beside it, as the Responses API gives it, and returns it all with a `reward`. Nothing but Python's
own library is needed.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from pathlib import Path
from typing import Any

from racgen._dataset import Row
from racgen.errors import RacgenError, UsageError
from racgen.options import Folders
from racgen.prompts import chat, judged
from racgen.scoring import score_answer

#: Bytes of a request that is read.
_MOST_BYTES = 64 << 20


def line(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as a task."""
    return {"responses_create_params": {"input": chat(row)}, "id": row["id"], **judged(row)}


def lines(rows: Iterable[Row]) -> Iterator[str]:
    """Rows as lines of JSON."""
    for row in rows:
        yield json.dumps(line(row), ensure_ascii=False) + "\n"


def write_lines(rows: Iterable[Row], path: str | os.PathLike[str], *, items: int | None = None) -> Path:
    """Writes rows as lines of JSON into a file; the first `items` of them, if that is given."""
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(islice(lines(rows), items))
    return Path(path)


def said(response: Any) -> str:
    """The text of a response: what its last message says, of the items of its `output`, or the text itself."""
    if isinstance(response, str):
        return response
    items = response.get("output") or []
    messages = [item for item in items if item.get("type", "message") == "message"]
    if not messages:
        return ""
    content = messages[-1].get("content") or ""
    return content if isinstance(content, str) else "".join(part.get("text") or "" for part in content)


def verify(task: Mapping[str, Any], *, partial: bool = False, domain_dir: Folders = None) -> dict[str, Any]:
    """A line with its `response`, and beside it the `reward`.

    Raises:
        UsageError: there is no response, or a column that judging needs is missing.
    """
    response = task.get("response")
    if not isinstance(response, (str, Mapping)):
        raise UsageError("the request has no `response`; it takes a line of write_lines() with the model's response beside it")
    return {**task, "reward": score_answer(said(response), task, partial=partial, domain_dir=domain_dir)}


def server(
    host: str = "127.0.0.1", port: int = 0, *, partial: bool = False, domain_dir: Folders = None
) -> ThreadingHTTPServer:
    """A server that is ready to serve: `serve_forever()` begins, `server_address` is where. Port 0 is one that is free.

    It answers `POST /verify`, `POST /seed_session` (with nothing, since a question has no state) and `GET /health`.
    """

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer(200 if self.path == "/health" else 404, {"status": "ok"} if self.path == "/health" else {})

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            if length > _MOST_BYTES:
                self.close_connection = True
                return self._answer(413, {"error": f"the request has more than {_MOST_BYTES} bytes"})
            body = self.rfile.read(length)
            if self.path == "/seed_session":
                return self._answer(200, {})
            if self.path != "/verify":
                return self._answer(404, {"error": f"there is no {self.path}; there are /verify and /seed_session"})
            try:
                task = json.loads(body)
                if not isinstance(task, dict):
                    raise UsageError("the request is no JSON object")
                told = verify(task, partial=partial, domain_dir=domain_dir)
            except (UsageError, json.JSONDecodeError, AttributeError, TypeError) as error:
                return self._answer(422, {"error": str(error)})
            except RacgenError as error:
                return self._answer(500, {"error": str(error)})
            self._answer(200, told)

        def _answer(self, status: int, told: Mapping[str, Any]) -> None:
            body = json.dumps(told).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Says nothing: a request a rollout is many."""

    return ThreadingHTTPServer((host, port), Handler)


def main() -> None:
    """The server as a program."""
    asked = argparse.ArgumentParser(prog="python -m racgen.nemo_gym", description="Verifies responses to racgen's items.")
    asked.add_argument("--host", default="127.0.0.1", help="where it listens (default: %(default)s)")
    asked.add_argument("--port", type=int, default=8000, help="default: %(default)s; 0 for one that is free")
    asked.add_argument("--partial", action="store_true", help="give lists that are not right their F1")
    asked.add_argument("--domain-dir", action="append", metavar="DIR", help="look for domain packages here, too")
    given = asked.parse_args()
    serving = server(given.host, given.port, partial=given.partial, domain_dir=given.domain_dir)
    chosen = serving.server_address[1]
    print(f"http://{given.host}:{chosen}/verify", flush=True)
    try:
        serving.serve_forever()
    except KeyboardInterrupt:
        serving.server_close()


if __name__ == "__main__":
    main()
