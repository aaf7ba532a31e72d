"""Tables of measurements in the documentation's pages, between a pair of comments each."""

from __future__ import annotations

import re
from pathlib import Path


def write(page: Path, kind: str, name: str, text: str) -> None:
    """Replace what stands between `<!-- KIND NAME -->` and `<!-- /KIND -->` in a page."""
    before = page.read_text(encoding="utf-8")
    block = re.compile(f"(<!-- {kind} {name} -->\n).*?(<!-- /{kind} -->\n)", re.DOTALL)
    after, count = block.subn(lambda found: found[1] + text + found[2], before)
    if count != 1:
        raise SystemExit(f"{page}: it needs '<!-- {kind} {name} -->' and '<!-- /{kind} -->' once; found {count}")
    page.write_text(after, encoding="utf-8")
