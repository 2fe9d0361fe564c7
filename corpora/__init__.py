"""Labelled question-document-evidence sets: what training learns from and evaluation measures on."""
