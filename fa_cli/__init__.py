"""fa: bot tournaments for three board games of New York, with verified replay logs and ratings."""

__version__ = "0.1.0"
