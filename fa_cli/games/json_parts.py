"""What observations as JSON are made with."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

to_json: Callable[[object], bytes] = msgspec.json.Encoder().encode
"""Encode a value as JSON."""
