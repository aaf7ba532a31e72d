"""`fa serve`: play and watch in the browser."""

from __future__ import annotations

import sys
from contextlib import suppress
from ipaddress import ip_address
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote, urlsplit

import msgspec

from ...errors import UsageError, extra
from ...isolation.limits import SANDBOX, Limits, Sandbox
from ...option import Argument, Option, OptionGroup
from ...printing.terminal import print_line
from ...printing.text import either
from .. import common
from ..common import say
from ..help import explained
from ..limit_options import checked_limits
from .one_game import offered_bots

if TYPE_CHECKING:
    from ...serve.app import Site
    from ...serve.bots.door import Doors


class ServeOptions(msgspec.Struct, frozen=True):
    """Where the server listens, and what it offers."""

    offered: Annotated[list[str], Argument("Bots of yours to offer, beside the shipped ones.", "[BOT]...")] = []
    host: Annotated[str, Option("Listen on this address.", "ADDRESS", group=OptionGroup.RUNNING)] = "127.0.0.1"
    port: Annotated[
        int,
        msgspec.Meta(ge=0, le=65535),
        Option("Listen on this port; 0 takes a free one.", "N", group=OptionGroup.RUNNING),
    ] = 8080
    allow_host: Annotated[
        list[str],
        Option(
            "Answer to this name, too; repeatable. [default: ADDRESS alone]",
            "NAME",
            group=OptionGroup.RUNNING,
        ),
    ] = []
    no_open: Annotated[bool, Option("Open no browser.", group=OptionGroup.RUNNING)] = False
    yes: Annotated[
        bool, Option("Listen beyond this machine without asking for it again.", group=OptionGroup.RUNNING)
    ] = False
    stand_in: Annotated[
        str, Option("Let BOT play for people who leave, are away or late.", "BOT", group=OptionGroup.PLAYERS)
    ] = "planner"
    tables: Annotated[
        int,
        msgspec.Meta(ge=1, le=1000),
        Option("Keep at most N games in progress.", "N", group=OptionGroup.LIMITS),
    ] = 100
    remote: Annotated[
        str,
        Option(
            "Let bots of these names connect from elsewhere, such as anna,bert. [default: none can]",
            "NAMES",
            name="bots",
            group=OptionGroup.PLAYERS,
        ),
    ] = ""
    sandbox: Annotated[Sandbox, SANDBOX] = Sandbox.AUTO


@explained(
    "serve",
    ("Play in the browser against the shipped bots", "fa serve"),
    ("Offer your own bots, too", "fa serve mine.py bots/planner"),
    ("Let others in your network in", "fa serve --host 0.0.0.0 --yes"),
    first="--port 8080 --no-open --host 0.0.0.0 --yes --allow-host play.example.org --stand-in greedy --bots anna",
)
def serve(request: ServeOptions) -> None:
    """Play and watch in the browser: tables for people and bots, and the tournaments of this folder as they run.

    The link that is printed is the owner's: with it you seat bots. Each seat of a table has a link of its own to pass
    on. Games are ordinary logs, logs/table-1.log and so on. Ctrl-C saves all tables; the next fa serve plays them on.
    """
    import webbrowser

    from ...isolation.spawn import no_leftover_processes

    for name in request.allow_host:
        with suppress(ValueError):
            if urlsplit(f"//{name}").hostname == name.lower():
                continue
        raise UsageError(f"--allow-host {name}: expected a name alone, such as play.example.org")
    with extra("web", "fa serve"):
        from ...serve import server
    with no_leftover_processes(), server.listen(request.host, request.port) as listening:
        host, port = listening.getsockname()[:2]
        bound = ip_address(host)
        if not bound.is_loopback and not request.yes:
            raise UsageError(
                f"--host {request.host} lets everybody who reaches this machine open tables and watch your "
                "tournaments, without encryption; say --yes if you want that"
            )
        used = [] if bound.is_loopback else server.others_use(request.host, bound.is_unspecified)
        elsewhere = [_address(name, port) for name in used]
        doors = _doors(request)
        site, owner = _site(request, doors, elsewhere[0] if elsewhere else "")
        address = _address("127.0.0.1" if bound.is_unspecified else request.host, port)
        doors.announce(address)
        link = f"{address}/#{owner}"
        print_line(link, flush=True)
        say("this is the owner's link: keep it to yourself; Ctrl-C ends the server")
        if elsewhere:
            say(f"others reach it at {either(elsewhere)}")
        for name, token in doors.tokens().items():
            host = [*elsewhere, address][0].replace("http", "ws", 1)
            say(f"{name} connects with: fa bot connect {host} --token {token} --name {name} -- BOT")
        if not request.no_open:
            webbrowser.open(link)
        names = [request.host, *request.allow_host, *used]
        server.serve(site.application(names, bound.is_unspecified), [listening])


def _address(host: str, port: int) -> str:
    """The address of the pages, as seen from this machine."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _doors(request: ServeOptions) -> Doors:
    """The doors of remote bots. Raises UsageError, OSError."""
    from ...isolation.transport.remote import remote_folder, use_home
    from ...serve.bots.door import Doors

    use_home(common.SETTINGS.home)
    names = [name.strip() for name in request.remote.split(",") if name.strip()]
    return Doors(remote_folder(), names, _tell)


def _tell(line: str) -> None:
    """Print a line of the server on stderr."""
    print_line(line, sys.stderr, flush=True)


def _site(request: ServeOptions, doors: Doors, address: str) -> tuple[Site, str]:
    """The site of this home, and the secret of the owner's link. Raises BotError, UsageError."""
    from ...serve.app import Site
    from ...serve.contests.overview import Contests
    from ...serve.lobby import Lobby, Settings
    from ...serve.saved_table import kept_secret, new_token

    limits = checked_limits(request.sandbox, Limits())
    bots = offered_bots(request.offered, limits.sandbox)
    if request.stand_in not in bots:
        raise UsageError(f"--stand-in: no bot named {request.stand_in!r}; it is one of {', '.join(bots)}")
    logs = common.logs_folder()
    lobby = Lobby(Settings(logs, bots, request.stand_in, limits, request.tables))
    contests = Contests(common.tournaments_folder(), logs, _report)
    try:
        owner = kept_secret(logs / "owner.secret")
    except OSError:  # who may not write here can watch
        owner = new_token()
    return Site(lobby, contests, doors, owner, address, _tell), owner


def _report(name: str) -> str:
    """The report of a tournament as one page. Raises UsageError, LogError."""
    from ...report.game_pages import GamePages
    from ...report.read_content import read_content
    from ...report.sections import page_of

    content = read_content(common.select([name], None, None))
    if content is None:
        raise common.no_games([name], None, None)
    return page_of(content, GamePages(content, 0), [(f"/contest/{quote(name)}", "Tournament")])
