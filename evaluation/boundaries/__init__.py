"""Comparison of sentence splitters, offset checks and growth of run time."""
