"""What providers and models do wrong: a provider never costs a game, a model gets one more try."""

from __future__ import annotations

import json
import time
from contextlib import closing
from pathlib import Path

import pytest

from fa_cli.errors import LogError, ProviderAway
from fa_cli.game_result import FaultKind
from fa_cli.models.exchanges import Exchanges, read_exchanges, stated_totals
from fa_cli.models.gateway import Gateway
from fa_cli.models.model import Model, ModelRun
from fa_cli.models.provider import Away, Unusable, ask
from tests.conftest import further

from .helpers import KEY, KEY_ENV, model_bot, play_one
from .server import MODEL, MODEL_FAULTS, PROVIDER_FAULTS, Provider, completion, provider

BODY = json.dumps({"model": MODEL, "messages": [{}, {"content": "0: pass\n1: build"}]}).encode()


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_ENV, KEY)


def model(server: Provider, **values: object) -> Model:
    return Model(server.url, MODEL, KEY_ENV, timeout=0.5, **values)  # type: ignore[arg-type]


def soon(seconds: float) -> float:
    return time.monotonic() + seconds


@pytest.mark.parametrize("fault", PROVIDER_FAULTS)
def test_a_request_that_fails_is_sent_again(fault: str) -> None:
    with provider(fault) as server:
        reply = ask(model(server), BODY, soon(20), "label")
        assert reply.status == 200
        assert json.loads(reply.body)["choices"][0]["message"]["content"].startswith('{"action"')
        assert len(server.asked) == 2
        assert [each["Idempotency-Key"] for each in server.headers] == ["label"] * 2
        if fault == "429":
            assert server.times[1] - server.times[0] >= 1.0, "Retry-After was 1"


@pytest.mark.parametrize("fault", PROVIDER_FAULTS)
def test_a_provider_that_stays_away_is_left_in_time(fault: str) -> None:
    with provider(always=fault) as server:
        began = time.monotonic()
        with pytest.raises(Away) as caught:
            ask(model(server), BODY, soon(2), "label")
        assert time.monotonic() - began < 4
        assert not isinstance(caught.value, Unusable)
        assert caught.value.may_cost is (fault not in ("429", "500"))
        assert len(server.asked) > (fault == "429")


def test_a_provider_that_is_not_there_costs_nothing() -> None:
    with provider() as server:
        gone = model(server)
    with pytest.raises(Away, match="can not be reached") as caught:
        ask(gone, BODY, soon(0.2), "label")
    assert not caught.value.may_cost


def test_the_end_of_an_address_is_no_port() -> None:
    with pytest.raises(Away):
        ask(Model("http://[::ffff:127.0.0.1]/v1", MODEL), BODY, soon(0.2), "label")


def test_a_provider_never_costs_a_game(tmp_path: Path) -> None:
    """Each fault in a game: none is a fault of the seat, and an answer is paid once."""
    faults = [each for fault in PROVIDER_FAULTS for each in ("", fault)]
    with provider(*faults) as server:
        record = play_one(model_bot(tmp_path / "bot", server, plain=True), ModelRun(str(tmp_path / "one.exchanges")))
        assert record.faults == []
        assert not server.faults
        stated = stated_totals(record.meta)[0]
        assert stated
        assert stated.exchanges == len(server.paid) == record.meta["asked"][0]
        assert server.asked[1 : len(faults) : 2] == server.asked[2 : len(faults) + 1 : 2], "the same requests again"


@pytest.mark.parametrize("fault", ["500", *further("cut", "hang")])  # may not cost, may cost, is late
def test_a_provider_that_stays_away_is_no_fault(tmp_path: Path, fault: str) -> None:
    with provider(always=fault) as server:
        bot = model_bot(tmp_path / "bot", server, plain=True)
        with pytest.raises(ProviderAway, match=r"bot can't play: 127\.0\.0\.1 ") as caught:
            play_one(bot, ModelRun(str(tmp_path / "one.exchanges")), move_ms=1500)
        assert not caught.value.final
        assert caught.value.seat == 0
        assert server.paid == []


def test_what_a_model_may_say(tmp_path: Path) -> None:
    """Each fault of a model once, with a good answer after it: it has one more try, with the reason."""
    faults = [each for fault in MODEL_FAULTS for each in (fault, "")]
    with provider(*faults) as server:
        run = ModelRun(str(tmp_path / "one.exchanges"))
        record = play_one(model_bot(tmp_path / "bot", server), run)
        assert record.faults == []
        (totals, _) = stated_totals(record.meta)
        exchanges = read_exchanges(tmp_path / "one.exchanges", {0: record.meta})[0][0]
        assert totals
        assert (totals.illegal, totals.random) == (3, 0)
        assert totals.exchanges == record.meta["asked"][0] + 3 == len(exchanges)
        problems = [each.problem for each in exchanges if each.problem]
        assert problems[0] == "no JSON object in it"
        assert problems[1] == "no JSON object in it, and your answer was cut after 1000 tokens"
        assert "is not the number of a legal action" in problems[2]
        again = json.loads(exchanges[1].request)["messages"]
        assert [each["role"] for each in again] == ["system", "user", "assistant", "user"]
        assert problems[0] in again[3]["content"]
        assert [each.finish for each in exchanges[2:4]] == ["length", "stop"]


