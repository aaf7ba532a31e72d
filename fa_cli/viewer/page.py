"""Self-contained HTML pages: one style, one script, data; nothing else is loaded, which the page itself forbids."""

from __future__ import annotations

import gzip
import hashlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from urllib.parse import quote

from ..printing.text import printable

_ASSETS = Path(__file__).parent / "assets"
_ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#1f5fc4" d="M2 6h5v10H2z"/>'
    '<path fill="#c62f2b" d="M8 1h6v15H8z"/></svg>'
)
"""Two towers. Without an icon, browsers would ask for one."""
_DOCUMENT = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<meta name="description" content="{description}">
<meta property="og:title" content="{title}">
<meta property="og:description" content="{description}">
<link rel="icon" href="data:image/svg+xml,{icon}">
<style>{style}</style>
</head>
<body>
{body}
{data}<script>{script}</script>
</body>
</html>
"""


@cache
def asset(name: str) -> str:
    """A bundled script or style, such as `replay.js`; `make pages` makes them from web/."""
    return (_ASSETS / name).read_text(encoding="utf-8").strip()


def html_page(title: str, description: str, body: str, style: str, script: str, data: Mapping[str, bytes]) -> str:
    """A page that runs one script, may load nothing and send nothing.

    `title` and `description`, which previews of links show, are plain text; `body` is HTML, without scripts and style
    attributes, which the browser would refuse. Each entry of `data` becomes an element with that id, whose text
    `web/common/data.ts` decodes. The same arguments always give the same page.
    """
    return _DOCUMENT.format(
        policy=f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'",
        title=escape(title),
        description=escape(description),
        icon=quote(_ICON),
        style=style,
        body=body,
        data="".join(_data_element(name, content) for name, content in data.items()),
        script=script,
    )


def nav(links: Sequence[tuple[str, str]], reason: str = "") -> str:
    """Links as addresses and texts, to stand above a page; `reason` is why it is worth seeing."""
    if not links:
        return ""
    anchors = "".join(f'<a href="{escape(address)}">{text}</a>' for address, text in links)
    why = f"<span>{escape(printable(reason))}</span>" if reason else ""
    return f'<nav class="neighbours" aria-label="Where to go">{anchors}{why}</nav>\n'


def _hash(text: str) -> str:
    """The source expression that allows an inline script or style with this text."""
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _data_element(name: str, content: bytes) -> str:
    """The bytes as gzip and base64, in an element that the browser neither shows nor runs."""
    packed = b64encode(gzip.compress(content, 9, mtime=0)).decode()
    return f'<script type="application/gzip" id="{escape(name)}">{packed}</script>\n'
