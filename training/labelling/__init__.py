"""Labels for training from an LLM judge: spans of a document, each in one of six categories."""
