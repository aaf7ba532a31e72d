"""The base of all commands: Typer, groups that load commands late, and a fast start."""
