"""Wrong command lines get one line each, which names the remedy."""

from __future__ import annotations

import pytest

from fa_cli.cli import app

RUN = ["tournament", "run"]
SEE_RUN = " (see fa tournament run --help)"
LINES = [
    ([*RUN, "--sed", "3"], "no option --sed; did you mean --seed?" + SEE_RUN),
    ([*RUN, "--nonsense"], "no option --nonsense" + SEE_RUN),
    ([*RUN, "--zzz"], "no option --zzz" + SEE_RUN),
    ([*RUN, "-y"], "no option -y" + SEE_RUN),
    (
        [*RUN, "a", "b", "-concurrency", "4"],
        "-concurrency is an option of fastchess and cutechess-cli; use: fa tournament run --jobs N "
        "(by default one game per core)",
    ),
    (
        [*RUN, "--tc=10+0.1"],
        "--tc is an option of fastchess and cutechess-cli; use: fa tournament run --bank TIME --move-time TIME "
        "(10+0.1 is --bank 10s --move-time 100ms)",
    ),
    (
        [*RUN, "--concurency", "4"],
        "no option --concurency; -concurrency is an option of fastchess and cutechess-cli; use: fa tournament run "
        "--jobs N (by default one game per core)",
    ),
    (
        ["leaderboard", "-draw", "movenumber=1"],
        "-draw is an option of fastchess and cutechess-cli; fa has no such option (games are always played to their "
        "end)",
    ),
    (
        [*RUN, "a", "--format", "swiss"],
        "--format swiss is an option of fa 0.1; use: fa tournament run --schedule swiss (--format is the output "
        "format)",
    ),
    (
        [*RUN, "a", "--format=swiss"],
        "--format swiss is an option of fa 0.1; use: fa tournament run --schedule swiss (--format is the output "
        "format)",
    ),
    (["match", "a", "b", "--players", "2"], "fa match has no option --players: name one bot for each player"),
    (["tournament", "resume", "x", "--games=5"], "fa tournament resume has no option --games: --more N adds games"),
    (["leaderboard", "--step"], "fa leaderboard has no option --step; it is one of fa replay show"),
    ([*RUN, "--output", "json"], "--output is an option of fa 0.1; use: fa tournament run --format json"),
    (
        [*RUN, "--bench", "3"],
        "--bench is an option of fa 0.1; use: fa tournament run --max-faults N (definitions and records keep the key "
        "bench)",
    ),
    ([*RUN, "a", "--players", "x"], "invalid --players 'x': use a whole number" + SEE_RUN),
    ([*RUN, "a", "--players", "0"], "invalid --players 0: use at least 1" + SEE_RUN),
    ([*RUN, "a", "--alpha", "x"], "invalid --alpha 'x': use a number" + SEE_RUN),
    ([*RUN, "a", "--pin", "of"], "invalid --pin 'of': use auto or off; did you mean off?" + SEE_RUN),
    (RUN, "missing argument BOT...|FILE.toml" + SEE_RUN),
    (["bot", "new", "x"], "missing option --lang (see fa bot new --help)"),
    (["bot", "new", "x", "--lang"], "--lang needs a value"),
    (["leaderboard", "--matrix=1"], "--matrix takes no value"),
    (["games", "x"], "unexpected argument 'x' (see fa games --help)"),
    (["games", "x", "y"], "unexpected argument 'x y' (see fa games --help)"),
    (
        ["tournament", "collusion", "x", "--alpha", "3"],
        "invalid --alpha 3.0: use a number from 1e-06 to 0.5 (see fa tournament collusion --help)",
    ),
    (["tournament", "rnu"], "no command 'rnu'; did you mean run? (see fa tournament --help)"),
    (["bot", "zzz"], "no command 'zzz'; the commands are new, check, replay, connect (see fa bot --help)"),
    (["replya"], "no command 'replya'; did you mean replay? (see fa --help)"),
    (["resume"], "no command 'resume'; did you mean fa tournament resume? (see fa --help)"),
    (["zzz"], f"no command 'zzz'; the commands are {', '.join(app.ROOT.commands)} (see fa --help)"),
    (["--home"], "--home needs a value"),
    *(
        (["replay", "find", *words], "--beat needs 2 values: --beat A B")
        for words in (["--beat", "a"], ["--beat=a"], ["--beat", "a", "--faults"], ["--beat"])
    ),
]


@pytest.mark.parametrize(("args", "sentence"), LINES, ids=[" ".join(args) for args, _ in LINES])
def test_a_wrong_command_line(capsys: pytest.CaptureFixture[str], args: list[str], sentence: str) -> None:
    assert app.run(args) == 2
    assert capsys.readouterr().err == f"fa: {sentence}\n"
