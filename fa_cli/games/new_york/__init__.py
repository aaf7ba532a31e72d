"""New York (Sid Sackson and S. M. Kübler, 1995)."""
