"""fa: bot tournaments for three board games of New York, with verified replay logs and ratings."""

import os
import sys

TYPE_CHECKING = False  # importing typing would be a tenth of the start of a bot in Python
__version__ = "0.2.0.dev0"
COMPILED_COPY = f"{sys.prefix}/fa-compiled"
"""The folder of modules that `make tournament` compiled for a checkout (compiled_copy.py). FA_COMPILE=0 ignores it."""

if os.access(COMPILED_COPY, os.R_OK) and os.environ.get("FA_COMPILE") != "0":
    from . import compiled_copy

    compiled_copy.use(COMPILED_COPY)

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**_):
        """Mark a class for mypyc, which reads the mark when it compiles; running needs no package of mypyc's."""
        return lambda kind: kind
