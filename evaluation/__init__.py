"""Quality measurements."""
