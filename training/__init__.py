"""Backbone, data, model and training of the encoder that scores tokens."""
