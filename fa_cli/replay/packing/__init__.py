"""What records are packed into."""
