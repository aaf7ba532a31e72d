"""The part in a run: sends batches to workers, checks the answers, and plays lost games again."""
