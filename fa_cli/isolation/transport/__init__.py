"""How a session reaches a bot's program, wherever it runs."""
