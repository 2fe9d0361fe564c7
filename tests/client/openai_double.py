"""A local OpenAI-compatible endpoint that answers as it is told, over real HTTP."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

# A status and a body to send, or what makes the text of the answer out of the prompt.
Behaviour = tuple[int, str] | Callable[[str], str]


class OpenAIDouble:
    """Answers the n-th call as ``behaviours[n]`` says, the last for all after; ``delay`` seconds late, and with
    ``drip`` seconds before each byte of a body.

    ``finish`` is the finish_reason of the answers, ``headers`` are sent with each; ``prompts`` holds what was asked.
    """

    def __init__(
        self,
        *behaviours: Behaviour,
        delay: float = 0.0,
        drip: float = 0.0,
        finish: str = "stop",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.prompts: list[str] = []
        self._closed = threading.Event()
        double = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                prompt = asked["messages"][-1]["content"]
                double.prompts.append(prompt)
                time.sleep(delay)
                behaviour = behaviours[min(len(double.prompts), len(behaviours)) - 1]
                if isinstance(behaviour, tuple):
                    self._send(*behaviour)
                else:
                    self._send(200, json.dumps(completion(behaviour(prompt), finish)))

            def _send(self, status: int, body: str) -> None:
                data = body.encode()
                try:
                    self.send_response(status)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(data)))
                    for name, value in (headers or {}).items():
                        self.send_header(name, value)
                    self.end_headers()
                    if not drip:
                        self.wfile.write(data)
                        return
                    for byte in data:
                        if double._closed.wait(drip):
                            return
                        self.wfile.write(bytes([byte]))
                except (BrokenPipeError, ConnectionResetError):
                    # The caller did not wait.
                    return

            def log_message(self, *arguments: object) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._closed.set()
        self._server.shutdown()
        self._server.server_close()


def completion(text: str, finish: str = "stop", **message: Any) -> dict[str, Any]:
    """The body of a whole answer; ``message`` is added to its message."""
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 0,
        "model": "double",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": text} | message,
            }
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }
