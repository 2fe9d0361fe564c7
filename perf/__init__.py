"""Measurements of speed: ratios and percentiles of one run, never tests."""
