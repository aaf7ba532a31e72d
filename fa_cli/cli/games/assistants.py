"""`fa mcp`: games and results as tools of an assistant."""

from __future__ import annotations

import signal
from typing import Annotated

from ...errors import extra
from ...isolation.limits import SANDBOX, Limits, Sandbox
from ...option import Argument
from .. import common
from ..help import explained
from ..limit_options import checked_limits
from .one_game import offered_bots

_MOST_TABLES = 20
"""Unfinished games of one assistant."""


@explained(
    "assistants",
    ("Answer an assistant that starts this command", "fa mcp --home ~/games"),
    ("Offer it your own bots, too", "fa mcp mine.py bots/planner"),
)
def mcp(
    bots: Annotated[list[str] | None, Argument("Bots of yours to offer, beside the shipped ones.", "[BOT]...")] = None,
    sandbox: Annotated[Sandbox, SANDBOX] = Sandbox.AUTO,
) -> None:
    """Let an assistant play against bots and analyse results, over the Model Context Protocol.

    The assistant's program starts this command and talks to it on stdin and stdout. Games are ordinary logs,
    logs/assistant-1.log and so on; unfinished ones are saved after each action, and played on when asked for again.
    """
    from ...isolation.spawn import no_leftover_processes

    with extra("mcp", "fa mcp"):
        from ...mcp_server import server
    from ...mcp_server.results import Results
    from ...mcp_server.seat import NAME, Seat
    from ...serve.contests.overview import Contests
    from ...serve.lobby import Lobby, Settings

    signal.signal(signal.SIGINT, signal.SIG_DFL)  # nothing interrupts a thread that reads stdin; all games are saved
    limits = checked_limits(sandbox, Limits())
    logs = common.logs_folder()
    with no_leftover_processes():
        offered = offered_bots(bots or [], limits.sandbox)
        lobby = Lobby(Settings(logs, offered, "", limits, _MOST_TABLES, NAME, Seat))
        contests = Contests(common.tournaments_folder(), logs, str)
        server.serve(lobby, Results(contests, logs))
