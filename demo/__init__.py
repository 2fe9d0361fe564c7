"""Compresses three real web pages, or your own, with a real server, and shows what is kept."""
