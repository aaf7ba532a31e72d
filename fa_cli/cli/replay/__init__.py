"""`fa replay`: commands about logs and the games in them."""

from __future__ import annotations

from ..framework.commands import Group
from . import logs
from .find import find
from .html import html
from .svg import svg

GROUP = Group(
    "Verify, show, list, export and import logs.",
    {
        "verify": logs.verify,
        "list": logs.list_,
        "show": logs.show_,
        "export": logs.export,
        "import": logs.import_,
        "extract": logs.extract,
        "repair": logs.repair,
        "find": find,
        "html": html,
        "svg": svg,
    },
)
