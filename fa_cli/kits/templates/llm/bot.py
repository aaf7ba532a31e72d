"""A bot that asks a language model. Change what it says to the model, and see with `fa tournament run` how it does.

For each decision the model gets the rules, what happened, the board as this seat sees it, and the legal actions with
numbers. The last JSON object in its answer counts. An answer without a legal action gets one more try, with the reason.

The bot has no network: it reaches the model that bot.toml names through a socket of `fa`, which adds the key, keeps
what was said, and counts what it costs.
"""

from __future__ import annotations

import json
import os
import tomllib
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from fa_cli.bot import generator, run
from fa_cli.games import find_game

try:
    from httpx2 import HTTPTransport
    from openai import DefaultHttpxClient, OpenAI
except ImportError as error:
    raise SystemExit(f"no package named {error.name}: pip install 'fa-cli[llm]'") from None

MODEL = tomllib.loads(Path("bot.toml").read_text("utf-8"))["model"]
MOST_EVENTS = 150  # of what happened, the last so many events are told
LONGEST = 20_000  # of an answer, the last so many characters are read
SYSTEM = """You play the board game {title}. Play to win.

{rules}

The rules above are played with these options: {options}.
How to read the board: {legend}"""
QUESTION = """You are seat {seat}, {name}. The players, by seat: {players}.

What happened, the latest last:
{history}

What you see:
{view}

Your legal actions:
{actions}

Choose one. Think as long as you like, and end with JSON and its number, as in {{"action": 0}}."""
AGAIN = """That does not count: {problem}. Answer again, and end with JSON and the number of a legal action, as in \
{{"action": 0}}."""


class Player:
    """Asks the model; remembers the events of the game."""

    def __init__(self) -> None:
        transport = HTTPTransport(uds=os.environ["FA_MODEL_SOCKET"])
        self.http = DefaultHttpxClient(transport=transport, base_url="http://fa/v1", timeout=None)
        # the gateway of `fa` has the key, and sends what fails again
        self.client = OpenAI(api_key="-", base_url="http://fa/v1", http_client=self.http, max_retries=0)
        self.start: Any = None
        self.events: list[str] = []

    def choose(self, decide: Any, start: Any) -> str:
        """One of the legal actions, as the model says."""
        if start is not self.start:  # a new game
            self.start, self.events, self.dice = start, [], generator(start)
        self.events += [told(event, start["players"]) for event in decide["events"]]
        legal = decide["legal"]
        messages = [
            {"role": "system", "content": system(start)},
            {"role": "user", "content": question(decide, start, self.events[-MOST_EVENTS:])},
        ]
        answer, problem = "", ""
        for _ in range(2):
            if problem:
                messages += [
                    {"role": "assistant", "content": answer or "(nothing)"},
                    {"role": "user", "content": AGAIN.format(problem=problem)},
                ]
            completion = self.client.chat.completions.create(model=MODEL["model"], messages=messages)
            choice = completion.choices[0] if completion.choices else None
            answer = (choice.message.content if choice and choice.message else None) or ""
            action, problem = read(answer, legal, bool(choice) and choice.finish_reason == "length")
            if not problem:
                return action
            self.http.post("/verdict", json={"problem": problem}).raise_for_status()
        if MODEL.get("illegal") == "random":
            self.http.post("/verdict", json={"problem": problem, "random": True}).raise_for_status()
            return self.dice.choice(legal)
        return f"({problem})"  # not an action, and so a fault


def system(start: Any) -> str:
    """What is the same in all decisions of a game."""
    game = find_game(start["game"])
    options = ", ".join(f"{name} {value}" for name, value in start["options"].items())
    rules = files(game.rules).joinpath("RULES.md").read_text("utf-8")
    return SYSTEM.format(title=game.title, rules=rules, options=options, legend=game.presentation.guide.legend)


def question(decide: Any, start: Any, events: list[str]) -> str:
    """What is said of one decision."""
    game, seat = find_game(start["game"]), start["seat"]
    # `fa` draws states. One that is made up from what this seat sees looks to it as the real one does.
    seen = msgspec.convert(decide["observation"], game.observation)
    view = game.render(game.presentation.sample_state(seen, Random(0)), seat)
    return QUESTION.format(
        seat=seat,
        name=start["players"][seat],
        players=", ".join(f"{number} {name}" for number, name in enumerate(start["players"])),
        history="\n".join(events) or "(nothing yet)",
        view=view,
        actions="\n".join(f"{number}: {action}" for number, action in enumerate(decide["legal"])),
    )


def told(event: Any, players: list[str]) -> str:
    """An event as a line: `greedy: action build 1 Cairo 1`."""
    seat = event.get("seat")
    words = [" ".join(map(str, each)) if isinstance(each, list) else str(each) for each in event.values()]
    words = [word for name, word in zip(event, words, strict=True) if name != "seat"]
    return (
        f"{players[seat]}: {' '.join(words)}" if isinstance(seat, int) and 0 <= seat < len(players) else " ".join(words)
    )


def read(answer: str, legal: list[str], is_cut: bool) -> tuple[str, str]:
    """The action that an answer names, and what is wrong with it; one of the two is empty."""
    block = last_object(answer)
    if block is None:
        why = f", and your answer was cut after {MODEL.get('max_tokens', 1000)} tokens" if is_cut else ""
        return "", f"no JSON object in it{why}"
    chosen = block.get("action")
    if type(chosen) is int and 0 <= chosen < len(legal):
        return legal[chosen], ""
    if chosen in legal:
        return chosen, ""
    return "", f"{json.dumps(chosen)[:80]} is not the number of a legal action, 0 to {len(legal) - 1}"


def last_object(text: str) -> dict[str, Any] | None:
    """The last JSON object in a text, not within another; None if there is none."""
    text = text[-LONGEST:]
    found, at, decoder = None, text.find("{"), json.JSONDecoder()
    while at >= 0:
        try:
            found, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        at = text.find("{", end)
    return found


if __name__ == "__main__":
    run(Player().choose)
