"""What `fa` needs to know of the operating system."""

from __future__ import annotations


def shebang(first_line: bytes) -> list[str] | None:
    """The programs that a script's `#!` line names; None without such a line.

    The interpreter comes first; after `env` the program that env finds by PATH follows. A missing name is "".
    `#!/usr/bin/env -S node --jitless` gives `["/usr/bin/env", "node"]`.
    """
    if not first_line.startswith(b"#!"):
        return None
    words = first_line[2:].decode("utf-8", "replace").split()
    interpreter = words[0] if words else ""
    if interpreter.rpartition("/")[2] != "env":
        return [interpreter]
    return [interpreter, next((word for word in words[1:] if not word.startswith("-") and "=" not in word), "")]
