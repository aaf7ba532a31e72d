"""Programs at the same addresses in each of their processes: without the kernel's random layout (ASLR).

An order that follows from addresses, as that of objects in Python's sets, is then the same in every process, and the
processor's branch predictor serves bots that share an interpreter and take turns on a core all at once.
"""

from __future__ import annotations

import sys

_ADDR_NO_RANDOMIZE = 0x0040000
_ASK = 0xFFFFFFFF


def fix_addresses(keep: bool = True) -> bool:
    """Fix the addresses of all programs that this process starts from now on, and of those that they start.

    Does nothing except on Linux, and where a container denies it; returns whether it works. Without `keep` nothing
    changes. A program that gains privileges undoes it.
    """
    if sys.platform != "linux":
        return False
    import ctypes

    personality = ctypes.CDLL(None).personality
    personality.argtypes = [ctypes.c_ulong]
    before: int = personality(_ASK)
    fixed: bool = before >= 0 and personality(before | _ADDR_NO_RANDOMIZE) >= 0
    if fixed and not keep:
        personality(before)
    return fixed
