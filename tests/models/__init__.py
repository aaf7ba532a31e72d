"""Language models as bots."""
