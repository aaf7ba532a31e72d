from __future__ import annotations

import pytest

for needed in ("starlette", "uvicorn", "websockets"):
    pytest.importorskip(needed)
