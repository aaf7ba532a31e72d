"""A log whose growth strangers can check: Merkle tree, signed checkpoints, receipts for single games."""
