"""`fa tournament`: commands that run, list, show and verify tournaments."""

from __future__ import annotations

from ..framework.commands import Group
from . import proof, run, show, watch
from .collusion import collusion

GROUP = Group(
    "Run, resume, list, show and verify tournaments.",
    {
        "run": run.run,
        "resume": run.resume,
        "init": run.init,
        "list": show.list_all,
        "show": show.show_one,
        "places": show.places,
        "watch": watch.watch,
        "verify": proof.verify,
        "head": proof.head,
        "sign": proof.sign,
        "collusion": collusion,
    },
)
