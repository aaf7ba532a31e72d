"""Bots that play over the network: the host's door, and the bot's side of it."""
