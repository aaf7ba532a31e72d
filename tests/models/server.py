"""A server on this machine that speaks the OpenAI protocol, with a "model" that picks among the numbered actions.

It takes part in no game's rules: it reads the numbers in the question, as a language model would. `faults` has what
goes wrong with the next requests, in order; `illegal` is the rate of illegal answers.
"""

from __future__ import annotations

import json
import random
import re
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-loopback-0123456789abcdef"
MODEL = "picker-1"
TOKENS_IN, TOKENS_OUT = 1000, 10
PROVIDER_FAULTS = (*("429", "500", "hang", "cut", "wrong-json", "huge", "content-type", "drip", "closed"),)
"""Faults of the provider: the request is sent again."""
MODEL_FAULTS = ("empty-choice", "truncated", "prose", "two-blocks", "illegal")
"""What a model may say; some of it is an answer."""
_NUMBER = re.compile(r"^(\d+): ", re.MULTILINE)


class Provider(ThreadingHTTPServer):
    """The server. `paid` has the body of each request that was answered with status 200 and so is paid, `paid_labels`
    its label."""

    daemon_threads = True
    block_on_close = False

    def __init__(
        self, faults: tuple[str, ...] = (), illegal: float = 0.0, pause: float = 0.0, always: str = ""
    ) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.faults = deque(faults)
        self.always = always
        """A fault of every request."""
        self.illegal = illegal
        self.pause = pause
        """Seconds before each answer."""
        self.lock = threading.Lock()
        self.paid: list[str] = []
        self.paid_labels: list[str] = []
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.times: list[float] = []
        self.dice = random.Random(1)
        self.closing = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Nothing: clients go away, as they should."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Provider

    def do_POST(self) -> None:
        server = self.server
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        asked = json.loads(body)
        with server.lock:
            server.asked.append(asked)
            server.headers.append(dict(self.headers))
            server.times.append(time.monotonic())
            fault = server.always or (server.faults.popleft() if server.faults else "")
            illegal = server.dice.random() < server.illegal
        if self.path != "/v1/chat/completions":
            return self._send(404, {"error": {"message": "no such path"}})
        if self.headers["Authorization"] != f"Bearer {KEY}":
            message = f"Incorrect API key provided: {self.headers['Authorization']}"
            return self._send(401, {"error": {"message": message, "code": "invalid_api_key"}})
        if asked["model"] != MODEL:
            return self._send(404, {"error": {"message": "no such model", "code": "model_not_found"}})
        numbers = list(map(int, _NUMBER.findall(asked["messages"][1]["content"])))
        if fault == "illegal" or illegal:
            text = f'{{"action": {len(numbers) + 5}}}'
        else:
            with server.lock:
                text = f'{{"action": {server.dice.choice(numbers)}}}'
        server.closing.wait(server.pause)
        return self._fail(fault, text, numbers, body) if fault else self._answer(text, body)

    def _answer(self, text: str, body: str, finish: str = "stop", choices: list[Any] | None = None) -> None:
        with self.server.lock:
            self.server.paid.append(body)
            self.server.paid_labels.append(self.headers["Idempotency-Key"])
        self._send(200, completion(text, finish, choices))

    def _fail(self, fault: str, text: str, numbers: list[int], body: str) -> None:
        whole = json.dumps(completion(text)).encode()
        match fault:
            case "429":
                self._send(429, {"error": {"message": "slow down"}}, {"Retry-After": "1"})
            case "500":
                self._send(500, {"error": {"message": "sorry"}})
            case "hang":
                self.server.closing.wait(60)
            case "cut":
                self._start(200, len(whole))
                self.wfile.write(whole[:40])
            case "wrong-json":
                self._start(200, len(whole))
                self.wfile.write(b"{" + whole[1:].replace(b'"', b"'"))
            case "huge":
                self._start(200, len(whole) + (8 << 20))
                with suppress(OSError):
                    self.wfile.write(whole + b" " * (8 << 20))
            case "content-type":
                self._start(200, len(whole), "text/html")
                self.wfile.write(whole)
            case "drip":
                self._start(200, len(whole))
                with suppress(OSError):
                    for byte in whole:
                        if self.server.closing.wait(0.3):
                            break
                        self.wfile.write(bytes([byte]))
                        self.wfile.flush()
            case "closed":
                pass
            case "empty-choice":
                return self._answer("", body, choices=[])
            case "truncated":
                return self._answer('I think that the best would be {"act', body, finish="length")
            case "prose":
                return self._answer(f"Let me think {{about}} it.\n\n```json\n{text}\n```\nThat is it.", body)
            case "two-blocks":
                return self._answer(f'First I thought {{"action": 99999}}, but no: {text}', body)
            case "illegal":
                return self._answer(text, body)
            case _:
                self._send(int(fault), {"error": {"message": "no"}}, {"Location": "http://127.0.0.1:1/"})
        self.close_connection = True
        return None

    def _send(self, status: int, answer: Any, headers: dict[str, str] | None = None) -> None:
        data = json.dumps(answer).encode()
        self._start(status, len(data), headers=headers)
        with suppress(OSError):
            self.wfile.write(data)

    def _start(
        self,
        status: int,
        size: int,
        kind: str = "application/json; charset=utf-8",
        headers: dict[str, str] | None = None,
    ) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(size), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


def completion(text: str, finish: str = "stop", choices: list[Any] | None = None) -> dict[str, Any]:
    """An answer as the protocol has it."""
    message = {"role": "assistant", "content": text}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": MODEL,
        "choices": [{"index": 0, "message": message, "finish_reason": finish}] if choices is None else choices,
        "usage": {"prompt_tokens": TOKENS_IN, "completion_tokens": TOKENS_OUT, "total_tokens": TOKENS_IN + TOKENS_OUT},
    }


@contextmanager
def provider(*faults: str, illegal: float = 0.0, pause: float = 0.0, always: str = "") -> Iterator[Provider]:
    """A running server."""
    server = Provider(faults, illegal, pause, always)
    thread = threading.Thread(target=server.serve_forever, args=[0.02], daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


if __name__ == "__main__":
    with provider() as running:
        print(f"{running.url} {MODEL} {KEY}", flush=True)
        threading.Event().wait()
