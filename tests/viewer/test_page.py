"""Self-contained pages: their policy, their data, and that nothing in them is taken for markup."""

from __future__ import annotations

import gzip
import hashlib
import re
from base64 import b64decode, b64encode

from fa_cli.viewer.page import html_page


def page(**changed: str) -> str:
    parts = {
        "title": "T",
        "description": "D",
        "body": "<p>hello</p>",
        "style": "p{color:red}",
        "script": "let a = 1",
    } | changed
    return html_page(**parts, data={"data": b'{"a": 1}'})


def test_the_policy_allows_the_style_and_the_script_alone() -> None:
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page())
    hashes = [b64encode(hashlib.sha256(text).digest()).decode() for text in (b"let a = 1", b"p{color:red}")]
    assert policy == (
        f"default-src 'none'; script-src 'sha256-{hashes[0]}'; style-src 'sha256-{hashes[1]}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def test_data_is_found_by_its_id() -> None:
    (packed,) = re.findall(r'<script type="application/gzip" id="data">([^<]*)</script>', page())
    assert gzip.decompress(b64decode(packed)) == b'{"a": 1}'


def test_a_title_is_text() -> None:
    assert "<title>&lt;/title&gt;&lt;b&gt; &amp; co</title>" in page(title="</title><b> & co")
    assert 'name="description" content="&quot;&gt;&lt;b&gt;"' in page(description='"><b>')


def test_the_same_page_again() -> None:
    assert page() == page()
