"""What commands are built on: Typer and its private parts, groups that load commands late, and a fast start."""
