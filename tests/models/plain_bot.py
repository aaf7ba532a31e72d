"""A bot with a language model that starts fast: it imports neither `openai` nor `fa_cli`, as the kit's bot does.

It asks the same gateway in the same way, with other words. `model_bot(..., plain=True)` copies it.
"""

from __future__ import annotations

import http.client
import json
import os
import socket
import sys
from typing import Any


def choose(gateway: http.client.HTTPConnection, decide: Any, asked: int) -> str:
    """The action that the model picks among the numbered ones."""
    legal = decide["legal"]
    numbered = "\n".join(f"{number}: {action}" for number, action in enumerate(legal))
    question = f"Decision {asked}: {json.dumps(decide['observation'])}\n{numbered}"
    messages = [{"role": "system", "content": "Play to win."}, {"role": "user", "content": question}]
    gateway.request("POST", "/v1/chat/completions", json.dumps({"model": "any", "messages": messages}))
    reply = gateway.getresponse()
    text = reply.read()
    if reply.status != 200:
        sys.exit(f"Error code: {reply.status} - {text.decode()}")
    answer = json.loads(json.loads(text)["choices"][0]["message"]["content"])
    return str(legal[answer["action"]])


def main() -> None:
    """Answer the lines of the protocol."""
    gateway = http.client.HTTPConnection("fa")
    gateway.sock = socket.socket(socket.AF_UNIX)
    gateway.sock.connect(os.environ["FA_MODEL_SOCKET"])
    asked = 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            print('{"type":"ready","wants":["legal","observation"]}', flush=True)
        elif message["type"] == "start":
            asked = 0
            print('{"type":"ready"}', flush=True)
        elif message["type"] == "decide":
            asked += 1
            print(json.dumps({"action": choose(gateway, message, asked)}), flush=True)


if __name__ == "__main__":
    main()
