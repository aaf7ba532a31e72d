"""docs/reference/option-map.md, from the table of other tools' options: `python -m tests.option_map` writes it."""

from __future__ import annotations

from pathlib import Path

from fa_cli.cli.help.foreign_options import FOREIGN_OPTIONS, FORMER, ForeignOption
from fa_cli.printing.text import listed

PAGE = Path(__file__).parent.parent / "docs/reference/option-map.md"
HEAD = """# Option map for users of other tools

<!-- Written by `make reference` from fa_cli/cli/help/foreign_options.py: change that table instead. -->

What you know from another tool, and its name here. If you type an option of another tool, `fa` prints the same line.

A few things work differently:

- **Bots are arguments**, not options: `fa tournament run mine.py greedy planner`.
- **Games have up to five seats.** Bots rotate through the seats of a deal, as engines swap colours of an opening.
- **There are no openings and no adjudication.** The seed deals the games, and every game is played to its end.
- **Clocks have no increment.** Every decision has `--move-time`; unused time is lost. `--bank` is extra time.
- **Results count deals, not games.** The games of one deal are one observation, like a pair of games in fastchess's
  pentanomial statistics ([Which bot is better?](../explanation/statistics.md)).
- **The log is not a PGN.** `logs/NAME.log` has every game, and can be verified. `fa replay export` prints it as JSON.

An invocation of fastchess and its translation:

```text
fastchess -engine cmd=new -engine cmd=old -each tc=10+0.1 -rounds 500 -repeat \\
          -concurrency 4 -sprt elo0=0 elo1=35 alpha=0.05 beta=0.05 -pgnout games.pgn

fa tournament run new old --bank 10s --move-time 100ms --jobs 4 --until decided --margin 0.1
```
"""


def page() -> str:
    """The whole page: a section for each set of tools that share options."""
    groups: dict[tuple[str, ...], list[ForeignOption]] = {}
    for row in FOREIGN_OPTIONS:
        groups.setdefault(row.tools, []).append(row)
    return "\n".join([HEAD, *(_section(tools, rows) for tools, rows in groups.items())])


def _section(tools: tuple[str, ...], rows: list[ForeignOption]) -> str:
    title = "Earlier versions of fa" if tools == (FORMER,) else listed(tools)
    lines = [f"| `{row.option}` | {_ours(row)} | {row.note} |\n" for row in rows]
    return f"## {title[:1].upper()}{title[1:]}\n\n| option | here | note |\n| --- | --- | --- |\n{''.join(lines)}"


def _ours(row: ForeignOption) -> str:
    return f"`{row.ours}`" if row.ours else "no such option"


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
