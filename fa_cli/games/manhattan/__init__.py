"""Manhattan (Andreas Seyfarth, 1994); RULES.md has the rules as they are played here."""