@pytest.mark.parametrize("illegal", ["fault", "random"])
def test_two_illegal_answers(tmp_path: Path, illegal: str) -> None:
    with provider("", "illegal", "empty-choice") as server:
        run = ModelRun(str(tmp_path / "one.exchanges"))
        record = play_one(model_bot(tmp_path / "bot", server, illegal=illegal), run)
        totals = stated_totals(record.meta)[0]
        assert totals
        assert totals.illegal == 2
        if illegal == "fault":
            assert [(fault.seat, fault.kind) for fault in record.faults] == [(0, FaultKind.ILLEGAL)]
            assert totals.random == 0
            assert totals.exchanges == 3
        else:
            assert record.faults == []
            assert totals.random == 1
            marked = [each.decision for each in Exchanges(run, "model", None).of_seat(0, 0) if each.random]
            assert marked == [2]


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        ("302", "sends requests on to another address"),
        ("402", "your account there has no credit"),
        ("403", "set key_env"),
    ],
)
def test_statuses_that_need_a_person(status: str, sentence: str) -> None:
    with provider(always=status) as server, pytest.raises(Unusable, match=sentence):
        ask(model(server), BODY, soon(5), "label")
    assert len(server.asked) == 1


def test_a_request_that_the_provider_does_not_understand_goes_back_to_the_bot() -> None:
    with provider("400") as server:
        assert ask(model(server), BODY, soon(5), "label").status == 400


def test_a_request_that_the_provider_refuses_stops_the_run(tmp_path: Path) -> None:
    """Its further settings were sent."""
    with provider(always="400") as server:
        bot = model_bot(tmp_path / "bot", server, plain=True, max_tokens=9)
        with (bot / "bot.toml").open("a") as file:
            file.write("extra = {max_completion_tokens = 7, reasoning_effort = 'low'}\n")
        refusal = r'refuses the request \(status 400\).*: {"error": {"message": "no"}}'
        with pytest.raises(ProviderAway, match=refusal) as caught:
            play_one(bot, ModelRun(str(tmp_path / "one.exchanges")))
        assert caught.value.final
        (asked,) = server.asked
        assert (asked["max_completion_tokens"], asked["reasoning_effort"]) == (7, "low")
        assert "max_tokens" not in asked


def test_a_refused_request_after_answers_in_the_same_game_is_the_bots_fault(tmp_path: Path) -> None:
    """The settings are right then; its prompt may have become too long."""
    with provider("", "", "400") as server:
        record = play_one(model_bot(tmp_path / "bot", server), ModelRun(str(tmp_path / "one.exchanges")))
        assert [(fault.seat, fault.kind) for fault in record.faults] == [(0, FaultKind.CRASH)]
        assert "Error code: 400" in str(record.meta)
        assert len(server.paid) == 2


def test_a_bot_chooses_neither_its_model_nor_more_tokens() -> None:
    wishes = {"max_completion_tokens": 5, "max_tokens": 1_000_000, "models": ["dear"], "route": "fallback"}
    with provider() as server, closing(Gateway("bot", model(server, max_tokens=100), ModelRun())) as gateway:
        gateway.begin_game(0, 0)
        gateway.begin_decision(1, 20)
        assert gateway.complete(json.dumps(json.loads(BODY) | wishes).encode()).status == 200
    assert server.asked[0] == json.loads(BODY) | {"max_completion_tokens": 5}


def test_a_proxy_of_the_environment_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1/")
    with provider() as server:
        assert ask(model(server), BODY, soon(5), "label").status == 200


def test_a_disk_that_is_full_is_no_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: object, **more: object) -> None:
        raise LogError("x.exchanges: what models answer can't be kept: database or disk is full")

    with provider() as server:
        monkeypatch.setattr(Exchanges, "keep", full)
        with pytest.raises(ProviderAway, match="disk is full") as caught:
            play_one(model_bot(tmp_path / "bot", server, plain=True), ModelRun(str(tmp_path / "x.exchanges")))
        assert caught.value.final


def test_a_key_in_an_answer_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with provider() as server:
        monkeypatch.setattr("tests.models.server.completion", lambda text, *more: completion(f"{KEY} {text}", *more))
        assert KEY.encode() not in ask(model(server), BODY, soon(5), "label").body


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"model": "other"}, "has no model 'other' at http://127.0.0.1"),
        ({"key_env": "HOME"}, r"refuses the key in HOME \(status 401\): set key_env"),
        ({"key_env": ""}, "refuses requests without a key"),
        ({"base_url": "http://nowhere.invalid/v1"}, "no known host: set base_url|can't be looked up"),
    ],
)
def test_what_will_never_work_names_what_to_set(values: dict[str, str], sentence: str) -> None:
    with provider() as server:
        wrong = Model(**{"base_url": server.url, "model": MODEL, "key_env": KEY_ENV} | values)  # type: ignore[arg-type]
        with pytest.raises(Away, match=sentence):
            ask(wrong, BODY.replace(MODEL.encode(), wrong.model.encode()), soon(0.3), "label")
        assert server.paid == []
