"""`fa tournament`: commands that run, list, show and verify tournaments."""

from __future__ import annotations

from ..framework.commands import Group
from . import proof, publish, run_commands, show, watch
from .find_collusion import collusion

GROUP = Group(
    "Run, resume, list, show and verify tournaments.",
    {
        "run": run_commands.run,
        "resume": run_commands.resume,
        "init": run_commands.init,
        "list": show.list_all,
        "show": show.show_one,
        "places": show.places,
        "watch": watch.watch,
        "verify": proof.verify,
        "head": proof.head,
        "sign": proof.sign,
        "publish": publish.publish,
        "receipt": publish.receipt,
        "witness": publish.witness,
        "collusion": collusion,
    },
)
