"""Text to segments to windows, and token logits back to segment scores."""
