"""A published contest, checked by a stranger: what was done to it is found, and named."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from fa_cli.replay.log_file import START, LogPosition, read_after, read_log
from fa_cli.replay.log_writer import LogWriter, write_new_log
from fa_cli.replay.record import encode_record
from fa_cli.tournament.proof.publication import Publication
from fa_cli.transparency.log_tree import _save, _State, folder_of, fresh_tree_of, leaf_of, tree_of
from fa_cli.transparency.merkle import inclusion_proof, leaf_hash, root_of_inclusion
from fa_cli.transparency.notes import Checkpoint, Note, read_private_key, sign
from fa_cli.transparency.receipt import check_receipt, make_receipt
from fa_cli.transparency.tiles import Tree
from tests.cli.test_replay import failing_record
from tests.conftest import Fa, assert_refused, further
from tests.damage import flip_bit
from tests.inside import fa as fa
from tests.installed import made_once

GAMES = 12
GO = Path("/usr/share/gocode/src/golang.org/x/mod/sumdb")


class Contest(NamedTuple):
    """A home, what was published of it before the first and after the last game, and the public key."""

    home: Path
    early: Path
    public: Path
    key: str
    made: Path
    """The folder in which it was played, of which the home is a copy."""


@pytest.fixture(scope="module")
def contest(tmp_path_factory: pytest.TempPathFactory) -> Contest:
    """Played once; tests change copies."""
    made = made_once(tmp_path_factory, "contest", hold_contest)
    home = Path(shutil.copytree(made, tmp_path_factory.mktemp("contest") / "copy"))
    return Contest(home, home / "early", home / "public", (home / "key.pub").read_text().strip(), made)


def hold_contest(home: Path) -> None:
    """Play and publish it."""

    def run(*words: str) -> None:
        code = app.run([*words, "--home", str(home), "-q"] if words[0] == "tournament" else [*words, "-q"])
        assert code == 0, words

    from fa_cli.cli import app

    run("key", "example.org/fin", "-o", str(home / "key"))
    bots = ("greedy", "builder", "random")
    short = ("--games", str(GAMES), "--players", "3", "--option", "turn_limit=1")  # the report draws each position
    run("tournament", "run", *bots, *short, "--name", "fin", "--seed", "x", "--define")
    publish = ("tournament", "publish", "fin", "-o", str(home / "public"), "--key", str(home / "key"))
    run(*publish, "--commit")
    shutil.copytree(home / "public", home / "early")
    run("tournament", "resume", "fin", "--jobs", "2")
    run(*publish)


@pytest.fixture
def public(contest: Contest, tmp_path: Path) -> Path:
    """A copy of the published folder."""
    return Path(shutil.copytree(contest.public, tmp_path / "public"))


def problems(fa: Fa, folder: Path, *words: str) -> str:
    """What verifying the folder prints, if it finds problems."""
    run = fa("tournament", "verify", folder, *words)
    assert run.returncode == 1, run.stdout + run.stderr
    return run.stdout + run.stderr


def test_a_stranger_checks_the_folder(fa: Fa, contest: Contest, public: Path) -> None:
    before = sorted(path.relative_to(public) for path in public.rglob("*"))
    run = fa("tournament", "verify", public, "--key", contest.key, "--since", contest.early / "checkpoint")
    assert (run.returncode, run.stderr) == (0, "")
    assert f"{GAMES} games, each as the schedule has it" in run.stdout
    assert "commitment, checkpoint, tiles, results, leaderboard and report fit the log" in run.stdout
    assert "it continues the log of" in run.stdout
    assert f"{public}: only what is named here is checked, and neither README.md nor key.pub" in run.stdout
    assert sorted(path.relative_to(public) for path in public.rglob("*")) == before
    warned = fa("tournament", "verify", public)
    assert warned.returncode == 0 and "its own key is believed" in warned.stderr


def test_no_secret_is_published_early(
    fa: Fa, contest: Contest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed = json.loads((contest.home / "tournaments/fin.json").read_text())["seed"]
    running = tmp_path / "home"
    shutil.copytree(contest.home, running)
    shutil.rmtree(running / "public")
    entries = [entry.record() for entry in read_log(running / "logs/fin.log")][:10]
    (running / "logs/fin.log").unlink()
    with LogWriter(running / "logs/fin.log", new=True, private=True) as log:
        for record in entries:
            log.append(record)
    synced, fsync, inode = list[int](), os.fsync, (running / "logs/fin.log").stat().st_ino
    monkeypatch.setattr(os, "fsync", lambda file: (synced.append(os.fstat(file).st_ino), fsync(file)))
    assert fa("tournament", "head", "fin", "--home", running).returncode == 0
    assert synced.count(inode) == 1, "a power cut can't take back what was shown"
    run = fa("tournament", "publish", "fin", "--home", running, "-o", "out", "--key", running / "key")
    assert synced.count(inode) == 2
    assert run.returncode == 0 and "the results of 10 games, without the log" in run.stderr
    assert (tmp_path / "out/report.html").stat().st_mode == (tmp_path / "out/README.md").stat().st_mode, "the umask's"
    for folder, games in ((contest.early, 0), (tmp_path / "out", 10)):
        readme = (folder / "README.md").read_text()
        assert f"It is not over after {games} games" in readme
        assert "Check all of it" not in readme and "records" not in readme
        listed = {
            name.strip("/") for names in re.findall(r"^\| `(.+)`", readme, re.MULTILINE) for name in names.split(", ")
        }
        assert listed | {"README.md"} == {path.name for path in folder.iterdir()}
    files = [path for folder in (contest.early, tmp_path / "out") for path in folder.rglob("*") if path.is_file()]
    assert {path.name for path in files} >= {"commitment", "checkpoint", "report.html", "results.csv"}
    for path in files:
        content = path.read_bytes()
        assert seed.encode() not in content and bytes.fromhex(seed) not in content, path
        folders = (bytes(contest.home), bytes(contest.made), b"/home")
        assert not any(folder in content for folder in folders), path
    since = ("--key", contest.key, "--since", contest.early / "checkpoint")
    checked = fa("tournament", "verify", tmp_path / "out", *since)
    assert checked.returncode == 0 and "the log is not published yet" in checked.stdout
    assert f"{GAMES} games of builder, greedy, random" in checked.stdout or f"{GAMES} games of greedy" in checked.stdout
    assert "its results, leaderboard and report: not checked" in checked.stdout
    commitment = hashlib.sha256(bytes.fromhex(seed)).hexdigest()
    assert fa("tournament", "verify", contest.early, *since[:2], "--commitment", commitment).returncode == 0
    other = fa("tournament", "verify", contest.early, *since[:2], "--commitment", "0" * 64)
    assert (other.returncode, f"its seed's commitment is {commitment}, not 000" in other.stderr) == (1, True)
    for option in (["--partial"], ["--head", "0" * 64], ["--signers", contest.key]):
        needs = fa("tournament", "verify", contest.early, *since[:2], *option)
        assert_refused(needs, f"{option[0]} needs the log, which is not published yet")
    shutil.rmtree(tmp_path / "out/tile")
    assert "tiles are missing, or not those of" in fa("tournament", "verify", tmp_path / "out", *since).stderr
    refused = fa("tournament", "receipt", "fin", "--home", running, "--game", 3, "--key", running / "key", "-o", "r")
    assert refused.returncode == 2 and "secret until the last one" in refused.stderr
    late = fa("tournament", "publish", "fin", "--home", running, "-o", "b", "--key", running / "key", "--commit")
    assert late.returncode == 2 and "before the first one" in late.stderr


def test_a_log_with_a_bad_game_is_not_published(fa: Fa, contest: Contest, tmp_path: Path) -> None:
    home = Path(shutil.copytree(contest.home, tmp_path / "home"))
    rewrite(home, lambda records: setattr(records[7], "actions", records[6].actions))  # type: ignore[attr-defined]
    run = fa("tournament", "publish", "fin", "--home", home, "-o", "out", "--key", home / "key")
    assert_refused(run, f"{home / 'logs/fin.log'}: record 8")
    assert not (tmp_path / "out").exists()


def test_added_games_are_published_when_all_are_played(fa: Fa, contest: Contest, public: Path, tmp_path: Path) -> None:
    home = Path(shutil.copytree(contest.home, tmp_path / "home"))
    definition = json.loads((home / "tournaments/fin.json").read_text())
    definition["games"] += 3  # as `fa tournament resume --more 3` does
    (home / "tournaments/fin.json").write_text(json.dumps(definition))
    run = fa("tournament", "publish", "fin", "--home", home, "-o", public, "--key", home / "key")
    assert_refused(run, f"{public} has all games of fin as it was: finish the added games before you publish again")
    assert fa("tournament", "verify", public, "--key", contest.key).returncode == 0


@pytest.mark.parametrize("existing", ["mine", "mine.pub"])
def test_no_key_is_overwritten(fa: Fa, tmp_path: Path, existing: str) -> None:
    (tmp_path / existing).write_text("another")
    assert_refused(fa("key", "example.org", "-o", "mine"), f"{existing}: it exists already and is not overwritten")
    assert [path.read_text() for path in tmp_path.glob("mine*")] == ["another"]


def test_words_for_keys(fa: Fa, tmp_path: Path) -> None:
    assert_refused(fa("key", "example.org", "-o", "mine.pub"), "mine.pub: the private key would look public")
    assert_refused(fa("key", "x" * 500, "-o", "mine"), f"invalid name of a key '{'x' * 80}...': use at most 200")
    assert list(tmp_path.glob("mine*")) == []


def rewrite(public: Path, change: Callable[[list[object]], None]) -> None:
    """Change the games of the published log, and chain it again."""
    log = public / "logs/fin.log"
    records: list[object] = [entry.record() for entry in read_log(log)]
    change(records)
    log.unlink()
    with LogWriter(log, new=True) as writer:
        for record in records:
            writer.append(record)  # type: ignore[arg-type]


def swap(records: list[object]) -> None:
    records[3], records[4] = records[4], records[3]


def replace_first(records: list[object]) -> None:
    records[0] = records[1]


ATTACKS: dict[str, Callable[[list[object]], object]] = {
    "dropped": lambda records: records.pop(5),
    "dropped at the end": lambda records: records.pop(),
    "doubled": lambda records: records.insert(5, records[5]),
    "reordered": swap,
    "replaced": replace_first,
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_games_changed_after_the_checkpoint(fa: Fa, contest: Contest, public: Path, attack: str) -> None:
    rewrite(public, ATTACKS[attack])  # type: ignore[arg-type]
    found = problems(fa, public, "--key", contest.key)
    assert f"{public / 'checkpoint'}: " in found
    assert "games were removed" in found or "its first" in found or "has 12" in found


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        (["leaderboard.json", "leaderboard.md", "results.csv", "report/index.html"], "not what fa makes of the log"),
        (["tile/0/000.p/12", "tile/entries/000.p/12"], "not the tile of the log"),
        (["commitment"], "commitment: "),
        (["checkpoint"], "checkpoint: "),
    ],
)
def test_changed_files(fa: Fa, contest: Contest, public: Path, names: list[str], problem: str) -> None:
    for name in names:
        flip_bit(public / name)
    found = problems(fa, public, "--key", contest.key)
    assert problem in found and all(f"{public / name}: " in found for name in names)


@pytest.mark.parametrize("name", ["commitment", "tile/0/000.p/12", "results.parquet"])
def test_missing_files(fa: Fa, contest: Contest, public: Path, name: str) -> None:
    (public / name).unlink()
    assert f"{public / name}: " in problems(fa, public, "--key", contest.key)


def test_a_checkpoint_older_than_the_log(fa: Fa, contest: Contest, public: Path) -> None:
    """Of a copy that was taken in part before the last game: the games are those of the log."""
    entries = list(read_log(public / "logs/fin.log"))[:10]
    write_new_log(public / "part.log", entries)
    publication, private = Publication(public), read_private_key((contest.home / "key").read_text())
    (public / "checkpoint").unlink()
    publication.add_checkpoint(fresh_tree_of(public / "part.log"), publication.commitment(), private)
    found = problems(fa, public, "--key", contest.key)
    assert f"{public / 'checkpoint'}: it is of the log's first 10 games, and the log has {GAMES}: get it again" in found


def test_what_is_not_a_published_folder(fa: Fa, public: Path) -> None:
    (public / "checkpoint").unlink()
    run = fa("tournament", "verify", public)
    assert run.returncode == 2 and "it has no file named checkpoint" in run.stderr


def test_definitions_changed_after_the_commitment(fa: Fa, contest: Contest, public: Path) -> None:
    file = public / "tournaments/fin.json"
    definition = json.loads(file.read_text())
    definition["bots"][0]["digest"] = "0" * 64
    file.write_text(json.dumps(definition))
    found = problems(fa, public, "--key", contest.key)
    assert f"{public / 'commitment'}: bots[builder].digest: committed to" in found or "bots[greedy].digest" in found


def test_swapped_keys(fa: Fa, contest: Contest, public: Path) -> None:
    other = fa("key", "example.org/fin", "-o", "other").stdout.strip()
    assert "has not signed it with the key" in problems(fa, public, "--key", other)
    private = read_private_key(Path("other").read_text())
    for name in ("checkpoint", "commitment"):
        note = getattr(Publication(public), name)()
        (public / name).write_text(str(Note(note.text, [sign(note.text, private)])))
    (public / "key.pub").write_text(f"{other}\n")
    assert "has not signed it with the key" in problems(fa, public, "--key", contest.key)


def test_an_organiser_can_not_publish_two_logs_to_one_folder(fa: Fa, contest: Contest, tmp_path: Path) -> None:
    home = Path(shutil.copytree(contest.home, tmp_path / "home"))
    rewrite(home, swap)
    run = fa("tournament", "publish", "fin", "--home", home, "-o", home / "public", "--key", home / "key")
    assert run.returncode in (1, 2) and run.stderr.startswith("fa: ")


@pytest.mark.slow
def test_a_forked_log_is_shown_to_two_people(fa: Fa, contest: Contest, public: Path, tmp_path: Path) -> None:
    """Both sides are signed and whole; who has the checkpoint of the other finds out, and so does a witness."""
    fork = Path(shutil.copytree(contest.public, tmp_path / "fork"))
    rewrite(fork, swap)
    private, publication = read_private_key((contest.home / "key").read_text()), Publication(fork)
    (fork / "checkpoint").unlink()
    shutil.rmtree(fork / "tile")
    tree = fresh_tree_of(fork / "logs/fin.log")
    publication.add_checkpoint(tree, publication.commitment(), private)
    publication.write_tiles(tree, fork / "logs/fin.log")
    found = problems(fa, fork, "--key", contest.key, "--since", public / "checkpoint")
    assert f"{public / 'checkpoint'}: its first 12 games are not those of the log" in found

    fa("key", "witness.org", "-o", "witness")
    seen = fa("tournament", "witness", contest.early, "--key", "witness", "--log-key", contest.key)
    assert seen.returncode == 0 and "seen for the first time" in seen.stderr
    cosigned = fa("tournament", "witness", public, "--key", "witness", "--log-key", contest.key)
    assert cosigned.returncode == 0 and "12 more than before" in cosigned.stderr
    for witness in (cosigned.stdout.strip(), "witness.pub"):
        both = fa("tournament", "verify", public, "--key", contest.key, "--key", witness)
        assert both.returncode == 0 and "checkpoint: seen by witness.org at 20" in both.stdout
    assert "also signed by witness.org; not checked" in fa("tournament", "verify", public, "--key", contest.key).stdout
    refused = fa("tournament", "witness", fork, "--key", "witness", "--log-key", contest.key)
    assert refused.returncode == 1 and "it was forked" in refused.stderr
    assert "witness.org" not in (fork / "checkpoint").read_text()


@pytest.mark.parametrize("names", [["tournaments/fin.json"], ["tournaments", "logs"]])
def test_a_log_or_definition_that_was_taken_away(fa: Fa, contest: Contest, public: Path, names: list[str]) -> None:
    for name in names:
        shutil.rmtree(public / name) if (public / name).is_dir() else (public / name).unlink()
    since = ("--since", contest.early / "checkpoint")
    assert "missing" in problems(fa, public, "--key", contest.key, *since)


def test_a_log_that_ended_early_was_taken_away(fa: Fa, contest: Contest, tmp_path: Path) -> None:
    """Its games are fewer than planned: only the checkpoint tells that there was a log; also an earlier one does."""
    key = ("--key", contest.home / "key")
    run = ("tournament", "run", "greedy", "random", "--game", "manhattan", "--name", "e", "--until", "decided", "-q")
    assert fa(*run).returncode == 0
    assert fa("tournament", "publish", "e", *key, "-o", "out").returncode == 0
    earlier = shutil.copyfile("out/checkpoint", "earlier")
    for name in ("tournaments", "logs", "report"):
        shutil.rmtree(f"out/{name}")
    assert "the log and the definition are missing" in problems(fa, Path("out"), "--key", contest.key)
    publication, private = Publication(Path("out")), read_private_key((contest.home / "key").read_text())
    publication.add_checkpoint(fresh_tree_of(Path("logs/e.log")), publication.commitment(), private)
    assert fa("tournament", "verify", "out", "--key", contest.key).returncode == 0
    assert "missing now" in problems(fa, Path("out"), "--key", contest.key, "--since", earlier)


@pytest.mark.slow
def test_a_late_commitment_says_so(fa: Fa, contest: Contest, tmp_path: Path) -> None:
    for _ in range(2):  # the second time it is there
        run = fa("tournament", "publish", "fin", "--home", contest.home, "--key", contest.home / "key", "-o", "late")
        assert run.returncode == 0, run.stderr
    run = fa("tournament", "verify", "late", "--key", contest.key, "--since", contest.early / "checkpoint")
    assert run.returncode == 0 and f"late/commitment: made after {GAMES} games, not before the first" in run.stdout
    assert f"fixed after {GAMES} games" in Path("late/README.md").read_text()


def test_a_replaced_commitment_is_noticed(fa: Fa, contest: Contest, tmp_path: Path) -> None:
    """By who has the earlier one, or a checkpoint or a witness that saw it."""
    home, key = Path(shutil.copytree(contest.home, tmp_path / "home")), ("--key", contest.home / "key")
    for name in ("tournaments/fin.json", "logs/fin.log"):
        (home / name).unlink()
    other = ("greedy", "builder", "random", "--games", GAMES, "--players", "3", "--option", "turn_limit=1")
    assert fa("tournament", "run", *other, "--name", "fin", "--seed", "y", "--home", home, "-q").returncode == 0
    assert fa("tournament", "publish", "fin", "--home", home, *key, "-o", "replaced").returncode == 0
    for earlier, problem in (("checkpoint", "its commitment is not that"), ("commitment", "started: committed to")):
        found = problems(fa, Path("replaced"), "--key", contest.key, "--since", contest.early / earlier)
        assert problem in found
    fa("key", "witness.org", "-o", "witness")
    for folder, code in ((contest.early, 0), (Path("replaced"), 1)):
        cosigned = shutil.copytree(folder, tmp_path / f"seen{code}")
        seen = fa("tournament", "witness", cosigned, "--key", "witness", "--log-key", contest.key)
        assert seen.returncode == code
    assert "each needs a key of its own" in seen.stderr


@pytest.mark.slow
def test_games_that_were_added_are_told(fa: Fa, contest: Contest, tmp_path: Path) -> None:
    home, key = Path(shutil.copytree(contest.home, tmp_path / "home")), ("--key", contest.home / "key")
    assert fa("tournament", "resume", "fin", "--more", "6", "--home", home, "-q").returncode == 0
    done = fa("tournament", "publish", "fin", "--home", home, *key, "-o", home / "public")
    assert done.returncode == 0, done.stderr
    since = ("--since", contest.public / "checkpoint")
    run = fa("tournament", "verify", home / "public", "--key", contest.key, *since)
    assert run.returncode == 0 and f"{home / 'public/commitment'}: 6 games were added later" in run.stdout
    older = fa("tournament", "verify", contest.public, "--key", contest.key, "--since", home / "public/checkpoint")
    assert older.returncode == 1 and "it is older, or games were removed" in older.stdout


def test_receipts(fa: Fa, contest: Contest, tmp_path: Path) -> None:
    key = contest.home / "key"
    written = fa("tournament", "receipt", "fin", "--home", contest.home, "--game", 7, "--key", key, "-o", "r7")
    assert written.returncode == 0, written.stderr
    record = next(entry.record() for entry in read_log(contest.home / "logs/fin.log") if entry.index == 6)
    content = Path("r7").read_bytes()
    assert len(content) < len(msgspec.json.encode(record)) + 2000
    run = fa("receipt", "verify", "r7", "--key", contest.key)
    assert run.returncode == 0, run.stderr
    assert f"game 7 of the {GAMES} that example.org/fin signed, of the tournament fin, started 20" in run.stdout
    missing = fa("tournament", "receipt", "fin", "--home", contest.home, "--game", 99, "--key", key, "-o", "r")
    assert missing.returncode == 2 and "no game 99" in missing.stderr
    Path("bad").write_bytes(content[:-9])
    for file, public, code in (("bad", contest.key, 1), ("none", contest.key, 2), ("r7", "x", 2)):
        wrong = fa("receipt", "verify", file, "--key", public)
        assert wrong.returncode == code and len(wrong.stderr.splitlines()) == 1


def test_a_spectator_writes_a_receipt(fa: Fa, contest: Contest, public: Path) -> None:
    """From a published folder, without a key; what witnesses have signed is in it."""
    fa("key", "witness.org", "-o", "witness")
    witness = fa("tournament", "witness", public, "--key", "witness").stdout.strip()
    before = sorted(public.rglob("*"))
    written = fa("tournament", "receipt", public, "--game", 2, "-o", "r2")
    assert written.returncode == 0 and contest.key in written.stderr
    run = fa("receipt", "verify", "r2", "--key", contest.key, "--key", witness)
    assert run.returncode == 0 and "witness.org saw that log at" in run.stdout
    assert sorted(public.rglob("*")) == before
    fa("tournament", "receipt", public / "logs/fin.log", "--game", 2, "-o", "same")
    assert Path("same").read_bytes() == Path("r2").read_bytes()
    for words, sentence in (
        (("fin", "--home", contest.home, "--game", 2), "fin is not a published folder: sign its receipt with --key"),
        ((contest.early, "--game", 2), "early has no log yet"),
        ((public, "--game", GAMES + 1), f"the log has {GAMES} games"),
    ):
        assert_refused(fa("tournament", "receipt", *words, "-o", "r"), within=sentence)


def test_the_head_of_a_published_folder(fa: Fa, contest: Contest, public: Path) -> None:
    run = fa("tournament", "head", public)
    head = hashlib.sha256((public / "logs/fin.log").read_bytes()).hexdigest()
    assert f"head {head}\n" in run.stdout, run.stderr
    assert_refused(fa("tournament", "head", contest.early), f"{contest.early} has no log yet")


def test_no_receipt_of_a_changed_log(fa: Fa, public: Path) -> None:
    rewrite(public, lambda records: records[3].meta.update(by="me"))  # type: ignore[attr-defined]
    run = fa("tournament", "receipt", public, "--game", 1, "-o", "r")
    assert run.returncode == 1 and "its first 12 games are not those of the log" in run.stderr
    assert not Path("r").exists()


def test_a_receipt_tells_who_failed(fa: Fa, contest: Contest) -> None:
    record, private = failing_record(), read_private_key((contest.home / "key").read_text())
    record.meta["tournament"] = {"name": "\x1b[31m" + "x" * 100, "started": {}}
    leaf, tree = encode_record(record), Tree()
    tree.add(leaf_hash(leaf))
    text = str(Checkpoint(private.name, 1, tree.root()))
    Path("r").write_bytes(make_receipt(tree, 0, leaf, Note(text, [sign(text, private)])))
    run = fa("receipt", "verify", "r", "--key", contest.key)
    assert run.returncode == 0, run.stderr
    assert re.search(r"^  1\. a, \d+ points\n  2\. b, \d+ points \(out since ply 0: start\)$", run.stdout, re.MULTILINE)
    assert r"signed, of the tournament \x1b[31mxxx" in run.stdout and "x" * 100 not in run.stdout


@pytest.mark.parametrize("part", [0, *further(*range(1, 16))])
def test_every_flipped_bit_of_a_receipt_is_noticed(fa: Fa, contest: Contest, part: int) -> None:
    from fa_cli.errors import CheckFailed
    from fa_cli.transparency.notes import read_key

    log, private = contest.home / "logs/fin.log", read_private_key((contest.home / "key").read_text())
    tree = tree_of(log)
    record = next(entry for entry in read_log(log) if entry.index == 7).record()
    text = str(Checkpoint(private.name, tree.size, tree.root()))
    content = make_receipt(tree, 7, msgspec.json.encode(record), Note(text, [sign(text, private)]))
    keys = [read_key(contest.key)]
    assert check_receipt(content, keys, "it").index == 7
    for bit in range(part, len(content) * 8, 16):
        flipped = bytearray(content)
        flipped[bit // 8] ^= 1 << bit % 8
        with pytest.raises(CheckFailed, match=r"^it: "):
            check_receipt(bytes(flipped), keys, "it")


@pytest.mark.slow
def test_thousands_of_receipts(tmp_path: Path) -> None:
    from fa_cli.games import find_game
    from fa_cli.games.seed import Seed
    from fa_cli.match.simulate import choices_of, simulate_game
    from fa_cli.transparency.notes import new_key

    game, seed, log, private = find_game("new-york"), Seed(bytes(32)), tmp_path / "a.log", new_key("a")
    with LogWriter(log, new=True) as writer:
        for number in range(300):
            choices = choices_of(seed, number)
            names = ["a", "b"]
            short = {"turn_limit": 1} if number % 100 else {}  # whole games take ten times as long
            options = game.make_options(short)
            record, _ = simulate_game(game, options, names, seed.of_game(number), choices, {})
            for copy in range(10):  # leaves differ in their meta
                writer.append(msgspec.structs.replace(record, meta={"number": 10 * number + copy}))
    tree = tree_of(log)
    text = str(Checkpoint("a", tree.size, tree.root()))
    note = Note(text, [sign(text, private)])
    for entry in read_log(log):
        content = make_receipt(tree, entry.index, leaf_of(entry), note)
        assert check_receipt(content, [private.public()], "it").index == entry.index


@pytest.mark.slow
def test_a_proof_among_a_million_games_is_quick(contest: Contest, tmp_path: Path) -> None:
    """50 ms of processor time, with the hashes on the disk."""
    log = Path(shutil.copy(contest.home / "logs/fin.log", tmp_path / "fin.log"))
    million, end = Tree(), [position for _, position in read_after(log, START)][-1]
    for number in range(1_000_000):
        million.add(number.to_bytes(32, "big"))
    position = LogPosition(1_000_000, end.end, end.tag)
    _save(log, million, _State(position, million.root(), len(million.levels)))
    times = []
    for _ in range(5):
        begun = time.process_time()
        tree = tree_of(log)
        proof = inclusion_proof(tree.hash_of, 777_777, tree.size)
        times.append(time.process_time() - begun)
    leaf = (777_777).to_bytes(32, "big")
    assert root_of_inclusion(leaf, 777_777, 1_000_000, proof) == million.root()
    assert min(times) < 0.05


def test_hashes_that_are_kept_are_not_relied_on(contest: Contest, tmp_path: Path) -> None:
    log = Path(shutil.copy(contest.home / "logs/fin.log", tmp_path / "fin.log"))
    expected = tree_of(log).root()
    kept = folder_of(log)
    assert (kept / "state").exists()
    for name in ("0", "state"):
        flip_bit(kept / name, -20)
        assert tree_of(log).root() == expected
    shutil.copytree(kept, tmp_path / "other.log.tree")
    (tmp_path / "other.log").write_bytes(log.read_bytes()[:-3])
    assert tree_of(tmp_path / "other.log").size == GAMES - 1


@pytest.mark.skipif(not shutil.which("go") or not GO.exists(), reason="Go's golang.org/x/mod is not installed")
def test_go_checks_what_fa_publishes_and_fa_what_go_signs(fa: Fa, contest: Contest, public: Path) -> None:
    import os
    import subprocess

    program = Path(__file__).parent.parent.parent / "transparency" / "check.go"
    fa("key", "witness.org", "-o", "witness")
    witness = fa("tournament", "witness", public, "--key", "witness", "--log-key", contest.key).stdout.strip()
    environment = os.environ | {"GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOFLAGS": ""}
    run = subprocess.run(
        ["go", "run", program, public, contest.key, contest.home / "key", "receipt", witness],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert f"{GAMES} records are in the tree of {GAMES}" in run.stdout
    checked = fa("receipt", "verify", "receipt", "--key", contest.key)
    assert checked.returncode == 0, checked.stderr


def test_nothing_else_is_written_over(fa: Fa, contest: Contest, tmp_path: Path) -> None:
    home, key = Path(shutil.copytree(contest.home, tmp_path / "home")), ("--key", contest.home / "key")
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    for folder in (home, home / "logs", home / "tournaments"):
        refused = fa("tournament", "publish", "fin", "--home", home, *key, "-o", folder)
        assert (refused.returncode, refused.stderr) == (
            2,
            f"fa: {folder} has other files: name a new folder, or one that fa tournament publish has written\n",
        )
    for file in (home / "logs/fin.log", home / "key"):
        refused = fa("tournament", "receipt", "fin", "--home", home, *key, "--game", 1, "-o", file)
        assert (refused.returncode, refused.stderr) == (2, f"fa: {file}: it exists already and is not overwritten\n")
    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == before
    (tmp_path / "site/.git").mkdir(parents=True)
    assert fa("tournament", "publish", "fin", "--home", home, *key, "-o", tmp_path / "site").returncode == 0


def test_a_witness_has_another_name_than_the_log(fa: Fa, contest: Contest, tmp_path: Path) -> None:
    public = Path(shutil.copytree(contest.public, tmp_path / "public"))
    refused = fa("tournament", "witness", public, "--key", contest.home / "key")
    assert refused.returncode == 2 and "has the name of the log's own key" in refused.stderr
    assert (public / "checkpoint").read_bytes() == (contest.public / "checkpoint").read_bytes()


def test_a_publisher_without_pyarrow(fa: Fa, contest: Contest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Has no Parquet file, in the folder and in its README.md; whoever has pyarrow finds nothing wrong with that."""
    public, key = tmp_path / "public", ("--key", contest.home / "key")
    public.mkdir()
    shutil.copy(contest.public / "commitment", public)
    (public / "report.html").write_text("after seven games")
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "pyarrow", None)
        done = fa("tournament", "publish", "fin", "--home", contest.home, *key, "-o", public)
    assert done.returncode == 0 and "results.parquet is not written" in done.stderr
    assert not (public / "results.parquet").exists() and "parquet" not in (public / "README.md").read_text()
    assert not (public / "report.html").exists(), "it was of fewer games"
    verified = fa("tournament", "verify", public, "--key", contest.key)
    assert (verified.returncode, verified.stderr) == (0, "")


def test_sigstore_is_looked_at_before_the_games(
    fa: Fa, contest: Contest, public: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    identity = ("--sigstore", "me@example.org", "https://example.org")
    run = fa("tournament", "verify", "fin", "--home", contest.home, *identity)
    assert_refused(run, "--sigstore is for a published folder")
    monkeypatch.setitem(sys.modules, "sigstore", None)
    publish = ("tournament", "publish", "fin", "--home", contest.home, "--key", contest.home / "key", "-o", "out")
    for words in (("tournament", "verify", public, "--key", contest.key, *identity), (*publish, "--sigstore")):
        assert_refused(fa(*words), "--sigstore needs sigstore: pip install")
    assert not Path("out").exists()
