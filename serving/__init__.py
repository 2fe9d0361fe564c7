"""Finds, starts, watches and stops a local Triton server."""
