"""The table `[model]` of a bot.toml, and what a run knows of all models."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal, Protocol
from urllib.parse import urlsplit

import msgspec

from ..errors import UsageError

SUFFIX = ".exchanges"
"""The end of the file beside a log that keeps what was asked and answered."""
IN_MEMORY = ":memory:"
SOCKET = "FA_MODEL_SOCKET"
"""The environment variable of a bot that holds the path of the socket to its model."""
_Text = Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]
_Price = Annotated[float, msgspec.Meta(ge=0, le=1e6)]


class Model(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which model a bot talks to, and what that costs."""

    base_url: Annotated[str, msgspec.Meta(pattern=r"^https?://[A-Za-z0-9.\[\]:_-]+(/[^\s?#]*)?$", max_length=1000)]
    """What stands before `/chat/completions`. Nothing is sent to any other host."""
    model: _Text
    """The model's name at the provider."""
    key_env: Annotated[str, msgspec.Meta(max_length=200)] = ""
    """The environment variable of `fa` that holds the key; empty if none is needed."""
    temperature: Annotated[float, msgspec.Meta(ge=0, le=2)] | None = None
    """None leaves it to the provider."""
    max_tokens: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 1000
    """The most tokens of one answer."""
    extra: dict[str, Any] = {}
    """Further fields of each request; with `max_completion_tokens` in it, the most tokens are sent by that name."""
    price_in: _Price = 0.0
    """The price of a million tokens that are sent, in any currency."""
    price_out: _Price = 0.0
    """The price of a million tokens of answers."""
    budget: Annotated[float, msgspec.Meta(gt=0, le=1e9)] | None = None
    """What this bot's exchanges may cost in a tournament; None: anything."""
    timeout: Annotated[float, msgspec.Meta(ge=0.1, le=3600)] = 60.0
    """Seconds after which a request is given up and sent again."""
    illegal: Literal["fault", "random"] = "fault"
    """What the bot does after two answers in a row without a legal action."""

    def __post_init__(self) -> None:
        """Raises ValueError, which msgspec makes a ValidationError, if `base_url` is none after all."""
        try:
            urlsplit(self.base_url).port  # noqa: B018 - it is read here so that no game fails of it
        except ValueError as error:
            raise ValueError(f"base_url {self.base_url!r}: {error}") from None

    @property
    def host(self) -> str:
        """The host in `base_url`."""
        return urlsplit(self.base_url).hostname or ""

    @property
    def key(self) -> str:
        """The key from the environment; empty if there is none."""
        return os.environ.get(self.key_env, "").strip() if self.key_env else ""

    def cost(self, tokens_in: int, tokens_out: int) -> float:
        """The price of one exchange."""
        return (tokens_in * self.price_in + tokens_out * self.price_out) / 1e6


class ModelRun(msgspec.Struct, frozen=True):
    """What all bots with a model share in one run."""

    exchanges: str = IN_MEMORY
    """The path of the file with their exchanges."""
    budget: float | None = None
    """What all exchanges in that file may cost together; None: anything."""


class _Bot(Protocol):
    @property
    def path(self) -> str: ...
    @property
    def model(self) -> Model | None: ...


def check_models(bots: Iterable[_Bot], budget: float | None = None) -> bool:
    """Whether any bot has a model. Raises UsageError if its key is missing, or its prices where there is a budget."""
    models = {bot.path: bot.model for bot in bots if bot.model}
    for path, model in models.items():
        if model.key_env and not model.key:
            raise UsageError(
                f"{path} needs the key of {model.host}: set the environment variable {model.key_env}, which its "
                "bot.toml names as key_env"
            )
        if not (model.key.isascii() and model.key.isprintable()):
            raise UsageError(f"the environment variable {model.key_env} holds no key: a key is one line of ASCII")
        if (budget, model.budget) != (None, None) and not (model.price_in or model.price_out):
            raise UsageError(f"{path}: a budget needs prices: set price_in and price_out in its bot.toml")
    return bool(models)


def exchanges_of(log: Path) -> Path:
    """The file of the exchanges in the games of a log."""
    return log.with_suffix(SUFFIX)
