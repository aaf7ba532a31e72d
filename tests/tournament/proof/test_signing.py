"""Heads and signatures: that a whole log is the one that was published."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

import pytest

from fa_cli.errors import CheckFailed, LogError, UsageError
from fa_cli.games.seed import Seed
from fa_cli.tournament.proof import signing
from tests.conftest import Fa, assert_refused
from tests.damage import flip_bit
from tests.inside import fa as fa
from tests.replay.test_log_file import split
from tests.tournament.helpers import dice
from tests.tournament.proof.test_audit import GAMES, played, toy_is_a_game, toys, write

__all__ = ["toy_is_a_game"]


def make_key(path: Path) -> Path:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", path], check=True)
    return path


def allow(path: Path, who: str, key: Path) -> Path:
    public = key.with_name(f"{key.name}.pub").read_text()
    path.write_text(f'{who} namespaces="{signing.NAMESPACE}" {public}')
    return path


def test_the_head_is_the_sum_of_the_file(tmp_path: Path) -> None:
    log = write(tmp_path / "a.log", played(toys()))
    head = signing.head_of(toys(), log)
    assert head.sha256 == hashlib.sha256(log.read_bytes()).hexdigest()
    assert (head.games, head.planned, head.bytes) == (GAMES, GAMES, log.stat().st_size)
    assert head.commitment == hashlib.sha256(Seed(bytes(32))).hexdigest()


def test_a_head_is_found_in_the_log_as_it_has_grown(tmp_path: Path) -> None:
    records = played(toys())
    heads = [signing.head_of(toys(), write(tmp_path / f"{games}.log", records[:games])).sha256 for games in range(4)]
    whole = write(tmp_path / "a.log", records)
    assert [signing.games_at(whole, head.upper()) for head in heads] == [0, 1, 2, 3]
    assert signing.games_at(write(tmp_path / "b.log", records[:2]), heads[3]) is None
    assert signing.games_at(write(tmp_path / "c.log", [*records[1:], records[0]]), heads[3]) is None


def test_a_log_that_is_not_whole_has_no_head(tmp_path: Path) -> None:
    log = write(tmp_path / "a.log", played(toys()))
    log.write_bytes(log.read_bytes()[:-1])
    with pytest.raises(LogError, match=f"damaged from record {GAMES} on"):
        signing.head_of(toys(), log)
    with pytest.raises(LogError, match="No such file"):
        signing.head_of(toys(), tmp_path / "none.log")


def test_signatures(tmp_path: Path) -> None:
    log = write(tmp_path / "a.log", played(toys()))
    key, other = make_key(tmp_path / "key"), make_key(tmp_path / "other")
    signers = allow(tmp_path / "signers", "referee@example.org", key)
    with pytest.raises(UsageError, match="no such file"):
        signing.check_signature(log, signers)
    assert signing.sign(log, key) == tmp_path / "a.log.sig"
    assert signing.check_signature(log, signers) == "referee@example.org"
    by_hand = ["-Y", "verify", "-n", "fa-log", "-I", "referee@example.org", "-f", signers, "-s", f"{log}.sig"]
    with log.open("rb") as file:
        assert subprocess.run(["ssh-keygen", *by_hand], stdin=file, capture_output=True, check=False).returncode == 0
    with pytest.raises(UsageError, match="is not overwritten"):
        signing.sign(log, key)
    with pytest.raises(CheckFailed, match="of none of those"):
        signing.check_signature(log, allow(tmp_path / "others", "somebody", other))
    flip_bit(log)
    with pytest.raises(CheckFailed, match="not the signature of"):
        signing.check_signature(log, signers)


def test_what_can_not_be_signed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = write(tmp_path / "a.log", played(toys()))
    with pytest.raises(UsageError, match="no such key"):
        signing.sign(log, tmp_path / "nokey")
    (tmp_path / "nokey").write_text("no key")
    with pytest.raises(UsageError, match="could not sign it"):
        signing.sign(log, tmp_path / "nokey")
    assert not signing.signature_of(log).exists()
    key = make_key(tmp_path / "key")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="ssh-keygen is not installed"):
        signing.sign(log, key)


def test_the_commands(fa: Fa, tmp_path: Path) -> None:
    bots = dice(tmp_path / "bots", "a", "b")
    done = fa("tournament", "run", *bots, "--games", "4", "--name", "t", "--format", "json")
    commitment = next(line.split()[-1] for line in done.stderr.splitlines() if line.startswith("commitment"))
    head = fa("tournament", "head", "t").stdout.splitlines()
    assert "4 of 4 games" in head[0]
    assert head[2] == f"commitment {commitment}"
    make_key(tmp_path / "key")
    allow(tmp_path / "signers", "me", tmp_path / "key")
    assert fa("tournament", "sign", "t", "--key", "key").returncode == 0
    proof = ("--head", head[1].split()[1], "--commitment", commitment, "--signers", "signers")
    done = fa("tournament", "verify", "t", *proof)
    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines()[0] == "logs/t.log: 4 games, each as the schedule has it and the rules allow"
    assert done.stdout.splitlines()[1].endswith(": as committed")
    assert fa("tournament", "verify", "t", "--commitment", commitment.upper()).returncode == 0
    for option in ("--head", "--commitment"):
        for wrong in ("", commitment[1:], f"{commitment[1:]}g", f"{commitment}0"):
            assert_refused(fa("tournament", "verify", "t", option, wrong), f"{option}: invalid SHA-256 '{wrong}'")
    log = tmp_path / "logs/t.log"
    log.write_bytes(b"".join(split(log.read_bytes())[:-1]))
    done = fa("tournament", "verify", "t", *proof)
    assert done.returncode == 1
    told = done.stdout.splitlines()
    assert told[0] == "logs/t.log: 3 of 4 games are there; not played yet, or cut off (--partial accepts that)"
    assert told[1] == "logs/t.log: 3 games, 1 problem found"
    assert "never had the head" in told[3]
    assert "not the signature of" in told[4]
    assert done.stderr == "fa: t: 3 problems found\n"
    assert fa("tournament", "verify", "t", "--partial").returncode == 0
