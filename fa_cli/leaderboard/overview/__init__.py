"""Every table about some games at once, as a report shows them."""
