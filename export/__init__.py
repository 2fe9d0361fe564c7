"""From a checkpoint to the artifact that the server runs."""
