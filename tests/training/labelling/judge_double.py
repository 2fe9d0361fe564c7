"""A local OpenAI-compatible endpoint whose judge reads the prompt, and misbehaves where a query asks for it.

The judge is simple: of a document's lines those that begin with "Menu" are navigation, with "Buy" adverts, with
"By" metadata, and those that hold a word of the query of four letters or more are vital. A query may end in marks
such as `#429` that say what goes wrong, once (`#429`) or always (`#429!`).
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections import Counter
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_BLOCK = re.compile(r"<(query|document)-([0-9a-f]+)>\n(.*?)\n</\1-\2>", re.DOTALL)
_MARK = re.compile(r"#([a-z0-9]+)(!?)")


@dataclass(frozen=True)
class Asked:
    """A call: its stage ("intents", "spans" or "both"), its query and its part of the document."""

    stage: str
    query: str
    document: str


class JudgeDouble:
    """`asked` holds the calls; `slow` is how many seconds each takes, `late` how many a call marked #timeout takes.

    `schemas` says whether the endpoint takes a response_format of a JSON schema.
    """

    def __init__(self, *, slow: float = 0.0, late: float = 5.0, schemas: bool = True) -> None:
        self.asked: list[Asked] = []
        self.formats: Counter[str] = Counter()
        self.most_at_once = 0
        self._slow, self._late, self._schemas = slow, late, schemas
        self._lock = threading.Lock()
        self._seen: Counter[tuple[str, str, str]] = Counter()
        self._at_once = 0
        double = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with double._lock:
                    double._at_once += 1
                    double.most_at_once = max(double.most_at_once, double._at_once)
                try:
                    self._send(*double._answer(asked))
                finally:
                    with double._lock:
                        double._at_once -= 1

            def _send(self, status: int, body: str, headers: dict[str, str]) -> None:
                data = body.encode()
                try:
                    self.send_response(status)
                    for name, value in {"Content-Type": "application/json", **headers}.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(data)))
                    self.end_headers()
                    self.wfile.write(data)
                except (BrokenPipeError, ConnectionResetError):
                    # The caller did not wait.
                    self.close_connection = True

            def log_message(self, *arguments: object) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def calls(self) -> Counter[tuple[str, str]]:
        """How often each query was asked in each stage."""
        with self._lock:
            return Counter((asked.query, asked.stage) for asked in self.asked)

    def _answer(self, body: dict[str, Any]) -> tuple[int, str, dict[str, str]]:
        prompt = body["messages"][-1]["content"]
        blocks = {kind: text for kind, _, text in _BLOCK.findall(prompt)}
        stage = (
            "intents" if "document" not in blocks else "both" if '"intents": ["..."]' in prompt else "spans"
        )
        asked = Asked(stage, blocks["query"], blocks.get("document", ""))
        form = body.get("response_format", {}).get("type", "none")
        with self._lock:
            self.formats[form] += 1
            if form == "json_schema" and not self._schemas:
                return 400, json.dumps({"error": {"message": "response_format json_schema: unknown"}}), {}
            self.asked.append(asked)
        time.sleep(self._slow)
        content = json.dumps(judged(asked), ensure_ascii=False)
        finish = "stop"
        for name, always in _MARK.findall(asked.query):
            with self._lock:
                key = (asked.query, asked.stage, name)
                self._seen[key] += 1
                if self._seen[key] > 1 and not always:
                    continue
            if name == "429":
                return 429, json.dumps({"error": {"message": "slow down"}}), {"Retry-After": "0.2"}
            if name == "wait":
                return 429, json.dumps({"error": {"message": "come back later"}}), {"Retry-After": "3600"}
            if name == "500":
                return 500, "<html>bad gateway</html>", {}
            if name == "garbage":
                return 200, "<html>a proxy's page</html>", {}
            if name == "refused":
                return 400, json.dumps({"error": {"message": "the prompt is too long"}}), {}
            if name == "key":
                return 401, json.dumps({"error": {"message": "bad key"}}), {}
            if name == "timeout":
                time.sleep(self._late)
            if name == "broken":
                content = content[: len(content) * 2 // 3]
            if name == "form":
                content = content.replace('"vital"', '"important"').replace("intents", "guesses")
            if name == "cut":
                content, finish = content[: len(content) // 2], "length"
        return 200, json.dumps(_completion(content, finish, prompt)), {}


def judged(asked: Asked) -> dict[str, Any]:
    """What the judge answers when nothing goes wrong; #misquote and #invent change its quotes."""
    intents = {"intents": [f"Find out: {asked.query}"]}
    if asked.stage == "intents":
        return intents
    words = {word.lower() for word in re.findall(r"\w{4,}", asked.query.split("#")[0])}
    spans = []
    for line in asked.document.splitlines():
        start = {"Menu": "navigation", "Buy ": "advert", "By A": "metadata"}.get(line[:4])
        vital = any(word in line.lower() for word in words)
        if start or vital:
            spans.append({"quote": _copied(line, asked.query), "category": start or "vital"})
    if "#invent" in asked.query:
        spans.append({"quote": "This sentence stands nowhere.", "category": "vital"})
    return ({} if asked.stage == "spans" else intents) | {"spans": spans}


def _copied(line: str, query: str) -> str:
    if "#misquote" not in query:
        return line
    return (
        line.replace("“", '"')
        .replace("”", '"')
        .replace("–", "-")
        .replace("**", "")
        .replace(" ", "  ")
        .upper()
    )


def _completion(text: str, finish: str, prompt: str) -> dict[str, Any]:
    tokens = {"prompt_tokens": len(prompt) // 4, "completion_tokens": len(text) // 4}
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 0,
        "model": "double",
        "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}],
        "usage": tokens | {"total_tokens": sum(tokens.values())},
    }
