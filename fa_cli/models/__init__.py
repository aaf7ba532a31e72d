"""Language models: the way of a bot to its provider, and what was asked, answered and paid."""
